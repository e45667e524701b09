"""The embedded full-text search: a consumer of the change feed that answers queries.

In here: `catching_up` brings an index up to date from the change feed. `index` is the Protocol; `sqlite_index` and
`postgresql_index`, with `tsvectors`, implement it. `query` parses what a person typed, `finding` answers it, `snippets`
finds the part of a text to show. `answering` does all of this for a database. `looking` searches an index as it is.
`converting` makes old entries of an index again. `matching` answers a query for one text. `words` defines the words by
which a text is found, `stems` their other forms. Not in here: search servers (`newscrawl.feed.opensearch`). Start with
`finding`.

`newscrawl.explain` and everything above it may import this package.
"""

from __future__ import annotations

from newscrawl.search.answering import SearchAnswer, answer, query_of
from newscrawl.search.catching_up import OpenReader, catch_up
from newscrawl.search.finding import Filters, SearchHit, find
from newscrawl.search.index import Index, open_index
from newscrawl.search.query import Query, parse_query
from newscrawl.search.snippets import Snippet

__all__ = [
    "Filters",
    "Index",
    "OpenReader",
    "Query",
    "SearchAnswer",
    "SearchHit",
    "Snippet",
    "answer",
    "catch_up",
    "find",
    "open_index",
    "parse_query",
    "query_of",
]
