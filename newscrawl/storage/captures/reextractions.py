"""Stores the results of another extraction of captures in place of the earlier results; and which machines have
extracted their archives again with the current epoch of a site's boilerplate (storage.monitoring.site_models).

The pages are stored as all pages are (articles.apply), with the occasion `reextracted`: no visit took place, so the
dates, counts and plans of the pages stay. Storing the same result twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import groupby

from sqlalchemy import Connection, and_, func, select

from newscrawl.extraction.site_boilerplate.epoch import key_of
from newscrawl.model import ProcessedPage
from newscrawl.storage.articles.deciding.known import Occasion, capture_id, may_replace
from newscrawl.storage.articles.lookup import previous_readings
from newscrawl.storage.captures.withdrawals import failed_by_verdict, is_withdrawn, withdraw
from newscrawl.storage.engine.batch import store_pages
from newscrawl.storage.engine.sql import rows_among, upsert
from newscrawl.storage.monitoring import site_models
from newscrawl.storage.records import Outcome
from newscrawl.storage.tables.articles import articles, captures, versions
from newscrawl.storage.tables.articles import pages as pages_table
from newscrawl.storage.tables.frontier import sites


def save(connection: Connection, pages: Sequence[ProcessedPage], occasion: Occasion) -> list[Outcome]:
    """Stores the new articles, and withdraws those whose captures are of another kind now. Returns one outcome for each
    page that was saved or withdrawn.

    A page is skipped if no text was extracted, if its capture or its texts were removed meanwhile, or if its text is
    partial and the earlier one was whole (deciding.known.may_replace).
    """
    outcomes: list[Outcome] = []
    for is_verdict, group in groupby(pages, key=failed_by_verdict):
        ids = {number: page for page in group if (number := capture_id(page)) is not None}
        known = previous_readings(connection, ids)
        if is_verdict:
            withdrawn = [page for number, page in ids.items() if number in known and is_withdrawn(page, known[number])]
            outcomes += withdraw(connection, withdrawn, known, occasion)
            continue
        replacing = [page for number, page in ids.items() if number in known and may_replace(page, known[number])]
        if replacing:
            outcomes += store_pages(connection, replacing, occasion)
    return outcomes


def not_reextracted(connection: Connection, machine: str) -> list[str]:
    """Returns the sites whose current epoch this machine has not yet extracted its archive with, sorted."""
    done = select(sites.c.site, sites.c.reextracted).where(sites.c.reextracted.is_not(None))
    known = {row.site: row.reextracted.get(machine, (0, ""))[0] for row in connection.execute(done)}
    newest = site_models.boilerplate_numbers(connection)
    return sorted(site for site, one in newest.items() if one.epoch > known.get(site, 0))


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


def articles_with(connection: Connection, site: str, keys: Collection[int]) -> set[int]:
    """Returns the articles of a site from whose texts one of these lines was left out, or that have one."""
    mine = select(pages_table.c.id).where(pages_table.c.site == site)
    found: set[int] = set()
    ids: set[int] = set()
    of_site = select(versions.c.article_id, versions.c.left_out).where(versions.c.page_id.in_(mine))
    for row in connection.execute(of_site):
        ids.add(row.article_id)
        if row.left_out and not set(row.left_out).isdisjoint(keys):
            found.add(row.article_id)
    for row in rows_among(connection, select(articles.c.id, articles.c.text), articles.c.id, ids - found):
        if any(key_of(line) in keys for line in row.text.split("\n")):
            found.add(row.id)
    return found
