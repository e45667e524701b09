"""Reports the state of each site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, func, select

from newscrawl.model import group_of
from newscrawl.storage.engine.loose_scan import distinct
from newscrawl.storage.frontier import runs
from newscrawl.storage.monitoring import hours, review_queue, site_totals
from newscrawl.storage.tables.articles import pages, versions
from newscrawl.storage.tables.operations import dead_letters
from newscrawl.storage.tables.operations import runs as runs_table


@dataclass(frozen=True, slots=True)
class SiteStatus:
    """The numbers of a site.

    `articles` are the texts that a page of this site showed first, `duplicates` its pages that joined a text which
    another page, of any site, had shown first. So articles add up over sites. `extractors` counts the articles by
    extractor. `fallback_share` is the share of articles whose text is not from the first extractor of the chain (0.0
    without articles). `failures` counts pages by the reason why their latest visit failed, and `failed` is their sum.
    Not among them are pages that are `gone` (404, 410), those that robots.txt `refused`, those that could be read and
    have `no_article`, and those `in_review` because the extraction of the site looks broken (model.group_of). `pending`
    counts announced pages that were not fetched yet.
    """

    site: str
    pages: int
    articles: int
    duplicates: int
    pending: int
    failed: int
    gone: int
    dead_letters: int
    fallback_share: float
    extractors: Mapping[str, int]
    failures: Mapping[str, int]
    last_run: runs.CrawlRun | None
    in_review: int = 0
    refused: int = 0
    no_article: int = 0


def sites(connection: Connection, site: str | None = None) -> list[SiteStatus]:
    """Returns the numbers of every site that has a page, a run, a dead letter or a counted hour, by name; or of one
    site, known or not.

    The numbers of pages and articles are kept ones (monitoring.site_totals), so the cost does not grow with the pages.
    """
    totals, bad = site_totals.load(connection, site), _dead_letters(connection, site)
    names = sorted({*totals, *bad, *site_names(connection)}) if site is None else [site]
    kept = review_queue.counts(connection)
    ran = runs.last_of_all(connection) if site is None else {site: runs.last(connection, site)}
    return [_status(name, totals.get(name, {}), bad.get(name, 0), ran.get(name), kept.get(name, 0)) for name in names]


PUBLISHED_WITHIN: Final = timedelta(days=7)
"""Versions that `newest_published` looks at: those first seen in this time. They have an index."""


def newest_published(connection: Connection, now: datetime) -> dict[str, datetime]:
    """Returns the newest publication date that each site's pages of the last seven days state."""
    query = (
        select(pages.c.site, func.max(versions.c.published))
        .select_from(versions.join(pages, pages.c.id == versions.c.page_id))
        .where((versions.c.seen_at >= now - PUBLISHED_WITHIN) & versions.c.published.is_not(None))
        .group_by(pages.c.site)
    )
    return {str(site): at for site, at in connection.execute(query)}


def site_names(connection: Connection) -> list[str]:
    """Returns the names of all sites that have a page, a run or a counted hour. Its cost grows with the number of
    sites and their hours, not with that of pages and runs."""
    found = set(hours.site_names(connection))
    for table in (pages, runs_table):
        found |= set(distinct(connection, table.c.site))
    return sorted(found)


def _status(
    name: str,
    totals: Mapping[site_totals.Counted, Mapping[str, int]],
    bad: int,
    ran: runs.CrawlRun | None,
    kept: int,
) -> SiteStatus:
    states, extractors = totals.get("state", {}), totals.get("article", {})
    grouped: dict[str, dict[str, int]] = {}
    for kind, number in totals.get("failure", {}).items():
        grouped.setdefault(group_of(kind), {})[kind] = number
    failed, firsts = grouped.get("failure", {}), sum(extractors.values())
    return SiteStatus(
        site=name,
        pages=sum(states.values()),
        articles=firsts,
        duplicates=sum(totals.get("duplicate", {}).values()),
        pending=states.get("found", 0),
        failed=sum(failed.values()),
        gone=states.get("gone", 0),
        dead_letters=bad,
        fallback_share=sum(totals.get("fallback", {}).values()) / firsts if firsts else 0.0,
        extractors=extractors,
        failures=failed,
        refused=sum(grouped.get("refused", {}).values()),
        no_article=sum(grouped.get("no article", {}).values()),
        last_run=ran,
        in_review=kept,
    )


def _dead_letters(connection: Connection, site: str | None) -> dict[str, int]:
    query = select(dead_letters.c.site, func.count().label("number")).group_by(dead_letters.c.site)
    query = query if site is None else query.where(dead_letters.c.site == site)
    return {row.site: row.number for row in connection.execute(query)}
