"""Removes pages from the database with everything stored about them, as the law or a publisher asks.

The raw archive is separate: the caller removes its records by the addresses that `addresses` returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import ColumnElement, Connection, Select, delete, func, select

from newscrawl.model.identity import url_key
from newscrawl.storage.articles.lookup import page_at
from newscrawl.storage.duplicates.join import remove_unused
from newscrawl.storage.engine.sql import change_among, rows_among
from newscrawl.storage.frontier import sites
from newscrawl.storage.monitoring import hours, site_models
from newscrawl.storage.removal import blocklist, register
from newscrawl.storage.removal.register import ForgetCause, ForgottenEntry
from newscrawl.storage.tables.articles import captures, headlines, pages, urls, versions
from newscrawl.storage.tables.frontier import sightings, sources, url_patterns
from newscrawl.storage.tables.operations import events, review_queue

NOBODY: Final = ForgetCause()


@dataclass(frozen=True, slots=True)
class ForgottenRows:
    """The data that were removed.

    `keys` are the URL keys of all addresses of the pages. `kept` counts articles whose text stays because other pages
    show it or have shown it.
    """

    pages: int
    articles: int
    kept: int
    keys: Sequence[str]


def addresses(connection: Connection, url: str) -> list[str]:
    """Returns every address of the page that `url` leads to, `url` first: those to remove from the archive. Raises
    InvalidUrl."""
    page = page_at(connection, url)
    if page is None:
        return [url]
    return [url, page.url, *connection.execute(select(urls.c.url).where(urls.c.page_id == page.id)).scalars()]


@dataclass(frozen=True, slots=True)
class Forgettable:
    """The data that `forget_url` or `forget_site` would remove: numbers of pages, of articles that only they show, and
    of captures in the raw archive. `urls` names the first pages. `kept` counts articles that other pages show as
    well."""

    pages: int
    urls: Sequence[str]
    articles: int
    kept: int
    captures: int


def look(connection: Connection, *, url: str | None = None, site: str | None = None, shown: int = 5) -> Forgettable:
    """Returns what `forget_url` or `forget_site` would remove, and changes nothing. Raises InvalidUrl."""
    if url is not None:
        page = page_at(connection, url)
        chosen: ColumnElement[bool] = pages.c.id == (page.id if page is not None else None)
        keys = {url_key(url)}
        if page is not None:
            keys.update(connection.execute(select(urls.c.url_key).where(urls.c.page_id == page.id)).scalars())
        archived: ColumnElement[bool] = captures.c.url_key.in_(sorted(keys))
    else:
        chosen, archived = pages.c.site == site, captures.c.site == site
    theirs = select(pages.c.id).where(chosen)
    shows = select(versions.c.article_id).where(versions.c.page_id.in_(theirs)).distinct().subquery()
    kept = select(func.count(versions.c.article_id.distinct())).where(
        versions.c.article_id.in_(select(shows.c.article_id)), versions.c.page_id.not_in(theirs)
    )
    touched, stays = _number(connection, select(func.count()).select_from(shows)), _number(connection, kept)
    return Forgettable(
        _number(connection, select(func.count()).select_from(pages).where(chosen)),
        connection.execute(select(pages.c.url).where(chosen).order_by(pages.c.id).limit(shown)).scalars().all(),
        touched - stays,
        stays,
        _number(connection, select(func.count()).select_from(captures).where(archived)),
    )


def _number(connection: Connection, query: Select[int]) -> int:
    return connection.execute(query).scalar_one()


def forget_url(
    connection: Connection, url: str, now: datetime, *, block: bool = False, cause: ForgetCause = NOBODY
) -> ForgottenRows:
    """Removes the page that an address leads to, under all its addresses, and records that. Raises InvalidUrl."""
    page = page_at(connection, url)
    forgotten = _forget(connection, [page.id] if page is not None and page.id is not None else [], [url_key(url)], now)
    if block:
        blocklist.add(connection, map(blocklist.key_of_url, forgotten.keys), now)
    _record(connection, "page", page.site if page is not None else None, forgotten, now, block, cause)
    return forgotten


def forget_site(
    connection: Connection, site: str, now: datetime, *, block: bool = False, cause: ForgetCause = NOBODY
) -> ForgottenRows:
    """Removes all pages and sources of a site, and records that."""
    numbers = connection.execute(select(pages.c.id).where(pages.c.site == site)).scalars().all()
    forgotten = _forget(connection, numbers, [], now)
    connection.execute(delete(sources).where(sources.c.site == site))
    for table in (events, review_queue, url_patterns):
        connection.execute(delete(table).where(table.c.site == site))
    hours.forget(connection, site)
    sites.forget(connection, site)
    site_models.forget(connection, site)
    if block:
        blocklist.add(connection, [blocklist.key_of_site(site), *map(blocklist.key_of_url, forgotten.keys)], now)
    _record(connection, "site", site, forgotten, now, block, cause)
    return forgotten


def _record(
    connection: Connection,
    kind: Literal["page", "site"],
    site: str | None,
    gone: ForgottenRows,
    now: datetime,
    on_blocklist: bool,
    cause: ForgetCause,
) -> None:
    if gone.pages or on_blocklist:
        entry = ForgottenEntry(now, kind, site, gone.pages, gone.articles, on_blocklist, cause.who, cause.reason)
        register.record(connection, entry)


def _forget(connection: Connection, page_ids: Iterable[int], more: Sequence[str], now: datetime) -> ForgottenRows:
    numbers = sorted(set(page_ids))
    keys = {*more, *(row.url_key for row in rows_among(connection, select(urls.c.url_key), urls.c.page_id, numbers))}
    shown = rows_among(connection, select(versions.c.article_id), versions.c.page_id, numbers)
    touched = {row.article_id for row in shown}
    for table in (headlines, versions, urls):
        change_among(connection, delete(table), table.c.page_id, numbers)
    change_among(connection, delete(pages), pages.c.id, numbers)
    for table in (events, sightings, review_queue):
        change_among(connection, delete(table), table.c.url_key, keys)
    change_among(connection, delete(review_queue), review_queue.c.final_key, keys)
    lost = remove_unused(connection, touched, now, "forgotten")
    return ForgottenRows(len(numbers), len(lost), len(touched - lost), sorted(keys))
