"""Makes the feeds of standing searches, of everything, of a site or of a language, and writes them as Atom (RFC 4287)
and JSON Feed 1.1. An entry has a summary of an article, never its whole text.

Titles, summaries and names are the texts of publishers: they are written without control characters and marks that
change the direction of text, as on the pages.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from lxml import etree

from newscrawl.errors import UsageError
from newscrawl.extraction.markdown import html, part_of
from newscrawl.model.wording import harmless
from newscrawl.publishing.search.matching import excerpt
from newscrawl.publishing.search.query import Query, parse_query
from newscrawl.reports import ExportedArticle, documents, publishing
from newscrawl.reports.shown_articles import ShownArticle, Wanted
from newscrawl.reports.sites import is_known
from newscrawl.storage.feed import feed_addresses, standing_searches
from newscrawl.storage.feed.feed_addresses import FeedScope
from newscrawl.storage.feed.standing_searches import StandingSearch
from newscrawl.storage.reader import Connection

FEED_SIZE: Final = 50
"""Stories in a feed."""
MAX_LANGUAGE: Final = 35
"""Characters of a code of a language: the longest that RFC 5646 expects."""
_ANY: Final = Query(())
_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""`updated` of a feed that never had an entry: Atom needs a time, and this one stays the same."""
ATOM: Final = "http://www.w3.org/2005/Atom"
JSON_FEED: Final = "https://jsonfeed.org/version/1.1"
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow."""


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """A story in a feed. `entry_id` is a UUID that stays when the story changes. `updated` is when it was found, or
    corrected last. Times are aware."""

    entry_id: str
    url: str
    title: str
    summary: str
    authors: Sequence[str]
    language: str | None
    published: datetime | None
    updated: datetime
    site: str | None = None
    content: str = ""
    """The same part of the text as HTML, with its structure."""


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed with its entries, the newest first. `feed_id` is a UUID. `address` is where the feed itself is read; None
    for one that is written to a file. `home` is a page for readers that shows the same."""

    feed_id: str
    title: str
    updated: datetime
    entries: Sequence[FeedEntry]
    address: str | None = None
    home: str | None = None


def problem_of(query: str) -> str | None:
    """Returns why a saved query cannot be read; None if it can. An earlier newscrawl, with another grammar, may have
    saved it."""
    try:
        parse_query(query)
    except UsageError as error:
        return f"{error}; remove the search, and save it again"
    return None


def feed_of(connection: Connection, search: StandingSearch) -> Feed:
    """Returns the feed of a search: the stories that were found or corrected last."""
    query = parse_query(search.query)
    hits = standing_searches.newest(connection, search.name, FEED_SIZE)
    found = documents(connection, {known.article_id for known in hits})
    entries = [
        entry_of(found[known.article_id], query, known.entry_id, known.updated_at)
        for known in hits
        if known.article_id in found
    ]
    # Those that were withdrawn count too: the feed changed then, and its time must not go back.
    updated = standing_searches.last_update(connection, search.name) or search.saved_at
    return Feed(search.feed_id, search.name, updated, entries)


def entry_of(
    article: ExportedArticle, query: Query, entry_id: str, updated: datetime, page: ShownArticle | None = None
) -> FeedEntry:
    """Returns the entry of an article, or of a page that shows it. Its summary is the part of the text that matches the
    query best."""
    shown = page or article
    found, part = excerpt(article.text, query, shown.language)
    return FeedEntry(
        entry_id=entry_id,
        url=shown.url,
        title=shown.title or shown.url,
        summary=found.text,
        authors=shown.authors,
        language=shown.language,
        published=shown.published,
        updated=updated,
        site=shown.site,
        content=html(*part_of(article.text, article.structure, *part)),
    )


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
    found = publishing.newest(connection, wanted, FEED_SIZE)
    texts = documents(connection, {page.article.article_id for page in found.pages})
    # The id of an entry is made from the page's address, so it stays when the text changes.
    entries = tuple(
        entry_of(texts[one.article_id], _ANY, str(uuid.uuid5(uuid.NAMESPACE_URL, one.url)), page.updated, one)
        for page in found.pages
        if (one := page.article).article_id in texts
    )
    removed = {page.article.article_id for page in found.pages} - texts.keys()
    updated = publishing.last_change(connection, wanted, found, removed)
    return Feed(feed_addresses.feed_id(connection, scope), title_of(scope), updated or _NEVER, entries, address)


def atom(feed: Feed) -> bytes:
    """Returns the feed as Atom."""
    root = etree.Element(f"{{{ATOM}}}feed", nsmap={None: ATOM})
    _add(root, "id", f"urn:uuid:{feed.feed_id}")
    _add(root, "title", feed.title)
    _add(root, "updated", _time(feed.updated))
    _add(root, "generator", "newscrawl")
    _add_author(root, "newscrawl")
    if feed.address is not None:
        etree.SubElement(root, f"{{{ATOM}}}link", rel="self", href=_clean(feed.address))
    if feed.home is not None:
        etree.SubElement(root, f"{{{ATOM}}}link", rel="alternate", type="text/html", href=_clean(feed.home))
    for entry in feed.entries:
        node = etree.SubElement(root, f"{{{ATOM}}}entry")
        _add(node, "id", f"urn:uuid:{entry.entry_id}")
        _add(node, "title", entry.title)
        etree.SubElement(node, f"{{{ATOM}}}link", rel="alternate", href=_clean(entry.url))
        _add(node, "updated", _time(entry.updated))
        if entry.published is not None:
            _add(node, "published", _time(entry.published))
        for author in entry.authors:
            _add_author(node, author)
        if entry.site is not None:
            etree.SubElement(node, f"{{{ATOM}}}category", term=harmless(entry.site))
        _add(node, "summary", entry.summary)
        content = etree.SubElement(node, f"{{{ATOM}}}content", type="html")
        content.text = _clean(entry.content)
    return bytes(etree.tostring(root, xml_declaration=True, encoding="utf-8", pretty_print=True))


def json_feed(feed: Feed) -> bytes:
    """Returns the feed as JSON Feed."""
    items = [_item(entry) for entry in feed.entries]
    values: dict[str, Any] = {"version": JSON_FEED, "title": harmless(feed.title)}
    if feed.address is not None:
        values["feed_url"] = feed.address
    if feed.home is not None:
        values["home_page_url"] = feed.home
    values["items"] = items
    return json.dumps(values, ensure_ascii=False, indent=1).encode("utf-8", "replace")


def _item(entry: FeedEntry) -> dict[str, Any]:
    summary = harmless(entry.summary)
    values: dict[str, Any] = {
        "id": f"urn:uuid:{entry.entry_id}",
        "url": entry.url,
        "title": harmless(entry.title),
        "content_text": summary,
        "summary": summary,
        "date_modified": _time(entry.updated),
    }
    if entry.published is not None:
        values["date_published"] = _time(entry.published)
    if entry.authors:
        values["authors"] = [{"name": harmless(author)} for author in entry.authors]
    if entry.site is not None:
        values["tags"] = [harmless(entry.site)]
    if entry.language:
        values["language"] = entry.language
    return values


def _add(parent: etree._Element, name: str, text: str) -> None:
    etree.SubElement(parent, f"{{{ATOM}}}{name}").text = harmless(text)


def _add_author(parent: etree._Element, name: str) -> None:
    _add(etree.SubElement(parent, f"{{{ATOM}}}author"), "name", name)


def _clean(text: str) -> str:
    return _NOT_XML.sub("", text)


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
