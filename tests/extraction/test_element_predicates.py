"""Whether elements are inside marked ones."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.extraction.cleanup.boxes import (
    ANY_NAMES,
    CONSENT_NAMES,
    HIDDEN_NAMES,
    SURE_NAMES,
)
from newscrawl.extraction.cleanup.copies import _COMMENTS
from newscrawl.extraction.element_predicates import NamePattern
from newscrawl.extraction.size import _COMMENT_NAMES


@pytest.mark.parametrize(
    "names",
    [ANY_NAMES, SURE_NAMES, CONSENT_NAMES, HIDDEN_NAMES, _COMMENTS, _COMMENT_NAMES],
    ids="any sure consent hidden comments limits".split(),
)
@settings(deadline=None)
@given(data=st.data())
def test_names_without_any_part_do_not_match(names: NamePattern, data: st.DataObject) -> None:
    name = data.draw(st.from_regex(names.expression).map(str.lower))
    matches = names.expression.search(name)
    assert not matches or any(part in name for part in names.parts)
    assert (names.search(name) is None) is (matches is None)
