"""The work of `newscrawl batch` after its options are read."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from typing import Final

import click
from rich.progress import DownloadColumn

from newscrawl.archive.batch.parts import place_for_parts
from newscrawl.archive.batch.planning import files_at
from newscrawl.archive.batch.run import Batch, BatchProgress, Engine, LocalEngine, now
from newscrawl.archive.batch.spans import SpanOptions
from newscrawl.archive.ingest.pages import BROKEN, PageFilter
from newscrawl.archive.ingest.worker import Settings
from newscrawl.archive.places import Place
from newscrawl.cli.common.options import Cluster, checked_pattern, period, utc
from newscrawl.cli.common.project import project_reader, required_settings
from newscrawl.cli.common.show import COUNTS, show
from newscrawl.cli.common.sites import check_selected, declared_sites, spiders_of
from newscrawl.cli.common.words import say
from newscrawl.cli.common.work import follow, work_settings
from newscrawl.config.derived.article_options import with_boilerplate
from newscrawl.config.reading import config_of
from newscrawl.errors import UsageError, os_reason
from newscrawl.model.address_policy import AddressPolicy
from newscrawl.model.wording import counted
from newscrawl.storage.monitoring import site_models

STOPPED: Final = "stopped; the finished parts are kept. The same command continues from there"
LOSSES: Final = (BROKEN, *(f"extraction/{kind}" for kind in ("timeout", "worker_died", "memory", "error")))
"""Reason codes of rows whose page could not be read or extracted. If there is one, the exit code is 1."""
MAX_SHOWN: Final = 5
"""Reasons of failed spans that the summary lists; the manifest has all."""


def batch(
    files: Sequence[str],
    *,
    to: str,
    files_from: str | None,
    chain: str | None,
    boilerplate: bool,
    languages: Sequence[str] | None,
    sites: Sequence[str] | None,
    since: datetime | None,
    until: datetime | None,
    url_pattern: str | None,
    as_of: datetime | None,
    limit: int | None,
    workers: int | None,
    cluster: Cluster | None,
) -> None:
    """Makes the parts, shows the progress, and exits with 1 if a span failed or a record could not be read."""
    project = required_settings()
    between, pattern = period(since, until), checked_pattern(url_pattern)
    spiders = spiders_of(project)
    declared = declared_sites(spiders)
    for site in sites or ():
        check_selected(site, declared)
    wanted = PageFilter(None, *between, pattern, declared, frozenset(sites or ()))
    settings = work_settings(project, workers, spiders if chain is None else {}, chain=chain, wanted=wanted)
    if boilerplate:
        settings = _without_boilerplate(settings)
    allowed = config_of(project).allowed
    policy = AddressPolicy.of(allowed.addresses, allowed.ports)
    others = {"languages": frozenset(languages or ()), "addresses": policy}
    options = SpanOptions.of(settings, utc(as_of) or now(), **others)
    options.check()
    place = place_for_parts(to, make=True)
    found = files_at(_named(files, files_from), policy)
    work = Batch(found, options, place, as_of=utc(as_of), limit=limit)
    with _engine(work, place, settings.workers, cluster) as engine:
        seconds = follow(work.run(engine), _text, DownloadColumn(), STOPPED)
    _print_summary(work.progress, place, seconds)
    if work.progress.failed or any(work.progress.failures[kind] for kind in LOSSES):
        sys.exit(1)


def _engine(work: Batch, place: Place, workers: int, cluster: Cluster | None) -> AbstractContextManager[Engine]:
    if cluster is None:
        return LocalEngine(work.options, place, workers)
    from newscrawl.archive.batch.cluster.worker import part_cluster  # needs the extra `dask`

    return part_cluster(*cluster, work.files, work.options, work.digest, place.address)


def _without_boilerplate(settings: Settings) -> Settings:
    """Returns the settings with the current epoch of each site. Raises StorageError without a database."""
    with project_reader() as connection:
        epochs = site_models.all_boilerplate(connection)
    return replace(settings, of_sites=with_boilerplate(settings.options, settings.of_sites, epochs))


def _named(files: Sequence[str], files_from: str | None) -> list[str]:
    listed = _listed(files_from) if files_from is not None else []
    named = [*files, *(name for name in listed if name and not name.startswith("#"))]
    if not named:
        raise UsageError("nothing to extract: name WARC files, folders of them, or --files-from")
    if "" in named:
        raise UsageError("an empty name is no file; name one, or give . for this folder")
    return named


def _listed(path: str) -> list[str]:
    """Returns the lines of a file; "-" is standard input."""
    try:
        with click.open_file(path, encoding="utf-8") as file:
            return [line.strip() for line in file]
    except (OSError, UnicodeDecodeError) as error:
        reason = os_reason(error) if isinstance(error, OSError) else "it is no text in UTF-8"
        raise UsageError(f"cannot read {path}: {reason}") from error


def _text(progress: BatchProgress, seconds: float) -> str:
    rate = progress.rows / max(0.001, seconds)
    failed = f", {counted(len(progress.failed), 'span')} failed" if progress.failed else ""
    engine = f", {progress.engine}" if progress.engine else ""
    return f"{counted(progress.rows, 'page')}, {rate:.0f}/s, {counted(progress.articles, 'article')}{failed}{engine}"


def _print_summary(progress: BatchProgress, place: Place, seconds: float) -> None:
    rows = [
        ("parts", f"{progress.parts} of {progress.spans}"),
        ("rows written", str(progress.rows)),
        ("articles", str(progress.articles)),
        *((f"  {kind}", str(number)) for kind, number in progress.failures.most_common()),
        ("seconds", f"{seconds:.1f} ({progress.rows / seconds if seconds else 0:.0f} pages/s)"),
    ]
    click.echo(f"parts in {place.address}")
    show(rows, COUNTS, boxed=True)
    for name, reason in list(progress.failed.items())[:MAX_SHOWN]:
        say(f"failed: {name}: {reason}")
    if progress.failed:
        say(f"{counted(len(progress.failed), 'span')} failed; the same command tries them again")
    elif not progress.fresh and progress.parts == progress.spans:
        say("all parts were made before")
