"""Measures how well near-duplicates are found: texts of the corpora changed by known operations, in six
languages.

    python -m benchmarks.near_duplicates quality
    python -m benchmarks.near_duplicates stories


Two texts made from one article are a pair to be found, two others are not: articles of one site, texts that share its
boilerplate, that borrow a lead or a paragraph, that have the names and numbers of another edition.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

import click
from memory_stories import MemoryStories, one_pass, shuffled

from benchmarks.near_duplicates.texts import (
    COPIES,
    EDITS,
    EXCERPTS,
    NEGATIVE,
    PIECES,
    Base,
    Made,
    bases,
    make_texts,
    sentences,
)
from benchmarks.support.common import SHARED
from newscrawl.model.identity.signature import shingles, signature
from newscrawl.model.identity.stories import compare, related
from newscrawl.storage.duplicates.join import MAX_ARTICLES, MIN_SHARED

ROUND_UPS: Final = 100
"""Round-ups of each size."""
SIZES: Final = (2, 3, 6)
BOX: Final = 20
"""Words of the box that the articles of a round-up share. One that is more than a quarter of an article is, for the
rules, as much of it as an article's own words."""
CHAINS: Final = 100
LIVE: Final = 50
STATES: Final = 12
"""States of a live page; each lacks the oldest seventh of the one before and has as much that is new."""
ORDERS: Final = 3


@dataclass(frozen=True, slots=True)
class Case:
    """Texts in the order of arrival, and which articles each has words of."""

    name: str
    texts: Sequence[str]
    sources: Sequence[frozenset[int]]

    def unrelated(self) -> int:
        """Pairs of texts without a common article that are put into one story."""
        return sum(
            not self.sources[one] & self.sources[other]
            for story in one_pass(dict(enumerate(self.texts))).stories()
            for one, other in combinations(sorted(story), 2)
        )


def cases(articles: Sequence[Base]) -> Iterator[Case]:
    """Every row of what must not come together. `articles` resemble each other nowhere."""
    for boxed in (False, True):
        for size in SIZES:
            for place in ("first", "last"):
                yield _round_ups(articles, size, place, boxed=boxed)
    for backwards in (False, True):
        yield _chains(articles, backwards=backwards)
    yield _live(articles)


def _round_ups(articles: Sequence[Base], size: int, place: str, *, boxed: bool) -> Case:
    chance = random.Random(f"{size} {boxed}")
    texts: list[str] = []
    sources: list[frozenset[int]] = []
    for _ in range(ROUND_UPS):
        chosen = chance.sample(range(len(articles)), size)
        box = f"\n\n{first_words(articles[chosen[0]].boilerplate, BOX)}" if boxed else ""
        single = [f"{articles[one].text}{box}" for one in chosen]
        parts = list(zip(single, (frozenset({one}) for one in chosen), strict=True))
        whole = ("\n\n".join(single), frozenset[int]().union(*(source for _, source in parts)))
        for text, source in [whole, *parts] if place == "first" else [*parts, whole]:
            texts.append(text)
            sources.append(source)
    name = f"round-ups of {size}, seen {place}{', with one box' if boxed else ''}"
    return Case(name, texts, sources)


def _chains(articles: Sequence[Base], *, backwards: bool) -> Case:
    chance = random.Random("chains")
    texts: list[str] = []
    sources: list[frozenset[int]] = []
    for _ in range(CHAINS):
        one, other = chance.sample(range(len(articles)), 2)
        first, last = (_of_length(articles[place].text, 2_000) for place in (one, other))
        steps = [
            f"{first[: int(len(first) * part)]} {last[int(len(last) * part) :]}" for part in (1.0, 0.55, 0.45, 0.0)
        ]
        mine, theirs = frozenset({one}), frozenset({other})
        chain = list(zip(steps, (mine, mine | theirs, mine | theirs, theirs), strict=True))
        for text, source in reversed(chain) if backwards else chain:
            texts.append(text)
            sources.append(source)
    return Case(f"chains of four steps{', backwards' if backwards else ''}", texts, sources)


def _live(articles: Sequence[Base]) -> Case:
    chance = random.Random("live")
    texts: list[str] = []
    sources: list[frozenset[int]] = []
    for _ in range(LIVE):
        chosen = chance.sample(range(len(articles)), min(len(articles), STATES + 6))
        parts = [_of_length(articles[place].text, 400) for place in chosen]
        for state in range(len(parts) - 6):
            texts.append("\n".join(parts[state : state + 7]))
            sources.append(frozenset(chosen[state : state + 7]))
    return Case("live pages that drift", texts, sources)


def first_words(text: str, number: int) -> str:
    """The first words of a text, two letters for each where a script has no blanks between them."""
    pieces = list(PIECES.finditer(text))
    return text[: pieces[min(number, len(pieces)) - 1].end()] if pieces else text


def _of_length(text: str, size: int) -> str:
    return (text * (size // max(1, len(text)) + 1))[:size] if len(text) < size else text[:size]


def unrelated_table(articles: Sequence[Base]) -> Iterator[str]:
    """Yields the lines of a table: pairs of unrelated articles that were put into one story."""
    yield "| pages | texts | pairs of unrelated articles in one story |"
    yield "|---|--:|--:|"
    for case in cases(articles):
        yield f"| {case.name} | {len(case.texts):,} | {case.unrelated():,} |"


def orders_table(made: Sequence[Made]) -> Iterator[str]:
    """The lines of a table: what is found beside its original in order, and what stays together in random orders."""
    texts = {place: one.text for place, one in enumerate(made)}
    in_order = one_pass(texts)
    yield "| operation | in the story of the original | in the story or linked with it |"
    yield "|---|--:|--:|"
    for operation, (member, linked) in _found(made, in_order).items():
        yield f"| {operation} | {member:.4f} | {linked:.4f} |"
    yield ""
    yield "| order of arrival | texts | pairs of one family in one story |"
    yield "|---|--:|--:|"
    together = EDITS | COPIES | {"original"}
    family = {place: text for place, text in texts.items() if made[place].operation in together | NEGATIVE}
    yield f"| in the order of writing | {len(texts):,} | {_together(made, in_order):.4f} |"
    for name, some in (("without excerpts", family), ("with excerpts", texts)):
        for seed in range(1, ORDERS + 1):
            arrived = one_pass(some, shuffled(some, seed))
            yield f"| random {seed}, {name} | {len(some):,} | {_together(made, arrived):.4f} |"


def _found(made: Sequence[Made], stories: MemoryStories) -> dict[str, tuple[float, float]]:
    originals = {one.family: place for place, one in enumerate(made) if one.operation == "original"}
    linked = {frozenset((link.part, link.whole)) for one in stories.decisions.values() for link in one.links}
    sizes, members, links = Counter[str](), Counter[str](), Counter[str]()
    for place, one in enumerate(made):
        if one.operation in EDITS | COPIES | EXCERPTS:
            story = stories.representatives.get(originals[one.family])
            is_member = story is not None and stories.representatives.get(place) == story
            story_of = {story, originals[one.family]}
            sizes[one.operation] += 1
            members[one.operation] += is_member
            links[one.operation] += is_member or any(frozenset((place, other)) in linked for other in story_of)
    return {name: (members[name] / size, links[name] / size) for name, size in sizes.items()}


def _together(made: Sequence[Made], stories: MemoryStories) -> float:
    """The part of the pairs of edits and agency copies of one article that are of one story."""
    families: dict[int, list[int]] = defaultdict(list)
    for place in stories.representatives:
        if made[place].operation in EDITS | COPIES | {"original"}:
            families[made[place].family].append(place)
    pairs = [pair for places in families.values() for pair in combinations(places, 2)]
    return sum(stories.representatives[one] == stories.representatives[other] for one, other in pairs) / max(
        1, len(pairs)
    )


def without_boilerplate(articles: Sequence[Base]) -> list[Base]:
    """Those of the articles that hold no sentence of another: what they share would make them related."""
    holders = Counter(part for one in articles for part in set(sentences(one.text)) if len(part.strip()) > 20)
    return [one for one in articles if all(holders[part] <= 1 for part in set(sentences(one.text)))]


Pair = tuple[int, int]

GROUPS: Final[Mapping[str, frozenset[str]]] = {
    "light edits": EDITS,
    "agency copies": COPIES,
    "half excerpts": EXCERPTS,
    "quarter": frozenset({"quarter"}),
}


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
    """Markdown: what the rules find by operation and by language."""
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


@click.group()
def main() -> None:
    """Near-duplicates: what is found.

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


if __name__ == "__main__":
    main()
