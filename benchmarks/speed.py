"""CPU time a page of every part of the way from bytes to article, beside a bare lxml parse of the same pages.

    python -m benchmarks.speed                    # 60 pages of naeb, 7 rounds
    python -m benchmarks.speed -c l3s_gn1 -n 100

Every round times every part over all pages, one part after the other, so that a slow moment of the machine hits all
alike; the median round counts. Ratios hold, absolute times drift. One process, one thread.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median

import click
from lxml import etree

from benchmarks import common
from benchmarks.systems import Case, peer_names, system
from benchmarks.tables import markdown
from newscrawl.bench.corpora import read_corpus
from newscrawl.errors import NewscrawlError
from newscrawl.extraction import boilerpipe, justext
from newscrawl.extraction.chain import resolve, run_chain
from newscrawl.extraction.render import render
from newscrawl.extraction.treefilter import tree_filter
from newscrawl.metadata import read_metadata
from newscrawl.page import Page, parse
from newscrawl.page.decode import decode

BASE = "lxml parse alone"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
"""When the pages are taken to have been fetched; dates after it are refused."""

Part = tuple[Callable[..., object], Sequence[tuple[object, ...]]]
"""A function and the arguments of its call for each page."""


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-c", "--corpus", default="naeb", show_default=True, help="Corpus whose pages are used.")
@click.option("-n", "--number", default=60, show_default=True, help="Pages.")
@click.option("--rounds", default=7, show_default=True, help="Times that everything is run.")
@click.option("--peers", is_flag=True, help="Other people's extractors too, where installed (slow).")
@common.shared_option
@common.json_option
def main(*, corpus: str, number: int, rounds: int, peers: bool, shared: Path, json_path: Path | None) -> None:
    try:
        pages = read_corpus(common.require_shared(shared) / "corpora" / corpus, limit=number).pages
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error
    bodies = [page.body() for page in pages]
    seconds = measure(parts(bodies, peers=peers), rounds)
    size = sum(map(len, bodies)) / len(bodies) / 1000
    click.echo(f"{len(bodies)} pages of {corpus}, {size:.0f} kB mean, median of {rounds} rounds\n")
    click.echo(table(seconds, len(bodies)))
    if json_path:
        figures = {name: value / len(bodies) for name, value in seconds.items()}
        json_path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def parts(bodies: Sequence[bytes], *, peers: bool = False) -> dict[str, Part]:
    """Everything that is timed, by name."""
    pages = [parse(body) for body in bodies]
    alone = [(page,) for page in pages]
    wide = [(page, boilerpipe.select(page, "boilerpipe-wide")) for page in pages]
    declared = [(page, page.hints.language or "en") for page in pages]
    found: dict[str, Part] = {
        BASE: (parse_alone, [(decode(body).data,) for body in bodies]),
        "page: decode": (decode, [(body,) for body in bodies]),
        "page: parse (decode, lxml, walk)": (parse, [(body,) for body in bodies]),
    }
    for recipe in boilerpipe.RECIPES:
        found[recipe] = (partial(boilerpipe.select, recipe=recipe), alone)
    found |= {
        "tree filter": (tree_filter, wide),
        "jusText, language known": (justext.select, declared),
        "jusText, language found": (justext.select, alone),
        "render": (render, wide),
        "chain classic": (partial(run_chain, chain=resolve("classic")), alone),
        "metadata": (_metadata, alone),
    }
    cases = [(Case(page, decode(body).data.decode()),) for page, body in zip(pages, bodies, strict=True)]
    return found | {name: (system(name), cases) for name in (peer_names() if peers else ())}


def parse_alone(data: bytes) -> None:
    """What nothing that reads HTML can go below."""
    parser = etree.HTMLParser(
        encoding="utf-8", collect_ids=False, remove_comments=True, remove_pis=True, huge_tree=True
    )
    etree.fromstring(data, parser)


def _metadata(page: Page) -> None:
    read_metadata(replace(page, hints=replace(page.hints)), fetched_at=NOW)  # a copy has not read its JSON-LD yet


def measure(timed: dict[str, Part], rounds: int) -> dict[str, float]:
    """Median CPU seconds of each part over all pages; a first round that is not counted warms up caches and models."""
    seconds: dict[str, list[float]] = {name: [] for name in timed}
    for number in common.with_progress(range(rounds + 1), rounds + 1, "rounds"):
        for name, (function, calls) in timed.items():
            gc.collect()
            start = time.process_time()
            for arguments in calls:
                function(*arguments)
            if number:
                seconds[name].append(time.process_time() - start)
    return {name: median(values) for name, values in seconds.items()}


def table(seconds: dict[str, float], pages: int) -> str:
    """Milliseconds a page, and how often a bare parse fits in."""
    rows = [[name, f"{value / pages * 1000:.3f}", f"{value / seconds[BASE]:.2f}"] for name, value in seconds.items()]
    return markdown(["part", "ms a page", "x lxml"], rows)


if __name__ == "__main__":
    main()
