"""Consumers of the change feed that answer questions: the embedded full-text search."""

from __future__ import annotations

from newscrawl.search.catching_up import Reading, catch_up
from newscrawl.search.finding import Filters, Hit, find
from newscrawl.search.index import Index, open_index
from newscrawl.search.query import Query, parse_query

__all__ = ["Filters", "Hit", "Index", "Query", "Reading", "catch_up", "find", "open_index", "parse_query"]
