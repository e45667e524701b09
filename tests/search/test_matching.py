"""A query answered for one text, without an index."""

from __future__ import annotations

import pytest

from newscrawl.search.matching import matches
from newscrawl.search.query import parse_query

TITLE = "Fähre legt ab"
TEXT = "The ferry left the harbour. 東京都知事選挙 was held."


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("ferry", True),
        ("FERRY fahre", True),
        ("ferry bridge", False),
        ("ferry -bridge", True),
        ("ferry -harbour", False),
        ('"left the harbour"', True),
        ('"the left harbour"', False),
        ('"ab the ferry"', False),
        ("harb*", True),
        ('"the harb"', False),
        ("知事", True),
        ("事知", False),
        ("-bridge", False),
        ("", False),
    ],
)
def test_a_query_is_answered_for_title_and_text(query: str, found: bool) -> None:
    assert matches(parse_query(query), (TITLE, None), TEXT, "en") is found
