"""The work of `newscrawl ingest` after its options are read."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from rich.progress import DownloadColumn

from newscrawl.archive.batch.part_names import is_part
from newscrawl.archive.ingest.inputs import find_inputs
from newscrawl.archive.ingest.pages import BROKEN, MISMATCH, UNDATED, UNREADABLE, UNWANTED, PageFilter, Skipped
from newscrawl.archive.ingest.run import Ingest, IngestProgress
from newscrawl.archive.ingest.worker import Settings
from newscrawl.archive.warc import RecordPosition
from newscrawl.cli.common.options import checked_pattern, period
from newscrawl.cli.common.project import settings_or_database
from newscrawl.cli.common.show import COUNTS, show
from newscrawl.cli.common.sites import check_selected, declared_sites, spiders_of
from newscrawl.cli.common.work import follow, work_settings
from newscrawl.config.derived.article_options import with_boilerplate
from newscrawl.config.derived.stores import store_of
from newscrawl.config.reading import WrittenSettings, config_of
from newscrawl.errors import UsageError
from newscrawl.model.wording import counted
from newscrawl.storage.captures import ingests
from newscrawl.storage.monitoring import site_models
from newscrawl.storage.records import EXTRACTOR, FALLBACK, OUTCOME, VERDICT
from newscrawl.storage.store import Store

if TYPE_CHECKING:
    from newscrawl.archive.batch.load import PartLoad

STOPPED: Final = "stopped; the finished pages are stored. The same command continues from there"
LABELS: Final = {
    MISMATCH: "wrong digest, used",
    UNDATED: "of unknown age",
}
"""Descriptions of counters whose names are not clear."""
LOSSES: Final = (
    *(BROKEN, UNREADABLE, OUTCOME + "dead_letter"),
    *(f"extraction/{kind}" for kind in ("timeout", "worker_died", "memory", "error")),
)
"""Counters of records that could not be read or stored. If one is not zero, the exit code is 1."""

MAX_BAD_FILES: Final = 20
"""Files with bad records that are named."""


def ingest(
    files: Sequence[str],
    *,
    site: str | None,
    since: datetime | None,
    until: datetime | None,
    url_pattern: str | None,
    limit: int | None,
    workers: int | None,
    again: bool,
) -> None:
    """Ingests the files, shows the progress, and exits with 1 if something could not be read."""
    parts = [name for name in files if is_part(name)]
    if parts and len(parts) < len(files):
        raise UsageError("name either parts of `newscrawl batch` or archives; ingest them by two commands")
    if parts and workers is not None:
        raise UsageError("--workers is for archives: parts are extracted already")
    project = settings_or_database()
    config = config_of(project)
    # --database gives WrittenSettings: then no site is declared.
    spiders = spiders_of(project) if not isinstance(project, WrittenSettings) else {}
    declared = declared_sites(spiders)
    check_selected(site, declared)
    wanted = PageFilter(site, *period(since, until), checked_pattern(url_pattern), declared)
    settings = work_settings(project, workers, spiders, wanted=wanted, limit=limit)
    prepared = _loading(parts, settings) if parts else _ingesting(files, settings)
    with store_of(config) as store:
        work = prepared(store, again)
        seconds = follow(work.run(), _text, DownloadColumn(), STOPPED)
    progress = work.progress
    _print_summary(progress, seconds)
    if any(progress.counts[kind] for kind in LOSSES):
        sys.exit(1)


def _ingesting(files: Sequence[str], settings: Settings) -> Callable[[Store, bool], Ingest]:
    """Returns what makes the ingest of archives, once there is a store."""
    inputs = find_inputs([Path(name) for name in files], _variant(settings))

    def prepared(store: Store, again: bool) -> Ingest:
        if again:
            for one in inputs:
                store.run(ingests.forget, one.key).result()
        # After the key of the ingest was made: a new epoch is no reason to ingest the same files again.
        with store.reading() as connection:
            epochs = site_models.all_boilerplate(connection)
        of_sites = with_boilerplate(settings.options, settings.of_sites, epochs)
        return Ingest(store, inputs, replace(settings, of_sites=of_sites))

    return prepared


def _loading(names: Sequence[str], settings: Settings) -> Callable[[Store, bool], PartLoad]:
    """Returns what makes the load of parts, once there is a store. Their extraction is done, so only the selection
    distinguishes two loads."""
    from newscrawl.archive.batch.load import PartLoad, parts_at  # loads all of `batch`, which archives do not need

    found, wanted = parts_at(names), settings.wanted
    variant = repr((wanted.site, wanted.since, wanted.until, wanted.pattern))

    def prepared(store: Store, again: bool) -> PartLoad:
        load = PartLoad(store, found, wanted, variant, settings.limit)
        if again:
            load.forget()
        return load

    return prepared


def _text(progress: IngestProgress, seconds: float) -> str:
    rate = progress.pages / max(0.001, seconds)
    duplicates = progress.outcome("joined") + progress.outcome("unchanged")
    return (
        f"{counted(progress.pages, 'page')}, {rate:.0f}/s, {counted(progress.outcome('inserted'), 'article')}, "
        f"{counted(duplicates, 'duplicate')}"
    )


def _variant(settings: Settings) -> str:
    """A key of the options that select and extract pages: another key ingests the same files again."""
    wanted = settings.wanted
    identity: tuple[object, ...] = (wanted.site, wanted.since, wanted.until, wanted.pattern, settings.options)
    if settings.of_sites:
        identity += (sorted(settings.of_sites.items()),)
    return hashlib.blake2b(repr(identity).encode(), digest_size=8).hexdigest()


def _bad_lines(bad: Mapping[str, tuple[int, RecordPosition, Skipped]]) -> Iterator[str]:
    """Yields a line for each file with records that gave no page, those with the most records first."""
    ordered = sorted(bad.items(), key=lambda item: (-item[1][0], item[0]))
    for path, (number, place, first) in ordered[:MAX_BAD_FILES]:
        reason = f"{first.reason} ({first.kind})" if first.reason else first.kind
        if first.kind == UNREADABLE:
            yield f"{path}: {reason}"
        else:
            yield f"{path}: {counted(number, 'bad record')}, the first at byte {place.offset:,}: {reason}"
    if len(ordered) > MAX_BAD_FILES:
        yield f"{counted(len(ordered) - MAX_BAD_FILES, 'more file')} with bad records"


def _print_summary(progress: IngestProgress, seconds: float) -> None:
    counts = progress.counts
    rows: list[tuple[str, object]] = [
        ("pages read", progress.pages),
        ("articles stored", progress.outcome("inserted")),
        ("versions of known pages", progress.outcome("new_version")),
        ("duplicates suppressed", progress.outcome("joined")),
        ("already known", progress.outcome("unchanged")),
        ("dead letters", progress.outcome("dead_letter")),
        ("fallbacks used", counts[FALLBACK]),
        ("excluded by the options", counts[UNWANTED]),
    ]
    listed = {FALLBACK, UNWANTED}
    others = [(kind, n) for kind, n in counts.items() if n and kind not in listed]
    others = [(kind, n) for kind, n in others if not kind.startswith((OUTCOME, EXTRACTOR, f"{VERDICT}article"))]
    for kind, number in sorted(others, key=lambda pair: (-pair[1], pair[0])):
        rows.append((f"  {LABELS[kind]} ({kind})" if kind in LABELS else f"  {kind}", number))
    rate = progress.pages / seconds if seconds else 0.0
    rows.append(("seconds", f"{seconds:.1f} ({rate:.0f} pages/s)"))
    click.echo("ingest")
    show(rows, COUNTS, boxed=True)
    for line in _bad_lines(progress.bad):
        click.echo(line)
    if progress.total and progress.skipped >= progress.total:
        click.echo("everything was ingested before; --again repeats it")
