"""Whether elements are inside marked ones."""

from __future__ import annotations

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.extraction.cleanup.copies import _COMMENTS
from newscrawl.extraction.cleanup.within import (
    ANY_NAMES,
    CONSENT_NAMES,
    HIDDEN_NAMES,
    SURE_NAMES,
)
from newscrawl.extraction.size import _COMMENT_NAMES

NAMES = {
    "any": ANY_NAMES,
    "sure": SURE_NAMES,
    "consent": CONSENT_NAMES,
    "hidden": HIDDEN_NAMES,
    "comments": _COMMENTS,
    "limits": _COMMENT_NAMES,
}
MATCHING = {kind: st.from_regex(names.expression).map(str.lower) for kind, names in NAMES.items()}


@pytest.mark.parametrize("kind", NAMES)
@settings(max_examples=examples(30), deadline=None)
@given(data=st.data())
def test_names_without_any_part_do_not_match(kind: str, data: st.DataObject) -> None:
    names, name = NAMES[kind], data.draw(MATCHING[kind])
    matches = names.expression.search(name)
    assert not matches or any(part in name for part in names.parts)
    assert (names.search(name) is None) is (matches is None)
