"""Makes the feeds that are read over HTTP: of everything, of a site, of a language, of a standing search."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from newscrawl.errors import UsageError
from newscrawl.reports import documents, feed_pages
from newscrawl.reports.feed_pages import FeedPage
from newscrawl.reports.shown_articles import Wanted
from newscrawl.reports.sites import is_known
from newscrawl.search.query import Query
from newscrawl.search.snippets import snippet
from newscrawl.standing_searches.delivering import FEED_SIZE, feed_of
from newscrawl.standing_searches.feeds import Feed, FeedEntry
from newscrawl.storage.feed import feed_addresses, standing_searches
from newscrawl.storage.feed.feed_addresses import FeedScope
from newscrawl.storage.reader import Connection

_ANY: Final = Query(())
_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""`updated` of a feed that never had an entry: Atom needs a time, and this one stays the same."""
MAX_LANGUAGE: Final = 35
"""Characters of a code of a language: the longest that RFC 5646 expects."""


def scope_of(site: str | None, language: str | None, search: str | None) -> FeedScope:
    """Returns what a feed with these parameters has. Raises UsageError for more than one."""
    given = [(kind, value) for kind, value in (("site", site), ("language", language), ("search", search)) if value]
    if len(given) > 1:
        raise UsageError("a feed is of a site, a language or a standing search: give only one of them")
    if not given:
        return FeedScope("everything")
    ((_, value),) = given
    return FeedScope("site" if site else "language" if language else "search", value)


def check_scope(connection: Connection, scope: FeedScope) -> None:
    """Raises UsageError for a site or a search that is not known, and for what is no code of a language."""
    value = scope.value or ""
    if scope.kind == "site" and not is_known(connection, value):
        raise UsageError(f"no site {value[:80]!r} is in the database: `newscrawl status` lists all")
    if scope.kind == "search" and not any(one.name == value for one in standing_searches.everything(connection)):
        raise UsageError(f"no saved search {value[:80]!r}: `newscrawl search --saved` lists all")
    if scope.kind == "language" and (len(value) > MAX_LANGUAGE or not value.replace("-", "").isalnum()):
        raise UsageError(f"{value[:40]!r} is no code of a language: give one like de or pt-BR")


def title_of(scope: FeedScope) -> str:
    """Returns the title of a feed."""
    named = {"everything": "All articles", "site": "Articles of", "language": "Articles in", "search": "Search:"}
    return f"{named[scope.kind]} {scope.value}" if scope.value else named[scope.kind]


def feed_of_scope(connection: Connection, scope: FeedScope, address: str) -> Feed | None:
    """Returns a feed; None for a search that is no longer saved. `address` is where this reader reads it."""
    if scope.kind == "search":
        known = (one for one in standing_searches.everything(connection) if one.name == scope.value)
        search = next(known, None)
        return replace(feed_of(connection, search), address=address) if search is not None else None
    wanted = Wanted(scope.value if scope.kind == "site" else None, scope.value if scope.kind == "language" else None)
    found = feed_pages.newest(connection, wanted, FEED_SIZE)
    texts = documents(connection, {page.article.article_id for page in found.pages})
    entries = tuple(
        _entry(page, texts[page.article.article_id].text) for page in found.pages if page.article.article_id in texts
    )
    removed = {page.article.article_id for page in found.pages} - texts.keys()
    updated = feed_pages.last_change(connection, wanted, found, removed)
    return Feed(feed_addresses.feed_id(connection, scope), title_of(scope), updated or _NEVER, entries, address)


def _entry(page: FeedPage, text: str) -> FeedEntry:
    """Returns the entry of a page. Its id is made from the page's address, so it stays when the text changes."""
    one = page.article
    return FeedEntry(
        str(uuid.uuid5(uuid.NAMESPACE_URL, one.url)),
        one.url,
        one.title or one.url,
        snippet(text, _ANY, one.language).text,
        one.authors,
        one.language,
        one.published,
        page.updated,
        one.site,
    )
