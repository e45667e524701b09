"""Simulates how soon articles are found by our scheduler and at fixed intervals, on a virtual clock
(docs/measurements/freshness.md).

python -m benchmarks.freshness --quick
python -m benchmarks.freshness --seeds 6-15 --markdown docs/measurements/freshness.md
python -m benchmarks.freshness --sites 200 --days 14 --seeds 1,2 --json figures.json --check
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Final

import click

from benchmarks.freshness.report import REPORTED_SEEDS, SeedResult, as_json, markdown, measure_all, missed_goals
from benchmarks.support.common import Benchmark
from newscrawl.bench.documents import around_section, command_line, replace_section
from newscrawl.cli.common.output import write_text
from newscrawl.errors import UsageError

QUICK: Final = (60, 10.0, (6, 7))
"""Sites, days and seeds with --quick."""

path_type = click.Path(path_type=Path)


@click.command(cls=Benchmark)
@click.option("--sites", type=click.IntRange(min=1), default=500, show_default=True, help="Sites of a fleet.")
@click.option("--days", type=click.FloatRange(min=1), default=30, show_default=True, help="Days on the virtual clock.")
@click.option("--seeds", help=f"Fleets, like 1,2 or 6-15 (default: {REPORTED_SEEDS[0]}-{REPORTED_SEEDS[-1]}).")
@click.option("--quick", is_flag=True, help=f"{QUICK[0]} sites, {QUICK[1]:g} days, {len(QUICK[2])} fleets.")
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="Processes (default: all cores).")
@click.option("--json", "json_path", type=path_type, help="Write all figures to this file.")
@click.option("--markdown", "markdown_path", type=path_type, help="Write the tables into this document's section.")
@click.option("--section", default="freshness", show_default=True, help="Name of the section for --markdown.")
@click.option("--check", is_flag=True, help="Exit with 1 if a goal is missed.")
def main(
    sites: int,
    days: float,
    seeds: str | None,
    quick: bool,
    jobs: int,
    json_path: Path | None,
    markdown_path: Path | None,
    section: str,
    check: bool,
) -> None:
    """Run our scheduler over made-up fleets of news sites, on a virtual clock."""
    if markdown_path is not None:
        around_section(markdown_path, section)
    chosen = _seeds(seeds) if seeds else QUICK[2] if quick else REPORTED_SEEDS
    if quick:
        sites, days = QUICK[:2]
    results = measure_all(chosen, sites, days, jobs, _tell)
    tables = markdown(results, sites, days)
    if markdown_path is None:
        click.echo(tables)
    else:
        replace_section(markdown_path, section, tables, command_line("python -m benchmarks.freshness"))
    if json_path is not None:
        write_text(json_path, json.dumps(as_json(results), indent=1) + "\n")
    missed = missed_goals(results)
    for line in missed:
        click.echo(f"goal missed: {line}", err=True)
    if check and missed:
        sys.exit(1)


def _tell(result: SeedResult) -> None:
    own = result.ours
    click.echo(
        f"fleet {result.seed}: {own.articles} articles, median {own.median:.1f} min, {own.per_article:.2f} requests"
        f" for sources an article",
        err=True,
    )


def _seeds(given: str) -> tuple[int, ...]:
    seeds: list[int] = []
    for part in given.split(","):
        low, _, high = part.strip().partition("-")
        try:
            seeds += range(int(low), int(high or low) + 1)
        except ValueError as error:
            raise UsageError(f"seeds {given!r} cannot be read: write them like 1,2 or 6-15") from error
    if not seeds:
        raise UsageError(f"seeds {given!r} name no fleet: write them like 1,2 or 6-15")
    return tuple(seeds)


if __name__ == "__main__":
    main()
