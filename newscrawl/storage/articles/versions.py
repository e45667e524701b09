"""Reads the version that a page shows now, to compare it with a new reading, and classifies versions again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
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
    null,
    select,
    union_all,
    update,
)

from newscrawl.model import Metadata
from newscrawl.storage.articles.deciding.differences import PageSnapshot, compare, stored_names
from newscrawl.storage.articles.deciding.known import Incoming, Known
from newscrawl.storage.articles.rows import named_entries
from newscrawl.storage.engine.sql import Values, chunks
from newscrawl.storage.records import WHOLE, Shown
from newscrawl.storage.tables.articles import articles, headlines, pages, versions
from newscrawl.storage.tables.operations import review_queue

_UNWATCHED: Final = {"refused_dates", "language", "images", "videos", "audio", "live_entries"}
METADATA: Final = (*(field.name for field in fields(Metadata) if field.name not in _UNWATCHED), "verdict")
"""The columns whose change is one of the article: what its readers see (reports.ExportedArticle). Images, videos and
audio are stored and are not among them: many sites give their files new addresses for each visit."""


RECLASSIFIED: Final = 30
"""The most versions of a page that are compared again. Without a limit, every ingested capture of a page that changes
each hour would compare all of them again."""


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


def classify_again(connection: Connection, page_ids: Iterable[int]) -> None:
    """Gives a page's versions their classes in the order they were shown, after a capture older than what it shows.

    The texts of a page with more than `RECLASSIFIED` versions are not read again: all but its first keep their class.
    """
    columns = (
        versions.c.id,
        versions.c.article_id,
        versions.c.change_class,
        versions.c.verdict,
        versions.c.live_entries,
    )
    for page_id in sorted(page_ids):
        query = select(*columns, versions.c.title, versions.c.authors).where(versions.c.page_id == page_id)
        rows = connection.execute(query.order_by(versions.c.seen_at, versions.c.id)).all()
        many = len(rows) > RECLASSIFIED
        texts = {} if many else _texts(connection, {row.article_id for row in rows})
        old: PageSnapshot | None = None
        for row in rows:
            names = stored_names(row.live_entries)
            new = PageSnapshot(texts.get(row.article_id, ""), row.title, tuple(row.authors or ()), row.verdict, names)
            kept = "correction" if row.change_class == "first" else row.change_class
            difference = None if old is None or many else compare(old, new)
            change = "first" if old is None else kept if difference is None else difference.change or "correction"
            if change != row.change_class:
                entries = named_entries(difference.entries) if difference is not None else None
                changed = update(versions).where(versions.c.id == row.id)
                connection.execute(changed.values(change_class=change, new_entries=entries))
            if old is None or new.verdict in WHOLE or old.verdict not in WHOLE:
                old = new


def _texts(connection: Connection, article_ids: set[int]) -> dict[int, str]:
    query = select(articles.c.id, articles.c.text).where(articles.c.id.in_(article_ids))
    return {row.id: row.text for row in connection.execute(query)}


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
