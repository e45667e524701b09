"""Compares two extractions of a page, and counts the results of a reextraction by site, in memory that does not grow
with the number of pages. `HintTrial` also counts what the hints of a site's declaration would change, paragraph by
paragraph."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Final, Literal

from newscrawl.model import ProcessedPage
from newscrawl.storage.articles.deciding.known import PreviousReading
from newscrawl.storage.captures.withdrawals import is_withdrawn

WORST_OF_SITE: Final = 5
WORST_OF_ALL: Final = 60
"""Cases shown side by side: a person can read them in a quarter of an hour."""
EXAMPLES: Final = 5
"""Addresses that are kept of each kind of withdrawn articles."""
SHOWN_CHARACTERS: Final = 12_000
"""Characters shown of a text in a case."""
BOUNDS: Final = (0, 100, 300, 600, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000)
"""The limits of the length classes of the distributions, in characters."""


@dataclass(frozen=True, slots=True)
class ReextractedPage:
    """A page with its old and its new text."""

    url: str
    site: str
    difference: ExtractionDifference
    old_extractor: str
    new_extractor: str
    old_text: str
    new_text: str
    old_title: str
    new_title: str


@dataclass
class Lengths:
    """The distribution of articles by length."""

    counts: list[int] = field(default_factory=lambda: [0] * len(BOUNDS))
    articles: int = 0
    total: int = 0

    def add(self, length: int) -> None:
        """Adds an article, unless it has no text."""
        if length:
            self.counts[max(n for n, bound in enumerate(BOUNDS) if length >= bound)] += 1
            self.articles += 1
            self.total += length

    @property
    def mean(self) -> float:
        """Mean number of characters of an article."""
        return self.total / self.articles if self.articles else 0.0


@dataclass
class SiteTally:
    """The results of one site."""

    site: str
    kinds: Counter[Class] = field(default_factory=Counter)
    before: Lengths = field(default_factory=Lengths)
    after: Lengths = field(default_factory=Lengths)
    failures: Counter[str] = field(default_factory=Counter)
    """The reasons of lost articles."""

    @property
    def pages(self) -> int:
        return self.kinds.total()

    @property
    def changed(self) -> int:
        return sum(self.kinds[kind] for kind in CHANGED)


@dataclass
class Withdrawn:
    """Stored articles whose pages are of one other kind now: they are withdrawn when the results are stored."""

    articles: int = 0
    examples: list[str] = field(default_factory=list)
    """The addresses of the first ones."""

    def add(self, url: str) -> None:
        self.articles += 1
        if len(self.examples) < EXAMPLES:
            self.examples.append(url)


_WEIGHTS: Final[dict[Class, float]] = {
    "lost": 1.0,
    "gained": 0.45,
    "metadata": 0.01,
    "same": 0.0,
    "kept": 0.0,
    "none": 0.0,
}


@dataclass
class Tally:
    """The results of all sites, and the worst cases."""

    sites: dict[str, SiteTally] = field(default_factory=dict)
    worst: dict[str, list[tuple[float, int, ReextractedPage]]] = field(default_factory=dict)
    withdrawn: dict[str, Withdrawn] = field(default_factory=dict)
    """By verdict."""
    skipped: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    _numbers: Iterable[int] = field(default_factory=count)

    def add(self, old: PreviousReading, page: ProcessedPage, difference: ExtractionDifference) -> None:
        """Counts one page."""
        raw = page.raw
        site = self.sites.setdefault(raw.site, SiteTally(raw.site))
        site.kinds[difference.kind] += 1
        site.before.add(difference.old_length)
        site.after.add(difference.new_length)
        if difference.kind == "lost":
            site.failures[difference.what] += 1
        if is_withdrawn(page, old):
            self.withdrawn.setdefault(difference.what, Withdrawn()).add(raw.final_url)
        badness = _WEIGHTS.get(difference.kind, 1.0 - difference.similarity)
        if badness > 0:
            self._remember(badness, old, page, difference)

    def withdrawn_kinds(self) -> list[tuple[str, Withdrawn]]:
        """Returns the withdrawn articles by verdict, the most frequent first."""
        return sorted(self.withdrawn.items(), key=lambda pair: (-pair[1].articles, pair[0]))

    def cases(self) -> list[ReextractedPage]:
        """Returns the worst cases of all sites, worst first."""
        entries = [entry for heap in self.worst.values() for entry in heap]
        return [case for _, _, case in heapq.nlargest(WORST_OF_ALL, entries, key=lambda entry: (entry[0], -entry[1]))]

    def _remember(
        self, badness: float, old: PreviousReading, page: ProcessedPage, difference: ExtractionDifference
    ) -> None:
        heap = self.worst.setdefault(page.raw.site, [])
        if len(heap) >= WORST_OF_SITE and badness <= heap[0][0]:
            return
        entry = (badness, -next(iter(self._numbers)), _case(old, page, difference))
        if len(heap) >= WORST_OF_SITE:
            heapq.heapreplace(heap, entry)
        else:
            heapq.heappush(heap, entry)
        if sum(map(len, self.worst.values())) > 2 * WORST_OF_ALL:
            self._prune()

    def _prune(self) -> None:
        kept = heapq.nlargest(WORST_OF_ALL, [entry for heap in self.worst.values() for entry in heap])
        self.worst = {}
        for entry in kept:
            heapq.heappush(self.worst.setdefault(entry[2].site, []), entry)


def _case(old: PreviousReading, page: ProcessedPage, difference: ExtractionDifference) -> ReextractedPage:
    article = page.article
    return ReextractedPage(
        page.raw.final_url,
        page.raw.site,
        difference,
        old.extractor or old.failure or "",
        article.extractor if article is not None else page.failure.code if page.failure is not None else "",
        (old.text or "")[:SHOWN_CHARACTERS],
        (article.text if article is not None else "")[:SHOWN_CHARACTERS],
        old.title or "",
        (article.metadata.title if article is not None else None) or "",
    )


Class = Literal["same", "metadata", "light", "heavy", "other", "gained", "lost", "kept", "none"]
LABELS: Final[dict[Class, str]] = {
    "same": "the same",
    "metadata": "the same text, other title, authors or date",
    "light": "text changed a little",
    "heavy": "text changed much",
    "other": "another text",
    "gained": "an article, none before",
    "lost": "no article, one before",
    "kept": "not stored: the page has a better text",
    "none": "no article before and after",
}
"""The classes of differences, in the order of reports."""
CHANGED: Final[tuple[Class, ...]] = ("metadata", "light", "heavy", "other", "gained", "lost")

LIGHT: Final = 0.9
"""Least similarity of a small change: a line was added or removed."""
HEAVY: Final = 0.5
"""Below this similarity the texts are not the same article."""


@dataclass(frozen=True, slots=True)
class ExtractionDifference:
    """One page under the old and the new extraction. Lengths are in characters, `similarity` from 0 to 1."""

    kind: Class
    old_length: int
    new_length: int
    similarity: float
    what: str = ""
    """For people: the changed metadata, or why there is no article."""


def compare(old: PreviousReading, page: ProcessedPage) -> ExtractionDifference:
    """Compares the page with the stored result of its capture."""
    article = page.article
    before, after = len(old.text or ""), len(article.text) if article is not None else 0
    if article is None:
        failure = page.failure.code if page.failure is not None else ""
        kind: Class = "none" if old.text is None else "lost"
        return ExtractionDifference(kind, before, after, 1.0 if kind == "none" else 0.0, failure)
    if old.text is None and old.failure is None:
        return ExtractionDifference("kept", 0, after, 1.0)
    if old.text is None:
        return ExtractionDifference("gained", before, after, 0.0, old.failure or "")
    changed = _metadata(old, page)
    if old.content_hash == article.content_hash:
        return ExtractionDifference("metadata" if changed else "same", before, after, 1.0, ", ".join(changed))
    alike = similarity(old.text, article.text)
    kind = "light" if alike >= LIGHT else "heavy" if alike >= HEAVY else "other"
    return ExtractionDifference(kind, before, after, alike, ", ".join(changed))


def similarity(one: str, other: str) -> float:
    """Returns the share of words that two texts have in common (Dice's coefficient over words with their counts); of
    characters, if a text is written without blanks."""
    first, second = Counter(_pieces(one)), Counter(_pieces(other))
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 1.0


_LONG_WORD: Final = 25
"""Mean length of words, in characters, from which a text counts as written without blanks."""


def _pieces(text: str) -> list[str]:
    words = text.split()
    return list(text) if len(text) > _LONG_WORD * max(1, len(words)) else words


def _metadata(old: PreviousReading, page: ProcessedPage) -> list[str]:
    """The names of the metadata that differ."""
    if page.article is None or old.extractor is None:
        return []
    metadata = page.article.metadata
    published = metadata.published.when if metadata.published is not None else None
    pairs = {
        "title": (old.title, metadata.title),
        "authors": (old.authors, metadata.authors),
        "date": (old.published, published),
    }
    return [name for name, (before, after) in pairs.items() if before != after]


Effect = Literal["same", "loses_one", "loses_more", "gains", "both", "loses_much", "gone", "new"]
EFFECTS: Final[dict[Effect, str]] = {
    "same": "have the same text",
    "loses_one": "lose one paragraph",
    "loses_more": "lose two paragraphs or more",
    "gains": "gain text",
    "both": "lose some text and gain some",
    "loses_much": "lose more than 5 % of their text",
    "gone": "give no article, and gave one",
    "new": "give an article, and gave none",
}
"""The effects in the order of the output. A page that loses more than 5 % of its text counts only as `loses_much`."""
MUCH: Final = 0.05
"""Share of a text's characters whose loss needs a look: an advert or a box has less in an article."""
SHOWN_PAGES: Final = 5
"""Pages shown of each effect."""
SHOWN_OF_PARAGRAPH: Final = 160
"""Characters shown of a paragraph."""


@dataclass(frozen=True, slots=True)
class Example:
    """A page with an effect, and a paragraph that it loses or gains."""

    effect: Effect
    url: str
    lost: str
    gained: str


@dataclass
class HintTrial(Tally):
    """The results of a site's captures with the hints of its declaration, beside what is stored."""

    effects: Counter[Effect] = field(default_factory=Counter)
    fields: Counter[str] = field(default_factory=Counter)
    """For each of title, authors and date the number of pages on which it differs."""
    matches: Counter[str] = field(default_factory=Counter)
    """For each hint the number of pages on which it matches an element."""
    hinted: int = 0
    """Pages with an article to which hints apply."""
    examples: list[Example] = field(default_factory=list)

    def add(self, old: PreviousReading, page: ProcessedPage, difference: ExtractionDifference) -> None:
        """Counts one page."""
        super().add(old, page, difference)
        new = page.article.text if page.article is not None else None
        lost, gained = changed_paragraphs(old.text or "", new or "")
        effect = effect_of(old.text, new, lost, gained)
        self.effects[effect] += 1
        self.fields.update(name.strip() for name in difference.what.split(",") if page.article is not None and name)
        if page.article is not None and page.article.hints:
            self.hinted += 1
            for match in page.article.hints:
                self.matches[match.label] += bool(match.number)
        if effect != "same" and sum(example.effect == effect for example in self.examples) < SHOWN_PAGES:
            first = [next(iter(paragraphs), "")[:SHOWN_OF_PARAGRAPH] for paragraphs in (lost, gained)]
            self.examples.append(Example(effect, page.raw.final_url, *first))

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yields the number of pages and the words of each effect; of the most common ones also if it is 0."""
        always: set[Effect] = {"same", "loses_one", "loses_much"}
        for effect, label in EFFECTS.items():
            if self.effects[effect] or effect in always:
                yield self.effects[effect], label


def changed_paragraphs(old: str, new: str) -> tuple[list[str], list[str]]:
    """Returns the paragraphs that only the old text has, and those that only the new one has, in their order."""
    before, after = ([line for line in text.split("\n") if line.strip()] for text in (old, new))
    lost, gained = Counter(before) - Counter(after), Counter(after) - Counter(before)
    return _among(before, lost), _among(after, gained)


def effect_of(old: str | None, new: str | None, lost: list[str], gained: list[str]) -> Effect:
    """Returns the effect on one page. A text is None without an article."""
    if not old or not new:
        return "same" if bool(old) == bool(new) else "gone" if old else "new"
    if len(old) - len(new) > MUCH * len(old):
        return "loses_much"
    if lost and gained:
        return "both"
    if gained:
        return "gains"
    if not lost:
        return "same"
    return "loses_one" if len(lost) == 1 else "loses_more"


def _among(lines: list[str], wanted: Counter[str]) -> list[str]:
    left = wanted.copy()
    found = []
    for line in lines:
        if left[line] > 0:
            left[line] -= 1
            found.append(line)
    return found
