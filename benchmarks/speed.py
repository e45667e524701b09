"""The time of each step from bytes to article, beside other installed extractors, as multiples of lxml's parse.

\b
    python -m benchmarks.speed ../shared/corpora/naeb --pages 40
    python -m benchmarks.speed ../shared/corpora/naeb --slow --markdown FILE

Our own steps alone, and how they grow with the page, are `newscrawl bench speed`. `make peers` installs the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import click

from benchmarks.support import peers
from benchmarks.support.common import Benchmark, json_option, write_or_print
from newscrawl.bench.corpora import read_corpus
from newscrawl.bench.documents import around_section
from newscrawl.bench.speed import TimedFunction, as_json, heading, measure, parts, speed_facts, timing_table
from newscrawl.extraction.language import page_language
from newscrawl.page import parse
from newscrawl.page.decode import decode


def peer_parts(bodies: Sequence[bytes], names: Sequence[str]) -> Iterator[TimedFunction]:
    """Yields a timed function for each of the named peers; their texts are not cached."""
    subjects = [
        (peers.Subject(decode(body).data.decode("utf-8"), None, page_language(parse(body))),) for body in bodies
    ]
    for name in names:
        yield TimedFunction(name, partial(peers.run_now, name.removeprefix(peers.PREFIX)), lambda: subjects)


@click.command(cls=Benchmark, help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("corpora", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--pages", type=click.IntRange(min=1), default=60, show_default=True, help="Pages of each corpus.")
@click.option("--rounds", type=click.IntRange(min=1), default=7, show_default=True, help="Number of rounds.")
@click.option("--peers", "given", help="Other extractors, separated by commas (default: all installed ones).")
@click.option("--slow", is_flag=True, help="Also measure extractors that take over 100 ms a page.")
@click.option("--markdown", "document", type=click.Path(path_type=Path), help="Write the table into this document.")
@click.option("--section", default="speed", show_default=True, help="Name of the section for --markdown.")
@json_option
def main(
    *,
    corpora: Sequence[Path],
    pages: int,
    rounds: int,
    given: str | None,
    slow: bool,
    document: Path | None,
    section: str,
    json_path: Path | None,
) -> None:
    if document is not None:
        around_section(document, section)
    names = peers.chosen(given, fast=not slow)
    bodies = [page.body() for path in corpora for page in read_corpus(path, limit=pages).pages]
    facts = speed_facts([path.name.partition(".")[0] for path in corpora], bodies)
    timings = measure([*parts(bodies), *peer_parts(bodies, names)], rounds)
    write_or_print(document, section, f"{heading(facts)}\n\n{timing_table(timings)}", "speed")
    if json_path is not None:
        json_path.write_text(json.dumps(as_json(timings, (), facts), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
