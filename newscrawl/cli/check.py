"""`newscrawl check`: runs the self-tests that `add-site` saved, offline or against the sites."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click

from newscrawl.cli.common.project import crawling_settings
from newscrawl.cli.common.show import Column, progress_bar, show
from newscrawl.cli.common.words import counted, say
from newscrawl.config.derived.article_options import options_of_site
from newscrawl.config.logs.terminal import one_line
from newscrawl.crawling.runtime.site_client import SiteClient
from newscrawl.crawling.spider.news_spider import NewsSpider
from newscrawl.crawling.spider.self_served import SelfServedSpider
from newscrawl.crawling.spider.site_declaration import Site
from newscrawl.crawling.spider.sources.site_reader import SiteReader
from newscrawl.discovery.onboarding import selftest
from newscrawl.discovery.onboarding.files import Project, shown
from newscrawl.discovery.onboarding.live import FRESH, look
from newscrawl.discovery.onboarding.selftest import SelfTest, SelfTestChange
from newscrawl.discovery.onboarding.survey import SAMPLES, visit
from newscrawl.errors import NewscrawlError, UsageError
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.storage.records import GENERIC_SITE
from newscrawl.workers.extraction_pool import ExtractionPool

AT_ONCE = 16
"""Sites that are checked at the same time; each host still receives one request at a time."""

CHANGES_SHOWN = 20
NOT_CURED = ("source/", "rule/", "site/", "hint/")
"""Kinds of change that --update cannot accept: the declaration must be corrected."""


@dataclass(slots=True)
class Checked:
    """A site, the folder of its self-test, and the result."""

    name: str
    spider: type[NewsSpider]
    folder: Path
    options: ArticleOptions
    """With its own settings and its hints."""
    frozen: int = 0
    """Number of pages of its self-test."""
    changes: list[SelfTestChange] = field(default_factory=list)
    requests: int = 0
    note: str = ""

    @property
    def result(self) -> str:
        """The result in a few words."""
        if self.changes:
            return counted(len(self.changes), "change")
        return self.note or "ok"


@click.command(
    epilog="""\b
Examples:
  newscrawl check example
  newscrawl check --all --live
  newscrawl check example --update""",
)
@click.argument("sites", metavar="[SITE]...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="All sites that have a self-test; with --live all sites.")
@click.option("--live", is_flag=True, help="Request the sites' sources, new articles and some of the stored pages.")
@click.option(
    "--update",
    is_flag=True,
    help="Save the present results as the expected ones; with --live, also replace the old pages with new ones.",
)
@click.option("--json", "as_json", is_flag=True, help="Print all results as a JSON list.")
def command(sites: tuple[str, ...], *, every: bool, live: bool, update: bool, as_json: bool) -> None:
    """Run sites' self-tests and report what changed: shorter text, empty fields, missing sources. Exit code 1 if
    anything changed.

    Without --live nothing is fetched: the pages in site-tests/ are read with the present code and settings.
    """
    settings = crawling_settings()
    if bool(sites) == every:
        raise UsageError("name a site, or give --all")
    project = Project(settings)
    checked = _chosen(project, sites, live=live)
    (_live if live else _offline)(checked, update=update)
    if as_json:
        show(checked, COLUMNS, as_json=_as_object)
    else:
        _show(checked, project)
    if any(not update or change.kind.startswith(NOT_CURED) for target in checked for change in target.changes):
        raise SystemExit(1)


def _chosen(project: Project, names: Sequence[str], *, live: bool) -> list[Checked]:
    """The selected sites. Raises UnknownSiteError, and UsageError for a named site without a self-test."""
    chosen = []
    for name in names or sorted(project.names):
        spider = project.spider(name)
        is_site = issubclass(spider, NewsSpider) and name != GENERIC_SITE
        folder = project.tests / name
        if not names and (not is_site or (live and issubclass(spider, SelfServedSpider))):
            continue
        if not names and not live and not selftest.exists(folder):
            continue
        if not is_site:
            raise UsageError(f"{name} is not one site: there is nothing to check")
        if not live and not selftest.exists(folder):
            raise UsageError(
                f"{name} has no self-test in {shown(folder)}: `newscrawl check {name} --live --update` makes one"
            )
        chosen.append(Checked(name, spider, folder, options_of_site(project.settings, name, spider)))
    return chosen


def _offline(checked: Sequence[Checked], *, update: bool) -> None:
    with progress_bar() as progress:
        for target in progress.track(checked, description="reading stored pages"):
            test = _loaded(target)
            if test is None:
                continue
            target.changes = selftest.check(test, Site.of(target.spider).rule, target.options)
            if update and target.changes:
                fresh = selftest.updated(test, target.options)
                if fresh.pages:
                    selftest.write(target.folder, fresh)
                target.note = (
                    f"self-test replaced, {counted(len(fresh.pages), 'page')}"
                    if fresh.pages
                    else "no article left, self-test not changed"
                )


def _live(checked: Sequence[Checked], *, update: bool) -> None:
    with progress_bar() as progress:
        task = progress.add_task("requesting", total=len(checked))

        async def one_site(
            visitor: SiteClient, pool: ExtractionPool, target: Checked, turns: asyncio.Semaphore
        ) -> None:
            async with turns:
                try:
                    site, reader, now = Site.of(target.spider), SiteReader(pool), datetime.now(UTC)
                    # A new self-test has as many pages as the one of a new site.
                    test, fresh = (None, SAMPLES) if update else (_loaded(target), FRESH)
                    found = await look(visitor, reader, site, test, target.options, now, fresh=fresh)
                except NewscrawlError as error:
                    target.changes = [SelfTestChange("site/failed", target.name, str(error))]
                else:
                    target.changes = list(found.changes)
                    if update and any(sample.article for sample in found.samples):
                        target.frozen = selftest.freeze(target.folder, target.name, found.samples, found.sources)
                        target.note = f"self-test replaced, {counted(target.frozen, 'page')}"
                progress.advance(task)

        async def work(visitor: SiteClient, pool: ExtractionPool) -> None:
            turns = asyncio.Semaphore(AT_ONCE)
            await asyncio.gather(*(one_site(visitor, pool, target, turns) for target in checked))

        if checked:
            visit(work)


def _loaded(target: Checked) -> SelfTest | None:
    """A site's self-test. It is read only when the site is checked, because all of them do not fit into memory."""
    test = selftest.load(target.folder)
    target.frozen = len(test.pages) if test else 0
    return test


def _show(checked: Sequence[Checked], project: Project) -> None:
    if not checked:
        say(f"no site has a self-test in {shown(project.tests)}: `newscrawl check SITE --live --update` makes one")
        return
    show(checked, COLUMNS)
    for target in checked:
        for change in target.changes[:CHANGES_SHOWN]:
            say(f"{target.name}: {change.kind} {change.where}: {one_line(change.detail)}")
        if len(target.changes) > CHANGES_SHOWN:
            say(f"{target.name}: and {len(target.changes) - CHANGES_SHOWN} more (--json has them all)")


def _result(target: Checked) -> str:
    return target.result + (f" ({target.note})" if target.changes and target.note else "")


COLUMNS: Final = (
    Column("site", lambda target: target.name),
    Column("stored pages", lambda target: target.frozen or "none"),
    Column("result", _result, style=lambda target: "red" if target.changes else "green"),
)


def _as_object(target: Checked) -> dict[str, Any]:
    return {
        "site": target.name,
        "frozen_pages": target.frozen,
        "result": target.result,
        "note": target.note,
        "changes": [asdict(change) for change in target.changes],
    }
