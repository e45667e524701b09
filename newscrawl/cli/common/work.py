"""Shared code of commands that process many pages: workers, progress, Ctrl-C."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol, TypeVar, cast

import click
from rich.progress import BarColumn, ProgressColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn

from newscrawl.archive.ingest.pages import PageFilter
from newscrawl.archive.ingest.worker import Settings
from newscrawl.cli.common.show import progress_bar
from newscrawl.config.derived.article_options import options_of, options_of_sites
from newscrawl.config.reading import SettingsValues, config_of
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.workers.processes.termination import exit_code

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.settings import BaseSettings

LOG_SECONDS: Final = 20.0
"""Seconds between two progress lines without a terminal."""


class Advance(Protocol):
    """The progress of a run, in bytes or pages."""

    total: int
    done: int

    @property
    def fresh(self) -> int:
        """The part of `done` that this run did."""
        ...


A = TypeVar("A", bound=Advance)


def work_settings(
    project: SettingsValues,
    workers: int | None,
    spiders: Mapping[str, type[Spider]] | None = None,
    *,
    chain: str | None = None,
    options: ArticleOptions | None = None,
    wanted: PageFilter | None = None,
    limit: int | None = None,
) -> Settings:
    """Returns the settings for processing pages in `workers` processes (None: one for each core).

    Pages are read with the options of the settings, or with `options`; `chain` is used in place of theirs. Sites whose
    `spiders` have options of their own are read with those. Raises UsageError for an unknown chain.
    """
    config = config_of(project)
    options = options or options_of(config)
    if chain is not None:
        options = replace(options, chain=chain)
        options.resolve()
    return Settings(
        options,
        wanted or PageFilter(),
        workers=workers or len(os.sched_getaffinity(0)),
        batch_size=config.storage.batch_size,
        timeout=config.workers.timeout,
        memory=config.workers.memory_mb << 20,
        max_body=int(project.get("DOWNLOAD_MAXSIZE")),
        limit=limit,
        of_sites=options_of_sites(cast("BaseSettings", project), spiders) if spiders else {},
    )


def follow(steps: Iterable[A], text: Callable[[A, float], str], unit: ProgressColumn, stopped: str) -> float:
    """Runs the steps, shows the progress, and returns the seconds that they took.

    `text` describes a step, given the seconds so far. `unit` shows amounts on the bar. Ctrl-C or SIGTERM ends the
    command with `stopped` as its last line.
    """
    started = time.monotonic()
    try:
        if sys.stderr.isatty():
            _draw(steps, text, unit, started)
        else:
            _print_lines(steps, text, started)
    except KeyboardInterrupt as error:
        click.echo(f"\n{stopped}", err=True)
        sys.exit(exit_code(error))
    return time.monotonic() - started


def _draw(steps: Iterable[A], text: Callable[[A, float], str], unit: ProgressColumn, started: float) -> None:
    columns = (BarColumn(), TaskProgressColumn(), unit, TextColumn("{task.description}"), TimeRemainingColumn())
    with progress_bar(*columns) as bar:
        task = bar.add_task("starting", total=None)
        for step in steps:
            words = text(step, time.monotonic() - started)
            bar.update(task, total=step.total, completed=step.done, description=words)


def _print_lines(steps: Iterable[A], text: Callable[[A, float], str], started: float) -> None:
    last = started
    for step in steps:
        now = time.monotonic()
        if now - last < LOG_SECONDS:
            continue
        last = now
        left = (step.total - step.done) * (now - started) / step.fresh / 60 if step.fresh > 0 else 0.0
        share = step.done / max(1, step.total)
        click.echo(f"{share:.0%}: {text(step, now - started)}, about {left:.0f} min left", err=True)
