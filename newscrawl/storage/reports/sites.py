"""Reports the state of each site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Row, and_, case, func, select

from newscrawl.model import group_of
from newscrawl.storage.frontier import runs
from newscrawl.storage.monitoring import review_queue
from newscrawl.storage.tables.hours import site_hours
from newscrawl.storage.tables.schema import dead_letters, pages, versions
from newscrawl.storage.tables.schema import runs as runs_table


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


def sites(connection: Connection) -> list[SiteStatus]:
    """Returns the numbers of every site that has a page, a run, a dead letter or a counted hour, by name."""
    states = _grouped(connection, select(pages.c.site, pages.c.state, func.count()).group_by("site", "state"))
    failing = select(pages.c.site, pages.c.failure_kind, func.count()).where(pages.c.failure_kind.is_not(None))
    failures = _grouped(connection, failing.group_by("site", "failure_kind"))
    bad = _grouped(
        connection, select(dead_letters.c.site, dead_letters.c.site, func.count()).group_by(dead_letters.c.site)
    )
    ran = connection.execute(select(runs_table.c.site).distinct()).scalars()
    shown = _shown(connection)
    worked = connection.execute(select(site_hours.c.site).distinct()).scalars()
    names = sorted({*states, *failures, *bad, *ran, *worked})
    kept = review_queue.counts(connection)
    statuses = (
        _status(name, states.get(name, {}), failures.get(name, {}), bad.get(name, {}), shown.get(name, []), connection)
        for name in names
    )
    return [replace(status, in_review=kept.get(status.site, 0)) for status in statuses]


def site_names(connection: Connection) -> list[str]:
    """Returns the names of all sites that have a page or a run."""
    of_pages, of_runs = (connection.execute(select(t.c.site).distinct()).scalars() for t in (pages, runs_table))
    return sorted({*of_pages, *of_runs})


def _status(
    name: str,
    states: Mapping[str, int],
    failures: Mapping[str, int],
    bad: Mapping[str, int],
    shown: list[Row[Any]],
    connection: Connection,
) -> SiteStatus:
    firsts = sum(row.firsts for row in shown)
    grouped: dict[str, dict[str, int]] = {}
    for kind, count in failures.items():
        grouped.setdefault(group_of(kind), {})[kind] = count
    failed = grouped.get("failure", {})
    extractors: dict[str, int] = {}
    for row in shown:
        if row.firsts:
            extractors[row.extractor] = extractors.get(row.extractor, 0) + row.firsts
    return SiteStatus(
        site=name,
        pages=sum(states.values()),
        articles=firsts,
        duplicates=sum(row.showing - row.firsts for row in shown),
        pending=states.get("found", 0),
        failed=sum(failed.values()),
        gone=states.get("gone", 0),
        dead_letters=sum(bad.values()),
        fallback_share=sum(row.firsts for row in shown if row.fallback) / firsts if firsts else 0.0,
        extractors=extractors,
        failures=failed,
        refused=sum(grouped.get("refused", {}).values()),
        no_article=sum(grouped.get("no article", {}).values()),
        last_run=runs.last(connection, name),
    )


def _shown(connection: Connection) -> dict[str, list[Row[Any]]]:
    """Returns counts of pages that show an article, by site. Each row is one extractor, with or without fallback;
    `firsts` counts the pages that showed their article first."""
    order = [versions.c.seen_at, pages.c.id]
    place = func.row_number().over(partition_by=pages.c.article_id, order_by=order).label("place")
    current = (
        select(pages.c.id, pages.c.site, versions.c.extractor, versions.c.fallback, place)
        .join(versions, and_(versions.c.page_id == pages.c.id, versions.c.article_id == pages.c.article_id))
        .subquery()
    )
    query = select(
        current.c.site,
        current.c.extractor,
        current.c.fallback,
        func.count().label("showing"),
        func.sum(case((current.c.place == 1, 1), else_=0)).label("firsts"),
    ).group_by(current.c.site, current.c.extractor, current.c.fallback)
    shown: dict[str, list[Row[Any]]] = {}
    for row in connection.execute(query):
        shown.setdefault(row.site, []).append(row)
    return shown


def _grouped(connection: Connection, query: Any) -> dict[str, dict[str, int]]:
    """Returns (site, name, count) rows as site -> name -> count."""
    groups: dict[str, dict[str, int]] = {}
    for site, name, count in connection.execute(query):
        groups.setdefault(site, {})[name] = count
    return groups
