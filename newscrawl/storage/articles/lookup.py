"""Reads the rows that concern some URL keys and texts, what is known about a batch before its pages are looked up, and
the versions that pages show, in few queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    CompoundSelect,
    Connection,
    Select,
    and_,
    bindparam,
    case,
    false,
    func,
    null,
    select,
    union_all,
)

from newscrawl.crawling.scheduling.revisit import OTHER_WAY
from newscrawl.model import Discovery, Metadata
from newscrawl.model.identity import url_key
from newscrawl.storage.articles.deciding.differences import stored_names
from newscrawl.storage.articles.deciding.known import Incoming, Known, PreviousReading
from newscrawl.storage.articles.rows import PAGE
from newscrawl.storage.engine.sql import Values, chunks, read_rows, rows_among
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.records import EXPIRED, DuePage, PageRow, Shown
from newscrawl.storage.removal import blocklist
from newscrawl.storage.tables.articles import articles, captures, headlines, pages, urls, versions
from newscrawl.storage.tables.operations import review_queue

_ASK: Final = """
SELECT 'token', site, token FROM sites WHERE site {sites}
UNION ALL SELECT 'barred', key, 0 FROM blocklist WHERE key {barred}
UNION ALL SELECT 'article', identity_key, id FROM articles WHERE identity_key {identities}
UNION ALL SELECT 'file', '', id FROM archive_files WHERE id {files} AND deleted IS NULL
UNION ALL SELECT 'review', url_key, 0 FROM review_queue WHERE url_key {keys}
UNION ALL SELECT 'review', final_key, 0 FROM review_queue WHERE final_key {keys}
UNION ALL SELECT 'review', pages.url_key, 0 FROM urls JOIN pages ON pages.id = urls.page_id
JOIN review_queue ON review_queue.url_key = pages.url_key WHERE urls.url_key {keys}
UNION ALL SELECT 'review', pages.url_key, 0 FROM urls JOIN pages ON pages.id = urls.page_id
JOIN review_queue ON review_queue.final_key = pages.url_key WHERE urls.url_key {keys}
"""
_LISTS: Final = ("sites", "barred", "identities", "files", "keys")
_IN_LIST: Final = {name: f"IN (SELECT value FROM json_each(:{name}))" for name in _LISTS}  # noqa: S608  constants
_ON_SQLITE: Final = _ASK.format(**_IN_LIST)
_ON_POSTGRESQL: Final = _ASK.format(**{name: f"= ANY(%({name})s)" for name in _LISTS})


def select_pages() -> Select[Any]:
    """Returns a query of all columns of `pages`, the identity of the article each shows, and when that was last seen.
    The time is NULL for a page of which only files of unknown age were read."""
    shown = and_(versions.c.page_id == pages.c.id, versions.c.article_id == pages.c.article_id)
    shown_at = case((pages.c.last_fetched.is_not(None), versions.c.last_seen))
    return select(pages, articles.c.identity_key, shown_at.label("shown_at")).select_from(
        pages.outerjoin(articles).outerjoin(versions, shown)
    )


def due_page(page: PageRow) -> DuePage:
    """Returns the page as something to fetch. The request is conditional only if the page shows an article that a 304
    would confirm and the last failure was not about the request itself."""
    conditional = page.article_id is not None and page.failure_kind not in OTHER_WAY
    return DuePage(
        page.url,
        page.url_key,
        page.etag if conditional else None,
        page.last_modified if conditional else None,
        page.discovery,
        is_first=page.state == "found",
    )


def known_pages(connection: Connection, keys: Iterable[str], known: Known | None = None) -> Known:
    """Returns the pages and articles that the keys lead to, with what is `known` already."""
    known = known if known is not None else Known()
    for chunk in chunks(sorted(set(keys))):
        for row in connection.execute(_pages_of_keys(), {"keys": chunk}):
            page = PAGE.read(row)
            known.pages[page.url_key] = page
            known.aliases[row.alias] = page.url_key
            if page.identity is not None:
                known.articles[page.identity] = page.article_id
    return known


def page_at(connection: Connection, url: str) -> PageRow | None:
    """Returns the page that an address leads to; None if there is none. Raises InvalidUrl."""
    key = url_key(url)
    return known_pages(connection, [key]).page_of(key)


@cache  # building it takes longer than running it for a small batch
def _pages_of_keys() -> Select[Any]:
    """Returns the query for the pages that the URL keys `keys` lead to."""
    query = select_pages().add_columns(urls.c.url_key.label("alias")).join(urls, urls.c.page_id == pages.c.id)
    return query.where(urls.c.url_key.in_(bindparam("keys", expanding=True)))


def previous_readings(connection: Connection, capture_ids: Iterable[int]) -> dict[int, PreviousReading]:
    """Returns the results of the captures by their ids; captures that are no longer stored are left out."""
    of_page = and_(versions.c.page_id == urls.c.page_id, versions.c.article_id == captures.c.article_id)
    query = select(
        *(captures.c.id.label("capture_id"), captures.c.url_key, captures.c.failure),
        *(articles.c.id.label("article_id"), articles.c.identity_key.label("identity")),
        *(articles.c.text, articles.c.content_hash),
        *(versions.c[name] for name in ("extractor", "title", "authors", "published", "verdict")),
        func.coalesce(pages.c.article_id == articles.c.id, false()).label("shown"),
        func.coalesce(pages.c.state == EXPIRED, false()).label("expired"),
    ).select_from(
        captures.outerjoin(articles, articles.c.id == captures.c.article_id)
        .outerjoin(urls, urls.c.url_key == captures.c.url_key)
        .outerjoin(pages, pages.c.id == urls.c.page_id)
        .outerjoin(versions, of_page)
    )
    return {
        row.capture_id: PreviousReading(**row._asdict() | {"authors": tuple(row.authors or ())})
        for row in rows_among(connection, query, captures.c.id, capture_ids)
    }


def discoveries(connection: Connection, keys: Iterable[str]) -> dict[str, Discovery]:
    """Returns how the pages behind URL keys were found; pages that no source announced are left out."""
    columns = (pages.c.discovery_kind, pages.c.discovery_source, pages.c.discovery_title, pages.c.discovery_published)
    query = select(urls.c.url_key, *columns).join(pages, pages.c.id == urls.c.page_id)
    query = query.where(pages.c.discovery_kind.is_not(None))
    return {key: Discovery(*values) for key, *values in rows_among(connection, query, urls.c.url_key, keys)}


def load_facts(
    connection: Connection, batch: Sequence[Incoming], leases: Collection[Lease] = ()
) -> tuple[Known, Mapping[str, int]]:
    """Returns what is known about a batch before its pages are looked up, and the fencing tokens of the sites of these
    leases."""
    texts = {item.page.article.identity_key for item in batch if item.page.article is not None}
    archived = [item.page.raw.capture for item in batch if item.page.raw.capture is not None]
    spots = [spot for capture in archived for spot in (capture.spot, capture.body)]
    lists: dict[str, list[Any]] = {
        "sites": sorted({lease.site for lease in leases}),
        "barred": sorted({key for item in batch for key in barring(item)}),
        "identities": sorted(texts - {None}),
        "files": sorted({spot.file for spot in spots if spot is not None}),
        "keys": sorted({key for item in batch for key in item.keys}),
    }
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for kind, name, number in read_rows(connection, _ON_SQLITE, _ON_POSTGRESQL, lists):
        found[kind].append((name, number))
    known = Known(
        articles=dict(found["article"]),
        barred=frozenset(name for name, _ in found["barred"]),
        files={number for _, number in found["file"]},
        in_review={name for name, _ in found["review"]},
    )
    return known, dict(found["token"])


def barring(item: Incoming) -> set[str]:
    """Returns the entries of the blocklist that would bar the page."""
    return {
        blocklist.key_of_site(str(item.page.raw.site)),
        blocklist.key_of_url(item.key),
        blocklist.key_of_url(item.asked_key),
    }


_UNWATCHED: Final = {"refused_dates", "language", "images", "videos", "audio", "live_entries"}
METADATA: Final = (*(field.name for field in fields(Metadata) if field.name not in _UNWATCHED), "verdict")
"""The columns whose change is one of the article: what its readers see (reports.ExportedArticle). Images, videos and
audio are stored and are not among them: many sites give their files new addresses for each visit."""


def load_past(connection: Connection, known: Known, batch: Sequence[Incoming]) -> None:
    """Adds to `known` the versions that the batch's pages show, and the texts that may be replaced."""
    asked = [known.page_of(key) for item in batch for key in (item.key, item.asked_key)]
    known.shown = _shown(connection, {page.id for page in asked if page and page.id and page.identity})
    replaced = {
        page.identity
        for item in batch
        if item.page.article is not None and (page := known.page_of(item.key)) is not None and page.identity
        if page.identity != item.page.article.identity_key
    }
    if not replaced:
        return
    arriving = {item.page.article.identity_key or "" for item in batch if item.page.article is not None}
    sites = sorted({str(item.page.raw.site) for item in batch})
    for chunk in chunks(sorted(replaced | arriving - {""})):
        asked_for = {"identities": chunk, "replaced": sorted(replaced.intersection(chunk)), "sites": sites}
        for identity, text, key, former in connection.execute(_replacing(), asked_for):
            if key is None:
                known.texts[identity] = text
                continue
            of_text = known.replacing.setdefault(identity, {})
            of_text[key] = of_text.get(key, frozenset()) | ({former} if former is not None else frozenset())


@cache
def _replacing() -> CompoundSelect[Any]:
    """Returns the query, of one round trip, for the texts `replaced`; and for the pages at which the texts `identities`
    replaced others, with these, or wait for review of the sites `sites`."""
    text, former, of_former = articles.alias(), versions.alias(), articles.alias()
    is_shown = and_(pages.c.id == versions.c.page_id, pages.c.article_id == versions.c.article_id)
    identities: BindParameter[Any] = bindparam("identities", expanding=True)
    texts = select(articles.c.identity_key, articles.c.text, null().label("url_key"), null().label("former"))
    replacing = select(text.c.identity_key, null(), pages.c.url_key, of_former.c.identity_key).select_from(
        text.join(versions, and_(versions.c.article_id == text.c.id, versions.c.change_class == "replaced"))
        .join(pages, is_shown)
        .join(former, and_(former.c.page_id == pages.c.id, former.c.article_id != text.c.id))
        .join(of_former, of_former.c.id == former.c.article_id)
    )
    waiting = select(review_queue.c.identity_key, null(), review_queue.c.url_key, null())
    return union_all(
        texts.where(articles.c.identity_key.in_(bindparam("replaced", expanding=True))),
        replacing.where(text.c.identity_key.in_(identities)),
        waiting.where(
            review_queue.c.site.in_(bindparam("sites", expanding=True)), review_queue.c.identity_key.in_(identities)
        ),
    )


def _shown(connection: Connection, page_ids: set[int]) -> dict[int, Shown]:
    shown: dict[int, Shown] = {}
    for chunk in chunks(sorted(page_ids)):
        past: dict[int, list[Any]] = defaultdict(list)
        for row in connection.execute(_labels_and_versions(), {"page_ids": chunk}):
            past[row.page_id].append(row)
        for row in connection.execute(_current(), {"page_ids": chunk}):
            of_page = past[row.page_id]
            labels = (
                one.label_key for one in of_page if one.article_id == row.article_id and one.label_key is not None
            )
            shown[row.page_id] = Shown(
                row.article_id,
                row.seen_at,
                row.last_seen,
                {name: getattr(row, name) for name in METADATA},
                frozenset(labels),
                tuple(sorted(one.seen_at for one in of_page)),
                frozenset(one.article_id for one in of_page),
                stored_names(row.live_entries),
                row.boilerplate_epoch or 0,
                frozenset(row.left_out or ()),
            )
    return shown


@cache  # building it takes longer than running it for a small batch
def _current() -> Select[Any]:
    """Returns the query for the versions that the pages `page_ids` show."""
    is_shown = and_(versions.c.page_id == pages.c.id, versions.c.article_id == pages.c.article_id)
    mine = versions.c.page_id.in_(bindparam("page_ids", expanding=True))
    return select(versions).join(pages, is_shown).where(mine)


@cache
def _labels_and_versions() -> CompoundSelect[Any]:
    """Returns the query for the labels and the versions of the pages `page_ids`."""
    names = ("page_id", "article_id", "seen_at")
    mine: BindParameter[Any] = bindparam("page_ids", expanding=True)
    of_pages = select(*(headlines.c[name] for name in names), headlines.c.label_key)
    of_texts = select(*(versions.c[name] for name in names), null().label("label_key"))
    return union_all(of_pages.where(headlines.c.page_id.in_(mine)), of_texts.where(versions.c.page_id.in_(mine)))


def changes_shown_values(stored: Shown, values: Values) -> bool:
    """Returns whether a row of `versions` for a stored text changes what readers see when it is written.

    A missing value keeps the stored one. An older reading only fills gaps and moves `seen_at` back.
    """
    return bool(values["seen_at"] < stored.seen_at) or _changes(stored, values, METADATA)


def changes_label(stored: Shown, values: Values) -> bool:
    """Returns whether a row of `versions` for a stored text changes title or authors when it is written."""
    return _changes(stored, values, ("title", "authors"))


def _changes(stored: Shown, values: Values, names: Sequence[str]) -> bool:
    is_later = values["last_seen"] >= stored.last_seen
    pairs = ((_as_stored(name, values[name]), stored.metadata[name]) for name in names)
    return any(new is not None and new != old and (is_later or old is None) for new, old in pairs)


def _as_stored(name: str, value: Any) -> Any:
    """Returns the value as it would be read back. Cleaning and cutting must not look like a change at every visit."""
    if value is None or isinstance(value, datetime):
        return value
    bind: Any = versions.c[name].type
    return bind.process_bind_param(value, None)
