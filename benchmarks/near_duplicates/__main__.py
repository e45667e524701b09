"""Measures how well and how fast near-duplicates are found: texts of the corpora changed by known operations, in six
languages.

    python -m benchmarks.near_duplicates quality
    python -m benchmarks.near_duplicates stories
    python -m benchmarks.near_duplicates core

With SQL: python -m benchmarks.near_duplicates.sql.

Two texts made from one article are a pair to be found, two others are not: articles of one site, texts that share its
boilerplate, that borrow a lead or a paragraph, that have the names and numbers of another edition.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import click

from benchmarks.near_duplicates.round_ups import orders_table, unrelated_table, without_boilerplate
from benchmarks.near_duplicates.texts import COPIES, EDITS, EXCERPTS, NEGATIVE, Made, bases, make_texts
from benchmarks.support.common import SHARED
from newscrawl.identity.resemblance import compare, related
from newscrawl.identity.signature import shingles, signature
from newscrawl.storage.duplicates.join import MAX_ARTICLES, MIN_SHARED

Pair = tuple[int, int]

GROUPS: Final[Mapping[str, frozenset[str]]] = {
    "light edits": EDITS,
    "agency copies": COPIES,
    "half excerpts": EXCERPTS,
    "quarter": frozenset({"quarter"}),
}
SHARES: Final = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8)
CONTAINMENTS: Final = (0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)


@dataclass(frozen=True)
class Data:
    """The texts; `truth` numbers what belongs together, `originals` are the places of the articles themselves."""

    made: Sequence[Made]
    truth: Sequence[int]
    originals: Mapping[int, int]

    @classmethod
    def of(cls, made: Sequence[Made]) -> Data:
        """A text that an operation made into another article belongs to no group."""
        truth = [-place - 1 if one.operation in NEGATIVE else one.family for place, one in enumerate(made)]
        originals = {one.family: place for place, one in enumerate(made) if one.operation == "original"}
        return cls(made, truth, originals)

    def recall(self, found: set[Pair], language: str | None = None) -> dict[str, float]:
        """The share of the texts of each group of operations that were found with their originals."""
        hits: Counter[str] = Counter()
        sizes: Counter[str] = Counter()
        for place, one in enumerate(self.made):
            if language not in {None, one.language}:
                continue
            for group, operations in GROUPS.items():
                if one.operation in operations:
                    sizes[group] += 1
                    hits[group] += _pair(place, self.originals[one.family]) in found
        return {group: hits[group] / sizes[group] for group in sizes}

    def precision(self, found: Iterable[Pair]) -> float:
        """The share of the found pairs that belong together."""
        right = [self.truth[one] == self.truth[other] for one, other in found]
        return sum(right) / len(right) if right else 1.0


def candidates(sketches: Sequence[Sequence[int]]) -> set[Pair]:
    """The pairs whose texts would be compared: as storage finds them, without its limit of texts for each."""
    holders: dict[int, list[int]] = defaultdict(list)
    found: set[Pair] = set()
    for place, sketch in enumerate(sketches):
        counts = Counter(other for value in sketch for other in holders[value])
        found.update((other, place) for other, shared in counts.items() if shared >= MIN_SHARED)
        for value in sketch:
            if len(holders[value]) < MAX_ARTICLES:
                holders[value].append(place)
    return found


def quality_tables(data: Data) -> Iterator[str]:
    """Markdown: what the rules find by operation, and the curves they were chosen on."""
    of_text = [shingles(one.text) for one in data.made]
    signed = [signature(one.text) for one in data.made]
    pairs = sorted(candidates([one.sketch if one else () for one in signed]))
    figures = {pair: compare(of_text[pair[0]], of_text[pair[1]]) for pair in pairs}
    found = {pair for pair in pairs if related(of_text[pair[0]], of_text[pair[1]])}
    yield _operations_table(data, set(pairs), found)
    joining = {pair for pair in found if figures[pair].joins}
    recall = ", ".join(f"{group} {value:.4f}" for group, value in data.recall(joining).items())
    yield f"Joins alone {len(joining):,}; precision {data.precision(joining):.4f}; recall: {recall}. Others are links."
    yield _languages_table(data, found)
    yield curve(
        data,
        "share of the larger text of",
        SHARES,
        lambda limit: {p for p in pairs if figures[p].share_of_larger > limit},
    )
    yield curve(
        data, "containment of", CONTAINMENTS, lambda limit: {p for p in pairs if figures[p].containment >= limit}
    )


def curve(data: Data, name: str, limits: Sequence[float], chosen: Callable[[float], set[Pair]]) -> str:
    """Precision and recall as a threshold rises."""
    lines = [f"| {name} at least | precision | {' | '.join(GROUPS)} |", "|--:" * (len(GROUPS) + 2) + "|"]
    for limit in limits:
        found = chosen(limit)
        recall = data.recall(found)
        cells = [f"{limit:g}", f"{data.precision(found):.4f}", *(f"{recall[group]:.4f}" for group in GROUPS)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _operations_table(data: Data, compared: set[Pair], found: set[Pair]) -> str:
    lines = ["| operation | texts | signatures matched | found |", "|---|--:|--:|--:|"]
    places: dict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(data.made):
        if one.operation != "original":
            places[one.operation].append(place)
    for operation, of in places.items():
        pairs = [_pair(place, data.originals[data.made[place].family]) for place in of]
        met, hit = (sum(pair in kept for pair in pairs) / len(pairs) for kept in (compared, found))
        wrong = " (wrong)" if operation in NEGATIVE else ""
        lines.append(f"| {operation} | {len(of):,} | {met:.4f} | {hit:.4f}{wrong} |")
    recall = data.recall(found)
    summary = ", ".join(f"{group} {recall[group]:.4f}" for group in GROUPS)
    lines.append(f"\nPairs found {len(found):,}; precision {data.precision(found):.4f}; recall: {summary}.")
    return "\n".join(lines)


def _languages_table(data: Data, found: set[Pair]) -> str:
    lines = [f"| language | articles | precision | {' | '.join(GROUPS)} |", "|---" + "|--:" * (len(GROUPS) + 2) + "|"]
    for language in dict.fromkeys(one.language for one in data.made):
        within = {pair for pair in found if data.made[pair[0]].language == language}
        recall = data.recall(found, language)
        articles = sum(data.made[place].language == language for place in data.originals.values())
        cells = [f"{data.precision(within):.4f}", *(f"{recall[group]:.4f}" for group in GROUPS)]
        lines.append(f"| {language} | {articles:,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def core_speed(texts: Sequence[str]) -> tuple[float, float, float]:
    """Texts a second of one core, in processor time: signatures; comparisons with another text; both for each text."""
    rates = []
    for _ in range(3):
        start = time.process_time()
        for text in texts:
            signature(text)
        middle = time.process_time()
        for one, other in pairwise(texts):
            related(shingles(one), shingles(other))
        rates.append((middle - start, time.process_time() - middle))
    signing, comparing = (min(times) / len(texts) for times in zip(*rates, strict=True))
    return 1 / signing, 1 / comparing, 1 / (signing + comparing)


@click.group()
def main() -> None:
    """Near-duplicates: what is found, and how fast.

    Example: python -m benchmarks.near_duplicates quality --limit 100
    """


@main.command()
@click.option("--corpora", type=click.Path(path_type=Path, exists=True), default=SHARED / "corpora", show_default=True)
@click.option("--limit", type=click.IntRange(min=1), help="Articles of each language (default: 1,000).")
def quality(corpora: Path, limit: int | None) -> None:
    """Precision and recall on made texts. Example: ... quality --limit 100"""
    data = Data.of(make_texts(corpora, limit))
    click.echo(f"{len(data.made):,} texts of {len(data.originals):,} articles\n")
    for table in quality_tables(data):
        click.echo(f"{table}\n")


@main.command()
@click.option("--corpora", type=click.Path(path_type=Path, exists=True), default=SHARED / "corpora", show_default=True)
@click.option("--limit", type=click.IntRange(min=10), help="Articles of each language (default: 1,000).")
def stories(corpora: Path, limit: int | None) -> None:
    """Stories under round-ups, chains, live pages and random orders. Example: ... stories --limit 100"""
    for line in unrelated_table(without_boilerplate(bases(corpora, limit))):
        click.echo(line)
    click.echo()
    for line in orders_table(make_texts(corpora, limit)):
        click.echo(line)


@main.command()
@click.option("--corpora", type=click.Path(path_type=Path, exists=True), default=SHARED / "corpora", show_default=True)
@click.option("--limit", type=click.IntRange(min=1), default=100, show_default=True, help="Articles of each language.")
def core(corpora: Path, limit: int) -> None:
    """Signatures and comparisons a second on one core. Example: ... core --limit 100"""
    texts = [one.text for one in make_texts(corpora, limit)]
    signing, comparing, both = core_speed(texts)
    mean = sum(map(len, texts)) / len(texts)
    click.echo(
        f"{len(texts):,} texts of {mean:,.0f} characters: {signing:,.0f} signatures, {comparing:,.0f} comparisons"
    )
    click.echo(f"{both:,.0f} texts a second with signature and one comparison each")


if __name__ == "__main__":
    main()
