"""`newscrawl import-sites`: adds the sites of a list as `add-site` does."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from newscrawl.cli.common.project import crawling_settings
from newscrawl.cli.common.show import Column, progress_bar, show
from newscrawl.cli.common.words import counted, say, to_show
from newscrawl.config.derived.article_options import options_of
from newscrawl.config.derived.daily_requests import read
from newscrawl.config.logs.terminal import one_line
from newscrawl.config.reading import config_of
from newscrawl.crawling.runtime.site_client import SiteClient
from newscrawl.crawling.spider.sources.site_reader import SiteReader
from newscrawl.discovery.onboarding.files import Project, site_key
from newscrawl.discovery.onboarding.lists import Listed, read_list
from newscrawl.discovery.onboarding.selftest import freeze
from newscrawl.discovery.onboarding.survey import OnboardingError, SiteProposal, survey, unusable_sources, visit
from newscrawl.discovery.proposals.coverage import left_out
from newscrawl.discovery.proposals.declaration import Declaration, spider_name
from newscrawl.discovery.proposals.find_sources import FoundSource
from newscrawl.errors import NewscrawlError, UsageError
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.workers.extraction_pool import ExtractionPool

logger = logging.getLogger(__name__)

AT_ONCE: Final = 16
SITE_DEADLINE: Final = 600.0
"""Seconds for one site, as for a survey on the web page. A site whose answers fail is asked again and again, with the
back-off of a crawl."""
SHOWN: Final = 2
"""Sites in work that the progress names."""
WIDTH = 120
ADDED, SKIPPED, FAILED = "added", "already there", "failed"


COLUMNS: Final = (
    Column("line", lambda line: line.listed.line, right=True),
    Column("site", lambda line: one_line(to_show(line.listed.url)[:60]), whole=True),
    Column("outcome", whole=True, style=lambda line: {FAILED: "red", ADDED: "green"}.get(line.outcome, "dim")),
    Column("details", lambda line: one_line(to_show(line.detail)), fold=True),
)


@dataclass(frozen=True, slots=True)
class ListedSite:
    """The outcome of one line of the list."""

    listed: Listed
    outcome: str
    detail: str = ""


@click.command(
    epilog="""\b
Examples:
  newscrawl import-sites sites.csv
  newscrawl import-sites subscriptions.opml --fixtures
A CSV file has a column url, and may have columns feed, name and daily_requests.
A plain list of addresses also works.""",
)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--fixtures", is_flag=True, help="Save the sampled pages of every site as its self-test.")
@click.option("--limit", type=click.IntRange(min=1), help="Add at most this many sites.")
def command(file: Path, *, fixtures: bool, limit: int | None) -> None:
    """Add every site of a CSV or OPML file. Several sites are visited at once, with one request at a time to each host.

    Each site's file is written as soon as that site is done. Sites that already have a file are skipped, so after
    Ctrl-C the same command continues. Exit code 1 if a site could not be added.
    """
    settings = crawling_settings()
    project, options = Project(settings), options_of(config_of(settings))
    lines: list[ListedSite] = []
    waiting: list[Listed] = []
    for listed in read_list(file):
        owner = project.owner(listed.url)
        if owner is None:
            waiting.append(listed)
        else:
            lines.append(ListedSite(listed, SKIPPED, owner))
    try:
        _add_all(project, waiting[:limit], lines, options, fixtures=fixtures)
    finally:
        _show(lines)
    if any(line.outcome == FAILED for line in lines):
        raise SystemExit(1)


def _add_all(
    project: Project, waiting: Sequence[Listed], lines: list[ListedSite], options: ArticleOptions, *, fixtures: bool
) -> None:
    """Adds the sites, and a line to `lines` for each finished site."""
    if not waiting:
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with progress_bar(*columns, transient=False) as progress:
        work = _Import(project, options, lines, progress, waiting, fixtures=fixtures)
        try:
            visit(work.add_all)
        finally:
            if work.visited:
                say(f"not finished: {', '.join(map(to_show, work.visited))}", err=True)


class _Import:
    """Adds the sites `waiting`, of which `visited` are in work, and a line to `lines` for each finished site."""

    def __init__(
        self,
        project: Project,
        options: ArticleOptions,
        lines: list[ListedSite],
        progress: Progress,
        waiting: Sequence[Listed],
        *,
        fixtures: bool,
    ) -> None:
        self._project, self._options, self._fixtures = project, options, fixtures
        self._lines, self._waiting = lines, waiting
        self._progress, self._task = progress, progress.add_task("adding sites", total=len(waiting))
        self._names, self._homes = set(project.taken()), dict[str, str]()
        self._done = 0
        self.visited: list[str] = []

    async def add_all(self, visitor: SiteClient, pool: ExtractionPool) -> None:
        """Adds them, AT_ONCE at a time."""
        turns = asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(*(self._add(visitor, pool, listed, turns) for listed in self._waiting))

    async def _add(self, visitor: SiteClient, pool: ExtractionPool, listed: Listed, turns: asyncio.Semaphore) -> None:
        async with turns:
            self.visited.append(listed.url)
            shown = ", ".join(map(to_show, self.visited[:SHOWN]))
            self._progress.update(self._task, description=f"adding sites, now {shown}")
            line = await self._added(visitor, pool, listed)
            self.visited.remove(listed.url)
            self._lines.append(line)
            self._progress.advance(self._task)
            self._done += 1
            if self._progress.disable:
                say(f"{self._done} of {len(self._waiting)}: {line.outcome} {listed.url}", err=True)

    async def _added(self, visitor: SiteClient, pool: ExtractionPool, listed: Listed) -> ListedSite:
        try:
            if listed.name:
                self._project.check_name(listed.name)
            daily = read(listed.name or listed.url, listed.daily_requests)
            async with asyncio.timeout(SITE_DEADLINE):
                proposal = await survey(
                    visitor,
                    SiteReader(pool),
                    listed.url,
                    options=self._options,
                    now=datetime.now(UTC),
                    name=listed.name,
                    taken=self._names,
                    given=[FoundSource(feed, "feed") for feed in listed.feeds],
                )
            proposal = replace(proposal, site=replace(proposal.site, daily_requests=daily))
            return _written(self._project, listed, proposal, self._names, self._homes, fixtures=self._fixtures)
        except TimeoutError:
            return ListedSite(listed, FAILED, f"not done within {SITE_DEADLINE / 60:.0f} minutes: its answers fail")
        except OnboardingError as error:
            return ListedSite(listed, FAILED, error.reason)
        except NewscrawlError as error:
            return ListedSite(listed, FAILED, str(error))
        # An unexpected error of one site must not stop the others.
        except Exception as error:
            logger.debug("%s", listed.url, exc_info=True)
            return ListedSite(listed, FAILED, f"unexpected {type(error).__name__}: {error}")


def _written(
    project: Project, listed: Listed, proposal: SiteProposal, names: set[str], homes: dict[str, str], *, fixtures: bool
) -> ListedSite:
    """Writes the site's file. No other task runs during this call, so the name cannot be taken meanwhile."""
    site = proposal.site
    key = site_key(site.home)
    owner = homes.get(key) or project.owner(site.home)
    if owner is not None:
        return ListedSite(listed, SKIPPED, f"leads to {site.home}, which is {owner}")
    if site.name in names:
        if listed.name:
            raise UsageError(f"the name {site.name!r} is taken")
        site = replace(site, name=spider_name(site.home, names))
    project.write(site, force=False)
    names.add(site.name)
    homes[key] = site.name
    if fixtures:
        freeze(project.tests / site.name, site.name, proposal.samples, proposal.sources)
    return ListedSite(listed, ADDED, added(site, listed.feeds, proposal))


def added(site: Declaration, feeds: Sequence[str], proposal: SiteProposal) -> str:
    """Returns the details of a site that was added with these known feeds: its sources, then what is missing."""
    sources = len(site.feeds) + len(site.sitemaps) + len(site.sections)
    samples = f"{len(proposal.articles)} of {len(proposal.samples)} samples"
    parts = [f"{site.name}: {counted(sources, 'source')}, {samples}"]
    parts += [f"missing: {left_out(proposal.missing)}"] if proposal.missing else []
    return "; ".join([*parts, *dict.fromkeys([*unusable_sources(feeds, proposal.tried), *proposal.too_costly])])


def _show(lines: Sequence[ListedSite]) -> None:
    """Prints a line for each site, in the list's order, and the totals."""
    show(sorted(lines, key=lambda line: line.listed.line), COLUMNS, width=WIDTH)
    number = Counter(line.outcome for line in lines)
    click.echo(", ".join(f"{number[outcome]} {outcome}" for outcome in (ADDED, SKIPPED, FAILED)))
