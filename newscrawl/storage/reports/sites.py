"""Reports the state of each site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, func, literal_column, select

from newscrawl.model import group_of
from newscrawl.storage.engine.loose_scan import distinct
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


def sites(connection: Connection, site: str | None = None) -> list[SiteStatus]:
    """Returns the numbers of every site that has a page, a run, a dead letter or a counted hour, by name; or of one
    site, known or not.

    All sites take about 0.2 seconds for each 100,000 articles, because pages and versions are read once each; one site
    takes as long as its own pages.
    """
    of_pages = _pages(connection, site)
    bad = _dead_letters(connection, site)
    shown = _shown(connection, site)
    names = sorted({*of_pages, *bad, *site_names(connection)}) if site is None else [site]
    kept = review_queue.counts(connection)
    ran = runs.last_of_all(connection) if site is None else {site: runs.last(connection, site)}
    return [
        _status(name, of_pages.get(name, []), bad.get(name, 0), shown.get(name, []), ran.get(name), kept.get(name, 0))
        for name in names
    ]


def site_names(connection: Connection) -> list[str]:
    """Returns the names of all sites that have a page, a run or a counted hour. Its cost grows with the number of
    sites and their hours, not with that of pages and runs."""
    found: set[str] = set(connection.execute(select(site_hours.c.site).distinct()).scalars())
    for table in (pages, runs_table):
        found |= set(distinct(connection, table.c.site))
    return sorted(found)


def _status(
    name: str, of_pages: Sequence[Row[Any]], bad: int, shown: Sequence[_Shown], ran: runs.CrawlRun | None, kept: int
) -> SiteStatus:
    firsts = sum(one.firsts for one in shown)
    states: Counter[str] = Counter()
    grouped: dict[str, Counter[str]] = {}
    for row in of_pages:
        states[row.state] += row.number
        if row.failure_kind is not None:
            grouped.setdefault(group_of(row.failure_kind), Counter())[row.failure_kind] += row.number
    failed = grouped.get("failure", Counter())
    extractors: Counter[str] = Counter()
    for one in shown:
        if one.firsts:
            extractors[one.extractor] += one.firsts
    return SiteStatus(
        site=name,
        pages=states.total(),
        articles=firsts,
        duplicates=sum(one.showing - one.firsts for one in shown),
        pending=states["found"],
        failed=failed.total(),
        gone=states["gone"],
        dead_letters=bad,
        fallback_share=sum(one.firsts for one in shown if one.fallback) / firsts if firsts else 0.0,
        extractors=dict(extractors),
        failures=dict(failed),
        refused=grouped.get("refused", Counter()).total(),
        no_article=grouped.get("no article", Counter()).total(),
        last_run=ran,
        in_review=kept,
    )


_SITE: Final = pages.c.site.op("||")(literal_column("''")).label("site")
"""An expression, because SQLite would else walk the index by site, and look each row up for its other columns."""


def _pages(connection: Connection, site: str | None) -> dict[str, list[Row[Any]]]:
    """Returns counts of pages by site, each row for one state and reason of failure."""
    kinds = (_SITE, pages.c.state, pages.c.failure_kind)
    query = select(*kinds, func.count().label("number")).group_by(*kinds)
    return _by_site(connection, query if site is None else query.where(pages.c.site == site))


def _dead_letters(connection: Connection, site: str | None) -> dict[str, int]:
    query = select(dead_letters.c.site, func.count().label("number")).group_by(dead_letters.c.site)
    query = query if site is None else query.where(dead_letters.c.site == site)
    return {row.site: row.number for row in connection.execute(query)}


@dataclass(slots=True)
class _Shown:
    """How many pages of a site show an article whose text is from this extractor; `firsts` of them showed it first."""

    extractor: str
    fallback: bool
    showing: int
    firsts: int


def _shown(connection: Connection, site: str | None) -> dict[str, list[_Shown]]:
    """Returns counts of pages that show an article, by site. Only texts that several pages show are looked at one by
    one."""
    kinds = (_SITE, versions.c.extractor, versions.c.fallback)
    page = versions.c.page_id if site is not None else versions.c.page_id + literal_column("0")  # in its own order
    shows = and_(pages.c.id == page, pages.c.article_id == versions.c.article_id)
    query = select(*kinds, func.count().label("number")).select_from(versions).join(pages, shows).group_by(*kinds)
    query = query if site is None else query.where(pages.c.site == site)
    later = _later(connection, site)
    shown: dict[str, list[_Shown]] = {}
    for row in connection.execute(query):
        repeats = later.get((row.site, row.extractor, row.fallback), 0)
        shown.setdefault(row.site, []).append(_Shown(row.extractor, row.fallback, row.number, row.number - repeats))
    return shown


def _later(connection: Connection, site: str | None) -> Counter[tuple[str, str, bool]]:
    """Returns how many pages show a text that another page showed before, by site, extractor and fallback."""
    shared = select(pages.c.article_id).where(pages.c.article_id.is_not(None))
    if site is not None:
        of_site = select(pages.c.article_id).where(pages.c.site == site, pages.c.article_id.is_not(None))
        shared = shared.where(pages.c.article_id.in_(of_site))
    shared = shared.group_by(pages.c.article_id).having(func.count() > 1)
    order = [versions.c.seen_at, pages.c.id]
    place = func.row_number().over(partition_by=pages.c.article_id, order_by=order).label("place")
    shows = and_(versions.c.page_id == pages.c.id, versions.c.article_id == pages.c.article_id)
    current = (
        select(pages.c.site, versions.c.extractor, versions.c.fallback, place)
        .join(versions, shows)
        .where(pages.c.article_id.in_(shared))
        .subquery()
    )
    kinds = (current.c.site, current.c.extractor, current.c.fallback)
    query = select(*kinds, func.count().label("number")).where(current.c.place > 1).group_by(*kinds)
    return Counter({(row.site, row.extractor, row.fallback): row.number for row in connection.execute(query)})


def _by_site(connection: Connection, query: Any) -> dict[str, list[Row[Any]]]:
    """Returns rows with a site by their site."""
    found: dict[str, list[Row[Any]]] = {}
    for row in connection.execute(query):
        found.setdefault(row.site, []).append(row)
    return found
