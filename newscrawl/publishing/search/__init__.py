"""The embedded full-text search: a consumer of the change feed that answers queries.

In here: `query_execution` runs a query on a database: it brings the `index` up to date, then finds the best stories.
`query` parses what a person typed, `filters` are its conditions besides words, `words` defines the words by which a
text is found, and their other forms. `expression` makes one tree of a query and prints it for `sqlite`, which ranks by
BM25, and for `postgresql`. `matching` runs a query on one text, and finds the part of it to show.
Not in here: search servers (`newscrawl.publishing.feed.opensearch`). Start with `query_execution`.

`newscrawl.extraction.explain` and everything above it may import this package.
"""

from __future__ import annotations

from newscrawl.publishing.search.filters import Filters
from newscrawl.publishing.search.index import Index, OpenReader, open_index, update_index
from newscrawl.publishing.search.matching import Snippet
from newscrawl.publishing.search.query import Query, parse_query
from newscrawl.publishing.search.query_execution import (
    SearchAnswer,
    SearchHit,
    find_stories,
    query_of,
    run_query,
    update_index_of,
)

__all__ = [
    "Filters",
    "Index",
    "OpenReader",
    "Query",
    "SearchAnswer",
    "SearchHit",
    "Snippet",
    "find_stories",
    "open_index",
    "parse_query",
    "query_of",
    "run_query",
    "update_index",
    "update_index_of",
]
