"""`newscrawl add-site`: surveys a site and writes its file in spiders/."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from rich.markup import escape

from newscrawl.cli.common.project import crawling_settings
from newscrawl.cli.common.show import Column, show
from newscrawl.cli.common.words import counted, say, to_show
from newscrawl.config.logs.console import SafeConsole
from newscrawl.config.logs.terminal import one_line
from newscrawl.config.project import project_settings
from newscrawl.config.scrapy_cfg import closest_cfg
from newscrawl.discovery.onboarding.files import Project, shown
from newscrawl.discovery.onboarding.survey_report import report_of, to_json
from newscrawl.errors import NewscrawlError, UsageError

if TYPE_CHECKING:
    from scrapy.settings import Settings

    from newscrawl.crawling.runtime.site_client import SiteClient
    from newscrawl.discovery.onboarding.survey import Sample, SiteProposal
    from newscrawl.workers.extraction_pool import ExtractionPool

TITLE, LINE = 50, 50
"""Largest number of characters shown of a title and of a text."""

WIDTH = 130
"""Least width of the table: a long line is better than a cut title."""


@click.command(
    epilog="""\b
Examples:
  newscrawl add-site https://www.example.com/
  newscrawl add-site https://www.example.com/ --name example --fixtures
  newscrawl add-site https://www.example.com/ --dry-run""",
)
@click.argument("url", metavar="URL")
@click.option("--name", help="The site's name (default: derived from its domain).")
@click.option("--feed", "feeds", multiple=True, metavar="URL", help="A known feed of the site; may be repeated.")
@click.option("--yes", is_flag=True, help="Write the file and the self-test without asking.")
@click.option(
    "--fixtures/--no-fixtures",
    default=None,
    help="Save the sampled pages in site-tests/NAME as the site's self-test (default: ask).",
)
@click.option("--force", is_flag=True, help="Overwrite the site's file if there is one.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@click.option(
    "--json-lines",
    is_flag=True,
    help="For programs: write no file, and one line of JSON for each request and for the result.",
)
def command(
    *,
    url: str,
    name: str | None,
    feeds: tuple[str, ...],
    yes: bool,
    fixtures: bool | None,
    force: bool,
    dry_run: bool,
    json_lines: bool,
) -> None:
    """Add a news site: find its feeds and sitemaps, learn which addresses are articles, write spiders/NAME.py.

    It requests about twenty pages under the rules of a crawl and shows what it extracts from ten articles. On a
    terminal it asks before it writes the file; otherwise it writes without asking. Exit code 1 if the site cannot be
    added.
    """
    if json_lines:
        _tell_survey(url, name, feeds, force=force)
        return
    settings = crawling_settings()
    project = Project(settings)
    name = _name(project, url, name, force=force)
    progress = SafeConsole(stderr=True, highlight=False)
    with progress.status("starting") as status:
        proposal, requests = _survey(
            settings,
            url,
            name,
            project.taken() - {name},
            feeds,
            report=lambda address: status.update(f"requesting {escape(address[:100])}"),
            phase=lambda words: None if progress.is_terminal else click.echo(f"{words} ...", err=True),
        )
    _refuse_another(project, proposal, force=force)
    _show(proposal, requests)
    if dry_run:
        from newscrawl.discovery.proposals.declaration import render

        click.echo(render(proposal.site))
        return
    asking = sys.stdin.isatty() and not yes
    if asking and not click.confirm(f"Write {shown(project.path(proposal.site.name))}?", default=True):
        raise SystemExit(1)
    path = project.write(proposal.site, force=force)
    click.echo(f"wrote {shown(path)}: try `scrapy crawl {proposal.site.name} -a max_articles=20`")
    _keep(project, proposal, wanted=True if yes and fixtures is None else fixtures, asking=asking)


def _tell_survey(url: str, name: str | None, feeds: Sequence[str], *, force: bool) -> None:
    """Surveys the site for another program, which reads standard output: `{"requesting": URL}` for each request, and at
    the end `{"report": ...}` (onboarding.survey_report) or `{"problem": REASON}`. Without a project, no name is taken.

    The survey ends at its next request when the other program no longer reads.
    """
    try:
        settings = project_settings()
        project = Project(settings) if closest_cfg() else None
        name = _name(project, url, name, force=force) if project is not None else name
        taken = project.taken() - {name} if project is not None else frozenset()
        proposal, requests = _survey(
            settings, url, name, taken, feeds, report=lambda address: _tell({"requesting": address})
        )
        if project is not None:
            _refuse_another(project, proposal, force=force)
    except NewscrawlError as error:
        _tell({"problem": str(error)})
        raise SystemExit(error.exit_code) from None
    _tell({"report": report_of(proposal, requests)})


def _tell(line: Mapping[str, object]) -> None:
    click.echo(to_json(line))
    sys.stdout.flush()


def _survey(
    settings: Settings,
    url: str,
    name: str | None,
    taken: Collection[str],
    feeds: Sequence[str],
    *,
    report: Callable[[str], None],
    phase: Callable[[str], None] = lambda _: None,
) -> tuple[SiteProposal, int]:
    """Surveys the site. Returns the proposal and the number of requests. Raises the errors of `visit`."""
    # Loaded after the checks of the arguments: what crawls and extracts takes a second.
    from newscrawl.config.derived.article_options import options_of
    from newscrawl.config.reading import config_of
    from newscrawl.crawling.spider.sources.site_reader import SiteReader
    from newscrawl.discovery.onboarding.survey import survey, visit
    from newscrawl.discovery.proposals.find_sources import FoundSource

    found: list[SiteProposal] = []

    async def work(visitor: SiteClient, pool: ExtractionPool) -> None:
        proposal = await survey(
            visitor,
            SiteReader(pool),
            url,
            options=options_of(config_of(settings)),
            now=datetime.now(UTC),
            name=name,
            taken=taken,
            given=[FoundSource(feed, "feed") for feed in feeds],
            report=report,
            phase=phase,
        )
        found.append(proposal)

    requests = visit(work)
    return found[0], requests


def _name(project: Project, url: str, name: str | None, *, force: bool) -> str | None:
    """The site's name, None if it is to be derived from the domain. Raises UsageError before anything is fetched."""
    if name is not None:
        project.check_name(name)
    owner = project.owner(url)
    if owner is not None and not force:
        raise UsageError(f"{url} is already the site {owner!r}: --force surveys it again and overwrites its file")
    if name is not None and name in project.taken() and not force:
        raise UsageError(f"{shown(project.path(name))} exists: --force overwrites it, --name gives another name")
    return name or owner


def _refuse_another(project: Project, proposal: SiteProposal, *, force: bool) -> None:
    """Raises UsageError if the address led to a site that is already declared."""
    owner = project.owner(proposal.site.home)
    if owner is not None and not force:
        raise UsageError(
            f"it leads to {proposal.site.home}, which is already the site {owner!r}: --force overwrites its file"
        )


def _show(proposal: SiteProposal, requests: int) -> None:
    """Prints the sources and the samples."""
    site = proposal.site
    show(proposal.samples, COLUMNS, width=WIDTH)
    for trial in proposal.sources:
        say(f"{trial.source.kind}: {trial.source.url} ({counted(len(trial.articles), 'article')})")
    for url in site.sections:
        say(f"section: {url}")
    if proposal.missing:
        from newscrawl.discovery.proposals.coverage import left_out

        click.echo(f"missing: {left_out(proposal.missing)}; name a feed that has them with --feed")
    for problem in proposal.too_costly:
        say(problem)
    for pattern, meaning in zip(site.articles, site.meanings, strict=False):
        click.echo(f"articles: {pattern}   {meaning}")
    if not site.articles:
        click.echo("articles: judged by general rules, because no pattern fits them")
    click.echo(
        f"language: {site.language or 'unknown'}, country: {site.country or 'unknown'}, "
        f"{len(proposal.articles)} of {len(proposal.samples)} samples are articles, {counted(requests, 'request')}"
    )


def _title(sample: Sample) -> str:
    """The title of a sampled page, or its address if it is no article."""
    if sample.article is None:
        return to_show(sample.candidate.url)[-TITLE:]
    title = sample.article.metadata.title
    return one_line(title[:TITLE]) if title else "none"


def _published(sample: Sample) -> str:
    if sample.article is None:
        return ""
    published = sample.article.metadata.published
    return f"{published.when:%Y-%m-%d %H:%M}" if published else "none"


def _beginning(sample: Sample) -> str:
    """The first words of a sampled page, or why it is no article."""
    if sample.article is None:
        return one_line(to_show(sample.failure.reason if sample.failure else "")[:LINE])
    return one_line(" ".join(sample.article.text[: 2 * LINE].split())[:LINE])


def _lacks(name: str) -> Callable[[Sample], str]:
    """The colour of a sample's value: red if there is none."""
    return lambda sample: "" if sample.article is not None and getattr(sample.article.metadata, name) else "red"


COLUMNS: Final = (
    Column("title", _title, whole=True, style=_lacks("title")),
    Column("published", _published, whole=True, style=_lacks("published")),
    Column("words", lambda sample: len(sample.article.text.split()) if sample.article else None, whole=True),
    Column("text", _beginning, whole=True, style=lambda sample: "" if sample.article else "red"),
)


def _keep(project: Project, proposal: SiteProposal, *, wanted: bool | None, asking: bool) -> None:
    """Saves the samples as a self-test, if the operator agrees."""
    folder: Path = project.tests / proposal.site.name
    if wanted is None:
        question = f"Save the {len(proposal.articles)} sampled pages in {shown(folder)} as the site's self-test?"
        wanted = asking and click.confirm(question, default=True)
    if not wanted:
        click.echo("no self-test was saved (--fixtures saves one)")
        return
    from newscrawl.discovery.onboarding.selftest import freeze

    kept = freeze(folder, proposal.site.name, proposal.samples, proposal.sources)
    if not kept:
        click.echo("no self-test was saved: the pages state noarchive")
        return
    click.echo(f"saved {counted(kept, 'page')} in {shown(folder)}: `newscrawl check {proposal.site.name}`")
