"""`newscrawl bench speed`: the time of each step from bytes to article."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import click
from lxml import etree

from newscrawl.bench.corpora import read_corpus
from newscrawl.bench.document import around_section, command_line, replace_section
from newscrawl.bench.peers import PEERS, PREFIX, installed
from newscrawl.bench.speed.growth import Growth, measure_growth
from newscrawl.bench.speed.report import as_json, growth_table, timing_table
from newscrawl.bench.speed.timing import FLOOR, measure, parts
from newscrawl.cli.common.output import write_text
from newscrawl.demo.site import DemoSite
from newscrawl.errors import UsageError
from newscrawl.extraction.kernels import describe_core

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
  newscrawl bench speed path/to/corpus other.tar.xz --peers --json speed.json
  newscrawl bench speed --growth --only 'chain classic'""",
)
@click.argument("corpora", nargs=-1, type=click.Path(path_type=Path))
@click.option("--pages", type=click.IntRange(min=1), help=f"Pages of each corpus (default: {PAGES}).")
@click.option("--rounds", type=click.IntRange(min=1), help=f"Number of rounds (default: {ROUNDS}).")
@click.option("--quick", is_flag=True, help=f"{QUICK_PAGES} pages of each corpus, {QUICK_ROUNDS} rounds.")
@click.option("--peers", is_flag=True, help="Also measure other extractors that are installed.")
@click.option("--slow-peers", is_flag=True, help="Also measure extractors that take over 100 ms a page.")
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
    peers: bool,
    slow_peers: bool,
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
    facts = _facts(corpora, bodies)
    if growth:
        growths, timings = measure_growth(bodies, only=only), []
        content = growth_table(growths)
    else:
        growths = []
        timings = measure(
            parts(bodies, peers=_peers(peers, slow=slow_peers), only=only),
            rounds or (QUICK_ROUNDS if quick else ROUNDS),
        )
        content = timing_table(timings)
    heading = f"{facts['pages']} pages of {facts['corpora']}, {facts['kilobytes']} kB mean; "
    heading += f"lxml {facts['lxml']}; {facts['core']}"
    _write(f"{heading}\n\n{content}", markdown, section)
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


def _peers(wanted: bool, *, slow: bool) -> list[str]:
    if not (wanted or slow):
        return []
    return [name for name in installed() if slow or not PEERS[name.removeprefix(PREFIX)].is_slow]


def _facts(corpora: Sequence[Path], bodies: Sequence[bytes]) -> dict[str, Any]:
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "newscrawl": version("newscrawl"),
        "python": platform.python_version(),
        "lxml": ".".join(map(str, etree.LXML_VERSION[:3])),
        "core": describe_core(),
        "cores": os.cpu_count(),
        "corpora": ", ".join(path.name.partition(".")[0] for path in corpora) or "the demo site",
        "pages": len(bodies),
        "kilobytes": round(sum(map(len, bodies)) / max(1, len(bodies)) / 1000),
    }


def _write(content: str, document: Path | None, section: str) -> None:
    if document is None:
        click.echo(content)
    elif document.is_file():
        replace_section(document, section, content, command_line("newscrawl"))
    else:
        raise UsageError(
            f"no document {document}: name one with the markers <!-- {section} --> and <!-- /{section} -->"
        )
