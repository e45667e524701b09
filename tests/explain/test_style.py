"""On a phone, words of the explained page are not broken: a wide table scrolls."""

from __future__ import annotations

import re

from newscrawl.extraction.explain.style import STYLE

PHONE = STYLE.partition("@media(max-width:40rem){")[2]


def test_no_rule_that_breaks_words_acts_on_a_phone() -> None:
    """`overflow-wrap:anywhere` lets a table shrink a column to single letters; `break-word` does not."""
    breaking = set(re.findall(r"(\w+){[^}]*overflow-wrap:anywhere", STYLE))
    kept = set(re.findall(r"(\w+){[^}]*overflow-wrap:break-word", PHONE))
    assert breaking <= kept
    assert "word-break" not in STYLE
    assert "table{display:block;overflow-x:auto}" in PHONE
