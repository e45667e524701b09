"""Compares the compiled core with pure Python, and lexbor with lxml, page by page over corpora.

    python -m benchmarks.parsers ../corpora/naeb ../corpora/daniel.tar.xz

Compiled and pure Python run in a process each: text, trace, metadata, verdict, runs and marked elements of a page must
be the same; exit code 1 if one page's are not. Then the runs of lexbor's trees beside those of lxml's, and the texts
that `classic` takes of both. Pages whose texts differ are named.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from benchmarks.support.common import with_progress
from newscrawl.article import extract
from newscrawl.bench.corpora import read_corpus
from newscrawl.compiled import FORBIDS, PARSER, Core
from newscrawl.extraction import resolve, run_chain
from newscrawl.extraction.kernels import describe_core
from newscrawl.page import Page
from newscrawl.page.compiled import lexbor
from newscrawl.page.decode import decode
from newscrawl.page.segment import Segments, segment

NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
SHINGLE: Final = 4
ALIKE: Final = 0.99
"""Below it a page's text counts as another one."""


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("corpora", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--digests", is_flag=True, hidden=True, help="Print a hash for each page (for child processes).")
def main(corpora: Sequence[Path], *, digests: bool) -> None:
    if digests:
        for name, body in _pages(corpora):
            click.echo(f"{name} {_digest(body)}")
        return
    click.echo(describe_core())
    compiled, pure = (_child(corpora, {FORBIDS: forbidden, PARSER: "lxml"}) for forbidden in ("0", "1"))
    different = [one.split()[0] for one, other in zip(compiled, pure, strict=True) if one != other]
    click.echo(
        f"compiled and pure Python: {len(compiled)} pages, {len(different)} different {' '.join(different[:20])}"
    )
    core = lexbor()
    if core.module is None:
        click.echo(core.reason)
    else:
        for corpus in corpora:
            _compare(corpus)
    sys.exit(1 if different else 0)


def _pages(corpora: Sequence[Path]) -> Iterator[tuple[str, bytes]]:
    for corpus in corpora:
        for page in read_corpus(corpus).pages:
            yield page.id, page.body()


def _digest(body: bytes) -> str:
    found = extract(body, fetched_at=NOW)
    runs = [(*run[:-2], run.code, run.hidden, run.blanks) for run in found.page.runs]
    told = (found.text, found.trace, found.metadata, found.verdict, found.content_hash, runs, found.page.hints.marked)
    return hashlib.blake2b(repr(told).encode("utf-8", "replace"), digest_size=12).hexdigest()


def _child(corpora: Sequence[Path], environment: dict[str, str]) -> list[str]:
    command = [sys.executable, "-m", "benchmarks.parsers", "--digests", *map(str, corpora)]
    done = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()


def _compare(corpus: Path) -> None:
    core, chain = lexbor(), resolve("classic")
    alike = runs = 0
    shares: list[float] = []
    others: list[str] = []
    pages = list(_pages([corpus]))
    for name, body in with_progress(pages, len(pages), corpus.name):
        html = decode(body).data
        one, other = segment(html, Core(None)), segment(html, core)
        common = Counter(run.text for run in one.runs) & Counter(run.text for run in other.runs)
        alike += common.total()
        runs += max(len(one.runs), len(other.runs))
        shares.append(_f1(*(run_chain(_page(found), chain).text for found in (one, other))))
        if shares[-1] < ALIKE:
            others.append(f"{name} ({shares[-1]:.2f})")
    click.echo(
        f"{corpus.name}: {len(pages)} pages, equal runs {alike / max(1, runs):.4f}, "
        f"text F1 {sum(shares) / max(1, len(shares)):.4f}, texts under {ALIKE}: {len(others)} {', '.join(others)}"
    )


def _page(found: Segments) -> Page:
    return Page(
        None,
        "utf-8",
        "text",
        found.runs,
        found.elements,
        found.head,
        found.links,
        found.hints,
        found.problems,
        found.spacers,
    )


def _f1(one: str, other: str) -> float:
    """Of shingles of four words."""
    first, second = (Counter(zip(*(text.split()[i:] for i in range(SHINGLE)), strict=False)) for text in (one, other))
    size = first.total() + second.total()
    return 2 * (first & second).total() / size if size else float(one == other)


if __name__ == "__main__":
    main()
