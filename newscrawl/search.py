"""The names of `newscrawl.publishing.search` for users' code (docs/reference/python-api.md)."""

from newscrawl.publishing.search import (
    Filters,
    Index,
    Query,
    SearchAnswer,
    SearchHit,
    Snippet,
    find_stories,
    open_index,
    parse_query,
    run_query,
    update_index,
)

__all__ = [
    "Filters",
    "Index",
    "Query",
    "SearchAnswer",
    "SearchHit",
    "Snippet",
    "find_stories",
    "open_index",
    "parse_query",
    "run_query",
    "update_index",
]
