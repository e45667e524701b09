"""`newscrawl bench speed`: the time of each step from bytes to article."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from newscrawl.bench.corpora import read_corpus
from newscrawl.bench.documents import around_section, command_line, replace_section
from newscrawl.bench.speed import (
    FLOOR,
    Growth,
    as_json,
    growth_table,
    heading,
    measure,
    measure_growth,
    parts,
    speed_facts,
    timing_table,
)
from newscrawl.cli.common.output import write_text
from newscrawl.demo.site import DemoSite

ROUNDS: Final = 7
PAGES: Final = 60
"""Pages of each corpus."""
QUICK_ROUNDS: Final = 3
QUICK_PAGES: Final = 15


@click.command(
    name="speed",
    short_help="Measure the time of each step, and its growth.",
    epilog="""\b
Examples:
  newscrawl bench speed --quick
  newscrawl bench speed path/to/corpus other.tar.xz --json speed.json
  newscrawl bench speed --growth --only 'chain classic'""",
)
@click.argument("corpora", nargs=-1, type=click.Path(path_type=Path))
@click.option("--pages", type=click.IntRange(min=1), help=f"Pages of each corpus (default: {PAGES}).")
@click.option("--rounds", type=click.IntRange(min=1), help=f"Number of rounds (default: {ROUNDS}).")
@click.option("--quick", is_flag=True, help=f"{QUICK_PAGES} pages of each corpus, {QUICK_ROUNDS} rounds.")
@click.option("--only", multiple=True, help="Measure only the step with this name in the table; may be repeated.")
@click.option("--growth", is_flag=True, help="Measure how much longer each step takes for a page of double size.")
@click.option(
    "--json", "json_path", type=click.Path(path_type=Path, dir_okay=False), help="Write all figures to this file."
)
@click.option(
    "--markdown",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the table into a section of this document.",
)
@click.option("--section", default="speed", show_default=True, help="Name of the section for --markdown.")
def speed(
    corpora: Sequence[Path],
    pages: int | None,
    rounds: int | None,
    quick: bool,
    only: Sequence[str],
    growth: bool,
    json_path: Path | None,
    markdown: Path | None,
    section: str,
) -> None:
    """Time each step from bytes to article, as a multiple of the time lxml needs to parse the page.

    CORPORA are folders or archives (docs/how-to/benchmark.md). The default is the pages of the demo site.
    """
    if markdown:
        around_section(markdown, section)
    bodies = _bodies(corpora, pages or (QUICK_PAGES if quick else PAGES))
    facts = speed_facts([path.name.partition(".")[0] for path in corpora], bodies)
    if growth:
        growths, timings = measure_growth(bodies, only=only), []
        content = growth_table(growths)
    else:
        growths = []
        timings = measure(parts(bodies, only=only), rounds or (QUICK_ROUNDS if quick else ROUNDS))
        content = timing_table(timings)
    content = f"{heading(facts)}\n\n{content}"
    if markdown is None:
        click.echo(content)
    else:
        replace_section(markdown, section, content, command_line("newscrawl"))
    if json_path:
        write_text(json_path, json.dumps(as_json(timings, growths, facts), ensure_ascii=False, indent=1) + "\n")
    _complain(growths)


def _complain(growths: Sequence[Growth]) -> None:
    """Exits with 1 if one of our steps takes too long for a page of double size. lxml's parse is not checked."""
    faults = [growth for growth in growths if not growth.is_linear and growth.stage != FLOOR]
    for growth in faults:
        click.echo(f"grows too fast: {growth.stage} on {growth.shape} pages, {growth.factor:.2f} times", err=True)
    if faults:
        raise SystemExit(1)


def _bodies(corpora: Sequence[Path], number: int) -> list[bytes]:
    if corpora:
        return [page.body() for path in corpora for page in read_corpus(path, limit=number).pages]
    site = DemoSite()
    return [site.answer("GET", story.path).body for story in site.stories[:number]]
