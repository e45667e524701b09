"""Digests of what newscrawl reads in every page of the corpora. They show that a change of names or of structure
changed nothing else.

    python -m benchmarks.digest --write before.txt              # one line a page and chain
    python -m benchmarks.digest --compare before.txt            # exit code 1, with the first pages that differ
    python -m benchmarks.digest --compare before.txt --renamed boilerpipe-wide=wide --renamed renames.txt
    NEWSCRAWL_PURE=1 python -m benchmarks.digest --compare before.txt      # the reference against the compiled core

Prints one digest a corpus and chain, which does not depend on machine, time or number of processes. A page's text,
title, authors, dates, other statements, verdict, hashes and trace are digested; a trace with the names that extractors
had before. With --sample, --corpus or --chain, --compare looks at those pages, corpora and chains alone.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import click

from benchmarks.digest.page import PAGE, Line, Renames, digest_page, read_renames, short_digest
from benchmarks.support import common
from newscrawl.bench.corpora import Corpus, find_corpora, read_corpus
from newscrawl.errors import CorpusError, NewscrawlError
from newscrawl.extraction.chain import known_names

FIRST_LINE: Final = "newscrawl digest 1"
"""Begins a file of digests; the number changes with what is digested."""
TREE_CHAINS: Final = ("classic+tree", "boilerpipe-article+tree2")
"""Chains with a tree filter, which `known_names` leaves out."""
SHOWN: Final = 20
"""Differences that are named one by one; all are counted."""

Key = tuple[str, str, str]
Fields = Mapping[str, str]


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-c", "--corpus", "corpora", multiple=True, help="Corpus to digest (default: all in --shared).")
@click.option("--chain", "chains", multiple=True, help="Chain to run (default: all, and two with a tree filter).")
@click.option("--write", type=click.Path(path_type=Path, dir_okay=False), help="Store the digests in this file.")
@click.option(
    "--compare", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="Compare with this file's digests."
)
@click.option("--renamed", multiple=True, metavar="OLD=NEW|FILE", help="A renamed extractor or chain.")
@common.shared_option
@common.sample_option
@common.processes_option
def main(
    *,
    corpora: tuple[str, ...],
    chains: tuple[str, ...],
    write: Path | None,
    compare: Path | None,
    renamed: tuple[str, ...],
    shared: Path,
    sample: int | None,
    processes: int,
) -> None:
    try:
        renames = read_renames(renamed)
        before = read_digests(compare) if compare else None
        names = chains or (*known_names(), *TREE_CHAINS)
        lines: list[Line] = []
        if write:
            write.write_text(f"{FIRST_LINE}\n", encoding="utf-8")
        for path in _paths(shared, corpora):
            found = _digest_corpus(read_corpus(path, limit=sample), names, renames, processes)
            lines += found
            if write:
                add_digests(write, found)
        differences = []
        if before is not None:
            chosen = {renames.name(name) for name in names} | {PAGE} if chains else None
            expected = _wanted(before, lines, chosen, set(corpora), sampled=sample is not None)
            differences = compare_digests(expected, lines)
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error
    for line in _report(differences):
        click.echo(line)
    if before is not None and not differences:
        click.echo(f"{len(lines)} lines equal")
    sys.exit(1 if differences else 0)


def _paths(shared: Path, corpora: Sequence[str]) -> list[Path]:
    folder = common.require_shared(shared) / "corpora"
    return [folder / name for name in corpora] or find_corpora(folder)


def _digest_corpus(corpus: Corpus, chains: Sequence[str], renames: Renames, processes: int) -> list[Line]:
    """Returns the lines of the corpus in the order of its pages. Prints its digests, and on standard error the time
    they took."""
    began = time.monotonic()
    one = partial(digest_page, corpus=corpus.name, chains=tuple(chains), renames=renames)
    found = common.in_parallel(one, corpus.pages, label=corpus.name, processes=processes)
    lines = [line for page in found for line in page]
    for chain, digest in sorted(totals(lines).items()):
        click.echo(f"{corpus.name}\t{chain}\t{digest}")
    click.echo(f"{corpus.name}: {len(corpus.pages)} pages, {time.monotonic() - began:.0f} s", err=True)
    return lines


def totals(lines: Iterable[Line]) -> dict[str, str]:
    """Returns one digest for each chain over the lines of one corpus. What the pages state themselves has a digest
    of its own (`PAGE`)."""
    parts: dict[str, list[str]] = {}
    for line in lines:
        parts.setdefault(line.chain, []).append(format_line(line))
    return {chain: short_digest("\n".join(found)) for chain, found in parts.items()}


def format_line(line: Line) -> str:
    """One line of a file of digests."""
    return "\t".join([*line.key, *(f"{name}={digest}" for name, digest in line.fields.items())])


def add_digests(path: Path, lines: Iterable[Line]) -> None:
    """Appends lines to a file, so that a stopped run keeps its results."""
    with path.open("a", encoding="utf-8") as file:
        file.writelines(f"{format_line(line)}\n" for line in lines)


def read_digests(path: Path) -> dict[Key, Fields]:
    """Reads the digests of a file that --write made. Raises CorpusError for another file."""
    first, *rest = path.read_text(encoding="utf-8").split("\n")
    if first != FIRST_LINE:
        raise CorpusError(f"{path} does not begin with {FIRST_LINE!r}: make it again with --write")
    found: dict[Key, Fields] = {}
    for number, line in enumerate(filter(None, rest), 2):
        parts = line.split("\t")
        if len(parts) < 4 or not all("=" in part for part in parts[3:]):
            raise CorpusError(f"{path} line {number} has no digests: make the file again with --write")
        found[parts[0], parts[1], parts[2]] = dict(part.split("=", 1) for part in parts[3:])
    return found


def _wanted(
    before: Mapping[Key, Fields], lines: Sequence[Line], chains: set[str] | None, corpora: set[str], *, sampled: bool
) -> dict[Key, Fields]:
    """Returns the digests of a file for the pages, corpora and chains that were digested now."""
    pages = {line.key[:2] for line in lines}
    return {
        key: fields
        for key, fields in before.items()
        if (not corpora or key[0] in corpora)
        and (chains is None or key[2] in chains)
        and (not sampled or key[:2] in pages)
    }


def compare_digests(before: Mapping[Key, Fields], lines: Iterable[Line]) -> list[tuple[Key, tuple[str, ...]]]:
    """Returns the differences: page, chain and fields, or `missing` or `new` if only one side has the line."""
    differences: list[tuple[Key, tuple[str, ...]]] = []
    seen: set[Key] = set()
    for line in lines:
        seen.add(line.key)
        known = before.get(line.key)
        if known is None:
            differences.append((line.key, ("new",)))
        elif fields := _differing(known, line.fields):
            differences.append((line.key, fields))
    return differences + [(key, ("missing",)) for key in before if key not in seen]


def _differing(before: Fields, after: Fields) -> tuple[str, ...]:
    """The fields that differ. A field that a file does not have was not digested when the file was made."""
    return tuple(name for name, digest in before.items() if digest != after.get(name))


def _report(differences: Sequence[tuple[Key, tuple[str, ...]]]) -> Iterator[str]:
    """The first differences, and how many there are of each field in each corpus and chain."""
    for (corpus, page, chain), fields in differences[:SHOWN]:
        yield f"differs: {corpus} {page} {chain}: {', '.join(fields)}"
    counts = Counter((key[0], key[2], name) for key, fields in differences for name in fields)
    for (corpus, chain, name), number in sorted(counts.items()):
        yield f"{corpus} {chain}: {name} differs on {number} pages"
    if differences:
        yield f"{len(differences)} lines differ on {len({key[:2] for key, _ in differences})} pages"


if __name__ == "__main__":
    main()
