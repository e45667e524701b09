"""Reports the state of each site."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, func, select

from newscrawl.model import group_of
from newscrawl.storage import events
from newscrawl.storage.engine.sql import distinct
from newscrawl.storage.frontier import crawls
from newscrawl.storage.monitoring import hours, review_queue
from newscrawl.storage.tables.articles import pages, versions
from newscrawl.storage.tables.operations import runs as runs_table


@dataclass(frozen=True, slots=True)
class SiteStatus:
    """The numbers of a site.

    `articles` are its pages whose text no other page, of any site, had shown when it was stored, `duplicates` those
    that joined such a text. So articles add up over sites. A duplicate stays one if the other page goes. `extractors`
    counts the articles by extractor. `fallback_share` is the share of articles whose text is not from the first
    extractor of the chain (0.0 without articles). `failures` counts pages by the reason why their latest visit failed,
    and `failed` is their sum. Not among them are pages that are `gone` (404, 410), those that robots.txt `refused`,
    those that could be read and have `no_article`, and those `in_review` because the extraction of the site looks
    broken (model.group_of). `pending` counts announced pages that were not fetched yet.
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
    last_run: crawls.CrawlRun | None
    in_review: int = 0
    refused: int = 0
    no_article: int = 0


def sites(connection: Connection, site: str | None = None) -> list[SiteStatus]:
    """Returns the numbers of every site that has a page, a run, a dead letter or a counted hour, by name; or of one
    site, known or not.

    Pages are counted over an index that has all that is counted.
    """
    counts, bad = _counts(connection, site), events.dead_letters(connection, site)
    names = sorted({*counts, *bad, *site_names(connection)}) if site is None else [site]
    kept = review_queue.counts(connection)
    ran = crawls.last_runs(connection, site)
    return [_status(name, counts[name], bad.get(name, 0), ran.get(name), kept.get(name, 0)) for name in names]


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


@dataclass(slots=True)
class _Counts:
    """Pages of a site by state and by reason code; `firsts` those that did not join their text, by its extractor, with
    those of a later extractor of the chain (`fallbacks`)."""

    states: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    firsts: Counter[str] = field(default_factory=Counter)
    fallbacks: int = 0
    duplicates: int = 0


def _counts(connection: Connection, site: str | None) -> defaultdict[str, _Counts]:
    counted = [pages.c[name] for name in ("site", "state", "failure_kind", "extractor", "fallback", "joined")]
    query = select(*counted, func.count().label("number")).group_by(*counted)
    counts: defaultdict[str, _Counts] = defaultdict(_Counts)
    for row in connection.execute(query if site is None else query.where(pages.c.site == site)):
        of_site, number = counts[row.site], row.number
        of_site.states[row.state] += number
        if row.failure_kind is not None:
            of_site.failures[row.failure_kind] += number
        if row.joined:
            of_site.duplicates += number
        elif row.extractor is not None:
            of_site.firsts[row.extractor] += number
            of_site.fallbacks += number if row.fallback else 0
    return counts


def _status(name: str, counts: _Counts, bad: int, ran: crawls.CrawlRun | None, kept: int) -> SiteStatus:
    grouped: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for kind, number in sorted(counts.failures.items()):
        grouped[group_of(kind)][kind] = number
    failed, articles = grouped["failure"], counts.firsts.total()
    return SiteStatus(
        site=name,
        pages=counts.states.total(),
        articles=articles,
        duplicates=counts.duplicates,
        pending=counts.states["found"],
        failed=sum(failed.values()),
        gone=counts.states["gone"],
        dead_letters=bad,
        fallback_share=counts.fallbacks / articles if articles else 0.0,
        extractors=dict(sorted(counts.firsts.items())),
        failures=failed,
        refused=sum(grouped["refused"].values()),
        no_article=sum(grouped["no article"].values()),
        last_run=ran,
        in_review=kept,
    )
