"""`newscrawl reextract`: extracts the pages of the raw archive again."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import click
from rich.progress import MofNCompleteColumn

from newscrawl.archive.batch.run import now
from newscrawl.archive.batch.spans import SpanOptions
from newscrawl.archive.ingest.pages import LOST, UNWANTED
from newscrawl.archive.ingest.worker import Settings
from newscrawl.archive.reextract.report import html
from newscrawl.archive.reextract.run import ClusterOf, Reextraction, ReextractionProgress
from newscrawl.archive.reextract.tally import CHANGED, LABELS, Class, Tally
from newscrawl.archive.remove import remove_asked, take_over_files
from newscrawl.archive.writer import ArchiveSettings
from newscrawl.cli.common.options import Cluster, Moment, Names, cluster_options, period
from newscrawl.cli.common.output import require_folder_of, write_text
from newscrawl.cli.common.project import required_settings
from newscrawl.cli.common.show import Column, show
from newscrawl.cli.common.sites import check_stored, spiders_of
from newscrawl.cli.common.words import counted, say
from newscrawl.cli.common.work import follow, work_settings
from newscrawl.config.catalogue import Config
from newscrawl.config.derived.article_options import with_boilerplate
from newscrawl.config.derived.stores import store_of
from newscrawl.config.logs.console import SafeConsole
from newscrawl.config.reading import config_of
from newscrawl.crawling.runtime.archive import archive_settings
from newscrawl.errors import ArchiveError, UsageError
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.storage.captures.locations import Selection
from newscrawl.storage.monitoring import site_models
from newscrawl.storage.store import Store

STOPPED: Final = "stopped; stored results are kept. The same command completes the work"
MAX_SITES: Final = 30
"""Largest number of sites in the table; the report has all."""
FAILURES: Final = (LOST, "extraction/timeout", "extraction/worker_died", "extraction/memory", "extraction/error")


@click.command(
    epilog="""\b
Examples:
  newscrawl reextract --chain best --diff report.html
  newscrawl reextract --site demo --since 2026-11-01 --limit 500
  newscrawl reextract --chain best --apply
  newscrawl reextract --in-review --site demo --apply    # pages that wait for review
  newscrawl reextract --chain best --diff report.html --on tls://scheduler:8786""",
)
@click.option("--site", help="Only pages of this site.")
@click.option("--sites", type=Names(), help="Only pages of these sites, with commas between them.")
@click.option("--languages", type=Names(), metavar="TAGS", help="Only articles in these languages, such as pt,es.")
@click.option("--since", type=Moment(), help="Only pages fetched on this day (UTC) or later, or in the last 3d or 12h.")
@click.option("--until", type=Moment(), help="Only pages fetched before this day (UTC).")
@click.option(
    "--in-review", is_flag=True, help="Only pages that wait for review; those that give an article are released."
)
@click.option(
    "--chain",
    help="The chain for all pages (default: NEWSCRAWL_CHAIN, from the site's custom_settings in spiders/NAME.py if it "
    "is there).",
)
@click.option(
    "--diff", type=click.Path(path_type=Path, dir_okay=False), help="Write a report of the changes to this HTML file."
)
@click.option("--apply", "applied", is_flag=True, help="Store the new extractions in place of the old ones.")
@click.option("--limit", type=click.IntRange(min=1), help="At most this many pages.")
@click.option("--workers", type=click.IntRange(min=1, max=256), help="Processes that extract (default: all cores).")
@cluster_options
def command(
    site: str | None,
    sites: Sequence[str] | None,
    languages: Sequence[str] | None,
    since: datetime | None,
    until: datetime | None,
    in_review: bool,
    chain: str | None,
    diff: Path | None,
    applied: bool,
    limit: int | None,
    workers: int | None,
    cluster: Cluster | None,
) -> None:
    """Extract the pages in the raw archive again, and show what another chain or version would change.

    Nothing is fetched. Without --apply nothing is stored either. With --apply, the new text replaces the old one in the
    page's history without making a version. An article whose page is of another kind under the new verdicts (a listing,
    a product) is withdrawn; the output and the report list them by kind. A page whose text cannot be extracted keeps
    its old text. Running the command twice has the same result as running it once.

    With --on, the workers of a Dask scheduler extract. They read the archive from a folder that all machines share, or
    from an object store; this machine compares and stores.
    """
    project = required_settings()
    config = config_of(project)
    archive = existing_archive(config)
    settings = work_settings(project, workers, spiders_of(project) if chain is None else {}, chain=chain, limit=limit)
    if diff is not None:
        require_folder_of(diff)
    chosen = frozenset(sites or ())
    selection = Selection(site, *period(since, until), in_review, sites=chosen)
    with store_of(config) as store:
        settings = _settings_of_stored(store, settings, {site, *chosen})
        take_over_files(store, archive)
        remove_asked(store, archive, datetime.now(UTC))  # nothing of a forgotten page may be stored again
        work = Reextraction(
            store,
            archive,
            selection,
            settings,
            apply=applied,
            languages=frozenset(languages or ()),
            cluster=_cluster_of(cluster, settings),
        )
        _require_pages(work, archive.folder)
        seconds = follow(work.run(), _text, MofNCompleteColumn(), STOPPED)
    progress = work.progress
    tally = progress.tally
    used = _chains(settings.options, settings.of_sites, tally.sites)
    _print(progress, seconds, used, applied=applied)
    for elsewhere in work.elsewhere:
        say(f"not extracted: {elsewhere}; {elsewhere.advice}")
    if diff is not None:
        write_text(diff, html(tally, used, datetime.now(UTC), applied=applied))
        click.echo(f"report: {diff}")
    if _has_failures(tally):
        sys.exit(1)


def _settings_of_stored(store: Store, settings: Settings, chosen: Iterable[str | None]) -> Settings:
    """Returns the settings with the current boilerplate of each site. Raises UsageError if a chosen site is not
    stored."""
    with store.reading() as connection:
        check_stored(connection, *chosen)
        epochs = site_models.all_boilerplate(connection)
    return replace(settings, of_sites=with_boilerplate(settings.options, settings.of_sites, epochs))


def _has_failures(tally: Tally) -> bool:
    """Returns whether a capture could not be read or extracted, or the database refused a result."""
    if tally.outcomes["dead_letter"] or any(tally.skipped[kind] for kind in FAILURES):
        return True
    return any(site.failures[kind] for site in tally.sites.values() for kind in FAILURES)


def _cluster_of(cluster: Cluster | None, settings: Settings) -> ClusterOf | None:
    if cluster is None:
        return None
    from newscrawl.archive.batch.cluster.worker import capture_cluster

    options = SpanOptions.of(settings, now())
    options.check()
    return partial(capture_cluster, *cluster, options)


def _require_pages(work: Reextraction, folder: Path) -> None:
    """Raises UsageError if this machine has no page of the selection."""
    if work.progress.total:
        return
    if work.elsewhere:
        raise UsageError(f"the archive {folder} has no page of this selection: {'; '.join(map(str, work.elsewhere))}")
    raise UsageError(f"the archive {folder} has no page of this selection: crawl first, or select more pages")


def existing_archive(config: Config) -> ArchiveSettings:
    archive = archive_settings(config)
    if archive is None:
        raise UsageError("there is no raw archive: NEWSCRAWL_ARCHIVE_URL is off, set it to auto or a folder and crawl")
    if not archive.folder.is_dir():
        raise ArchiveError(
            f"there is no raw archive at {archive.folder} yet: crawl first, or set NEWSCRAWL_ARCHIVE_URL"
        )
    return archive


def _chains(options: ArticleOptions, of_sites: Mapping[str, ArticleOptions], sites: Iterable[str]) -> str:
    """The names of the chains for pages of these sites."""
    return ", ".join(sorted({of_sites.get(site, options).chain for site in sites} or {options.chain}))


def _text(progress: ReextractionProgress, seconds: float) -> str:
    rate = progress.done / max(0.001, seconds)
    workers = f", {progress.workers}" if progress.workers else ""
    return f"{counted(progress.done, 'page')}, {rate:.0f}/s, {progress.changed} would change{workers}"


def _print(progress: ReextractionProgress, seconds: float, chain: str, *, applied: bool) -> None:
    console = SafeConsole(highlight=False)
    rate = progress.pages / seconds if seconds else 0.0
    done = "stored" if applied else "nothing stored without --apply"
    console.print(
        f"{counted(progress.pages, 'page')} of the archive with {chain} ({done}), {seconds:.1f} s, {rate:.0f} pages/s"
    )
    _show_sites(progress.tally)
    for seen in _kinds(progress.tally):
        console.print(f"  {seen}: {LABELS[seen]}")
    console.print("  before, after: mean length of a text in characters")
    for kind, number in sorted((*progress.tally.skipped.items(), *progress.tally.outcomes.items())):
        if kind in {UNWANTED, *FAILURES, "dead_letter"}:
            console.print(f"{kind}: {number}")
    for verdict, withdrawn in progress.tally.withdrawn_kinds():
        changed = "withdrawn" if applied else "would be withdrawn"
        console.print(f"{verdict}: {counted(withdrawn.articles, 'stored article')} {changed}")
    lost = sum(site.kinds["lost"] for site in progress.tally.sites.values())
    if applied and lost > sum(withdrawn.articles for withdrawn in progress.tally.withdrawn.values()):
        console.print("pages whose text could not be extracted keep their old article")


def _show_sites(tally: Tally) -> None:
    columns = (
        Column("site", fold=True),
        Column("pages", right=True),
        *(_number(kind) for kind in _kinds(tally)),
        Column("before", lambda site: f"{site.before.mean:.0f}", right=True),
        Column("after", lambda site: f"{site.after.mean:.0f}", right=True),
    )
    ranked = sorted(tally.sites.values(), key=lambda site: (-site.changed, site.site))
    more = len(ranked) - MAX_SITES
    show(ranked[:MAX_SITES], columns, caption=f"and {counted(more, 'site')} with fewer changes" if more > 0 else "")


def _number(kind: Class) -> Column:
    style = "bold" if kind in CHANGED else ""
    return Column(kind, lambda site: site.kinds[kind] or None, right=True, style=style)


def _kinds(tally: Tally) -> list[Class]:
    """The classes that occur."""
    return [kind for kind in LABELS if any(site.kinds[kind] for site in tally.sites.values())]
