"""The epochs of the boilerplate of sites: which one is current, and which machines have extracted again with it.

Crawls, ingests and other commands on all machines read the current epoch of a site here when they begin.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Select, and_, delete, func, select

from newscrawl.site_boilerplate import SiteBoilerplate
from newscrawl.site_boilerplate.epoch import LINE_BYTES
from newscrawl.site_boilerplate.lines import key_of
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.engine.upsert import insert, upsert
from newscrawl.storage.tables.archive import captures
from newscrawl.storage.tables.articles import articles, pages, versions
from newscrawl.storage.tables.boilerplate import boilerplate_epochs
from newscrawl.storage.tables.frontier import sites

MAX_BYTES: Final = 500_000_000
"""Bytes of the lines of all epochs. The oldest epochs that are not current go first; then the current ones of the sites
that were learned longest ago are replaced by empty ones."""

_EPOCHS: Final = boilerplate_epochs.c


def current(connection: Connection) -> dict[str, SiteBoilerplate]:
    """Returns the current epoch of every site that has one."""
    return {row.site: SiteBoilerplate(row.epoch, row.stories, row.lines) for row in connection.execute(_current())}


@dataclass(frozen=True, slots=True)
class EpochNumbers:
    """The numbers of a site's current epoch, without its lines."""

    epoch: int
    lines: int
    stories: int
    learned_at: datetime


def numbers(connection: Connection, site: str | None = None) -> dict[str, EpochNumbers]:
    """Returns the numbers of the current epoch of every site that has one, or of one site."""
    newest = select(_EPOCHS.site, func.max(_EPOCHS.epoch).label("epoch")).group_by(_EPOCHS.site).subquery()
    is_newest = and_(newest.c.site == _EPOCHS.site, newest.c.epoch == _EPOCHS.epoch)
    size = func.length(_EPOCHS.lines).label("size")
    query = select(_EPOCHS.site, _EPOCHS.epoch, size, _EPOCHS.stories, _EPOCHS.learned_at).join(newest, is_newest)
    rows = connection.execute(query if site is None else query.where(_EPOCHS.site == site))
    return {row.site: EpochNumbers(row.epoch, row.size // LINE_BYTES, row.stories, row.learned_at) for row in rows}


def load_site(connection: Connection, site: str) -> SiteBoilerplate:
    """Returns the current epoch of a site; epoch 0 if there is none."""
    row = connection.execute(_current().where(_EPOCHS.site == site)).one_or_none()
    return SiteBoilerplate(row.epoch, row.stories, row.lines) if row is not None else SiteBoilerplate()


def add(connection: Connection, site: str, learned: SiteBoilerplate, now: datetime) -> bool:
    """Stores the epoch after the current one. Returns False if another process has stored that number meanwhile."""
    if learned.epoch != load_site(connection, site).epoch + 1:
        return False
    row = {"site": site, "epoch": learned.epoch, "stories": learned.stories, "lines": learned.lines}
    statement = insert(connection, boilerplate_epochs).values(**row, learned_at=now).on_conflict_do_nothing()
    return bool(connection.execute(statement).rowcount)


def evict(connection: Connection, now: datetime, limit: int = MAX_BYTES) -> int:
    """Removes epochs until their lines have at most `limit` bytes. Returns the number of removed epochs."""
    sizes = select(_EPOCHS.site, _EPOCHS.epoch, func.length(_EPOCHS.lines).label("size")).order_by(
        _EPOCHS.learned_at, _EPOCHS.site, _EPOCHS.epoch
    )
    rows = connection.execute(sizes).all()
    excess, removed = sum(row.size for row in rows) - limit, 0
    newest = {row.site: row.epoch for row in sorted(rows, key=lambda row: row.epoch)}
    for row in sorted(rows, key=lambda row: newest[row.site] == row.epoch):  # stable: the oldest first
        if excess <= 0:
            break
        if newest[row.site] == row.epoch:
            if not row.size:
                continue
            add(connection, row.site, SiteBoilerplate(row.epoch + 1), now)
        connection.execute(delete(boilerplate_epochs).where(_EPOCHS.site == row.site, _EPOCHS.epoch == row.epoch))
        excess, removed = excess - row.size, removed + 1
    return removed


def not_reextracted(connection: Connection, machine: str) -> list[str]:
    """Returns the sites whose current epoch this machine has not yet extracted its archive with, sorted."""
    done = select(sites.c.site, sites.c.reextracted).where(sites.c.reextracted.is_not(None))
    known = {row.site: row.reextracted.get(machine, (0, ""))[0] for row in connection.execute(done)}
    newest = select(_EPOCHS.site, func.max(_EPOCHS.epoch).label("epoch")).group_by(_EPOCHS.site)
    return sorted(row.site for row in connection.execute(newest) if row.epoch > known.get(row.site, 0))


def checked(connection: Connection, site: str, machine: str) -> tuple[int, datetime | None]:
    """Returns the epoch with which a machine last extracted a site's archive again, and when it last did or found
    nothing to learn; (0, None) if it never did."""
    done = _reextracted(connection, site).get(machine)
    return (done[0], datetime.fromisoformat(done[1])) if done is not None else (0, None)


def note_checked(connection: Connection, site: str, machine: str, epoch: int, now: datetime) -> None:
    """Notes that a machine has extracted its archive of the site with the epoch, or has looked and learned nothing."""
    done = _reextracted(connection, site) | {machine: (epoch, now.isoformat())}
    upsert(connection, sites, ["site"], [{"site": site, "reextracted": done}])


def _reextracted(connection: Connection, site: str) -> dict[str, tuple[int, str]]:
    """Returns, by machine, the epoch of its last extraction and when that was."""
    return connection.execute(select(sites.c.reextracted).where(sites.c.site == site)).scalar() or {}


def captures_since(connection: Connection, site: str, since: datetime | None) -> tuple[int, int]:
    """Returns how many captures with an article the site had before a time, and how many since then."""
    mine = and_(captures.c.site == site, captures.c.kind == "response", captures.c.article_id.is_not(None))
    total = connection.execute(select(func.count()).where(mine)).scalar_one()
    if since is None:
        return 0, total
    new = connection.execute(select(func.count()).where(mine, captures.c.fetched_at > since)).scalar_one()
    return total - new, new


def epoch_number(connection: Connection, site: str, epoch: int) -> SiteBoilerplate:
    """Returns an epoch by its number; an empty one if it is not stored any more."""
    query = select(boilerplate_epochs).where(_EPOCHS.site == site, _EPOCHS.epoch == epoch)
    row = connection.execute(query).one_or_none()
    return SiteBoilerplate(row.epoch, row.stories, row.lines) if row is not None else SiteBoilerplate(epoch)


def articles_with(connection: Connection, site: str, keys: Collection[int]) -> set[int]:
    """Returns the articles of a site from whose texts one of these lines was left out, or that have one."""
    mine = select(pages.c.id).where(pages.c.site == site)
    found: set[int] = set()
    ids: set[int] = set()
    of_site = select(versions.c.article_id, versions.c.left_out).where(versions.c.page_id.in_(mine))
    for row in connection.execute(of_site):
        ids.add(row.article_id)
        if row.left_out and not set(row.left_out).isdisjoint(keys):
            found.add(row.article_id)
    for chunk in chunks(sorted(ids - found)):
        for row in connection.execute(select(articles.c.id, articles.c.text).where(articles.c.id.in_(chunk))):
            if any(key_of(line) in keys for line in row.text.split("\n")):
                found.add(row.id)
    return found


def forget(connection: Connection, site: str) -> None:
    """Removes the epochs of a site."""
    connection.execute(delete(boilerplate_epochs).where(_EPOCHS.site == site))


def _current() -> Select[tuple[str, int, int, bytes]]:
    newest = select(_EPOCHS.site, func.max(_EPOCHS.epoch).label("epoch")).group_by(_EPOCHS.site).subquery()
    is_newest = and_(newest.c.site == _EPOCHS.site, newest.c.epoch == _EPOCHS.epoch)
    return select(_EPOCHS.site, _EPOCHS.epoch, _EPOCHS.stories, _EPOCHS.lines).join(newest, is_newest)
