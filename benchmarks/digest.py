"""Hashes of what newscrawl finds in every corpus page, to show that a change of the code changed no output.

\b
    python -m benchmarks.digest --hash before.txt              # about five minutes on two cores
    python -m benchmarks.digest --compare before.txt after.txt # exit code 1, with the first pages that differ
    python -m benchmarks.digest --hash small.txt --sample 40   # 40 pages of each corpus
    NEWSCRAWL_PURE=1 python -m benchmarks.digest --hash pure.txt   # the reference, beside the compiled core

The file has a line for each page and chain, with a hash for each part of `newscrawl.extract(...).to_dict()`: text,
title, authors, dates, other statements, verdict, trace, structure. It does not depend on machine, time, hash seed or
number of processes. It is made through the Python API alone, so that trees whose modules have other names can be
compared. Keep it outside the repository.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

import newscrawl
from benchmarks.support import common
from benchmarks.support.common import Benchmark
from newscrawl.bench.corpora import GoldPage, find_corpora, read_corpus
from newscrawl.errors import CorpusError

FIRST_LINE: Final = "newscrawl digest 2"
"""Begins a file of hashes; the number changes with what is hashed."""
CHAINS: Final = ("classic", "best", "justext", "boilerpipe-article")
FETCHED_AT: Final = datetime(2026, 11, 1, tzinfo=UTC)
"""Bounds the dates that are believed: the same whenever a file is made."""
FALLBACK_URL: Final = "https://corpus.example/"
"""The address of a page whose corpus names none."""
HASH_BYTES: Final = 6
"""Of a part. A part that changed has the hash of before with a chance of one in 3 * 10^14."""
CONFIDENCE_DIGITS: Final = 6
"""Compiled code and its Python reference may differ in the last bits of a sum."""
DATES: Final = ("published", "modified", "refused_dates")
PARTS: Final = ("text", "title", "authors", "dates", "other", "verdict", "trace", "structure")
LATER: Final = frozenset({"structure"})
"""Parts that files of earlier trees do not have. They are compared where both files have them."""
SHOWN: Final = 20
"""Differences that are named one by one; all are counted."""

Key = tuple[str, str, str]
"""Corpus, page and chain."""
Hashes = Mapping[str, str]
"""Part -> hash."""


@click.command(cls=Benchmark, help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--hash", "target", type=click.Path(path_type=Path, dir_okay=False), help="Write the hashes to this file."
)
@click.option(
    "--compare",
    nargs=2,
    metavar="BEFORE AFTER",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Compare two files. With --corpus or --chain, only those.",
)
@click.option("-c", "--corpus", "corpora", multiple=True, help="Name of a corpus (default: all in --shared).")
@click.option("--chain", "chains", multiple=True, default=CHAINS, show_default=True, help="Chain to run.")
@common.shared_option
@common.sample_option
@common.processes_option
def main(
    *,
    target: Path | None,
    compare: tuple[Path, Path] | None,
    corpora: tuple[str, ...],
    chains: tuple[str, ...],
    shared: Path,
    sample: int | None,
    processes: int,
) -> None:
    if (target is None) == (compare is None):
        raise click.UsageError("give --hash FILE, or --compare BEFORE AFTER")
    if compare is not None:
        before, after = (_chosen(read_hashes(path), corpora, chains) for path in compare)
        differences = differing(before, after)
        for line in report(differences):
            click.echo(line)
        if differences:
            sys.exit(1)
        click.echo(f"{len(before)} lines equal")
    elif target is not None:
        folder = common.require_shared(shared) / "corpora"
        paths = [folder / name for name in corpora] or find_corpora(folder)
        with target.open("w", encoding="utf-8") as file:
            file.write(f"{FIRST_LINE}\n")
            for path in paths:  # a stopped run keeps the corpora that are done
                file.writelines(hash_corpus(path, chains, sample, processes))
                file.flush()


def hash_corpus(path: Path, chains: Sequence[str], sample: int | None, processes: int) -> Iterator[str]:
    """Yields the lines of a corpus in the order of its pages, and prints how long it took on standard error."""
    corpus, began = read_corpus(path, limit=sample), time.monotonic()
    one = partial(hash_page, chains=tuple(chains))
    for page, found in zip(
        corpus.pages, common.in_parallel(one, corpus.pages, label=corpus.name, processes=processes), strict=True
    ):
        for chain, hashes in found.items():
            yield "\t".join([corpus.name, page.id, chain, *(f"{part}={hashes[part]}" for part in PARTS)]) + "\n"
    click.echo(f"{corpus.name}: {len(corpus.pages)} pages, {time.monotonic() - began:.0f} s", err=True)


def hash_page(page: GoldPage, chains: Sequence[str]) -> dict[str, Hashes]:
    """Returns the hashes of one page for each chain."""
    body, url = page.body(), page.url or FALLBACK_URL
    return {chain: _hashes(newscrawl.extract(body, url=url, chain=chain, fetched_at=FETCHED_AT)) for chain in chains}


def _hashes(extracted: newscrawl.Extracted) -> Hashes:
    values = extracted.to_dict()
    parts: dict[str, Any] = {
        "text": [values.pop("text"), values.pop("content_hash")],
        "title": values.pop("title"),
        "authors": values.pop("authors"),
        "dates": [values.pop(name) for name in list(values) if name.startswith(DATES)],
        "verdict": [values.pop("verdict"), values.pop("problems")],
        "trace": [values.pop("extractor"), values.pop("trace"), round(values.pop("confidence"), CONFIDENCE_DIGITS)],
    }
    parts["structure"] = values.pop("structure", None)
    parts["other"] = values
    return {part: _hash(json.dumps(parts[part], sort_keys=True)) for part in PARTS}


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode("ascii"), digest_size=HASH_BYTES).hexdigest()


def read_hashes(path: Path) -> dict[Key, Hashes]:
    """Reads a file that --hash wrote. Raises CorpusError for another file."""
    first, *rest = path.read_text("utf-8", "replace").split("\n")
    if first != FIRST_LINE:
        raise CorpusError(f"{path} does not begin with {FIRST_LINE!r}: make it again with --hash")
    found: dict[Key, Hashes] = {}
    for number, line in enumerate(filter(None, rest), 2):
        corpus, page, chain, *parts = [*line.split("\t"), "", ""][: 3 + len(PARTS)]
        hashes = dict(part.partition("=")[::2] for part in filter(None, parts))
        if tuple(hashes) not in {PARTS, tuple(part for part in PARTS if part not in LATER)}:
            raise CorpusError(f"{path} line {number} has not the hashes {', '.join(PARTS)}: make it again with --hash")
        found[corpus, page, chain] = hashes
    return found


def _chosen(hashes: Mapping[Key, Hashes], corpora: Sequence[str], chains: Sequence[str]) -> dict[Key, Hashes]:
    return {key: parts for key, parts in hashes.items() if (not corpora or key[0] in corpora) and key[2] in set(chains)}


def differing(before: Mapping[Key, Hashes], after: Mapping[Key, Hashes]) -> dict[Key, Sequence[str]]:
    """Returns the parts that differ, by page and chain: `missing` or `new` if only one side has the line."""
    found: dict[Key, Sequence[str]] = {}
    for key in dict.fromkeys([*before, *after]):
        old, new = before.get(key), after.get(key)
        if old is None or new is None:
            found[key] = ["new" if old is None else "missing"]
        elif parts := [part for part in PARTS if part in old and part in new and old[part] != new[part]]:
            found[key] = parts
    return found


def report(differences: Mapping[Key, Iterable[str]]) -> Iterator[str]:
    """Yields the first differences, then how many there are of each part in each corpus and chain."""
    for (corpus, page, chain), parts in list(differences.items())[:SHOWN]:
        yield f"differs: {corpus} {page} {chain}: {', '.join(parts)}"
    counts = Counter((corpus, chain, part) for (corpus, _, chain), parts in differences.items() for part in parts)
    for (corpus, chain, part), number in sorted(counts.items()):
        yield f"{corpus} {chain}: {part} differs on {number} pages"
    if differences:
        yield f"{len(differences)} lines differ on {len({key[:2] for key in differences})} pages"


if __name__ == "__main__":
    main()
