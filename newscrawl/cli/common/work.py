"""Shared code of commands that process many pages: workers, progress, Ctrl-C."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Protocol, TypeVar

import click
from rich.progress import BarColumn, Progress, ProgressColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn

from newscrawl.article.make import ArticleOptions
from newscrawl.config.catalogue import Config
from newscrawl.config.reading import SettingsValues
from newscrawl.console import SafeConsole
from newscrawl.ingest.pages import PageFilter
from newscrawl.ingest.run import Settings
from newscrawl.processes.termination import exit_code

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
    config: Config,
    options: ArticleOptions,
    workers: int | None,
    limit: int | None,
    wanted: PageFilter | None = None,
    of_sites: Mapping[str, ArticleOptions] | None = None,
) -> Settings:
    """Returns the settings for processing pages in `workers` processes (None: one for each core). `of_sites` has the
    options of sites with options of their own."""
    return Settings(
        options,
        wanted or PageFilter(),
        workers=workers or len(os.sched_getaffinity(0)),
        batch_size=config.storage.batch_size,
        timeout=config.workers.timeout,
        memory=config.workers.memory_mb << 20,
        max_body=int(project.get("DOWNLOAD_MAXSIZE")),
        limit=limit,
        of_sites=of_sites or {},
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
    with Progress(*columns, console=SafeConsole(stderr=True), transient=True) as bar:
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
