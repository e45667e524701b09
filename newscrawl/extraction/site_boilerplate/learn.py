"""Learns a site's boilerplate from its recent texts. Pure.

A line is boilerplate if enough different stories have it. Pages of one story count once: versions of a page, its print
page, and near-copies at other addresses. Otherwise a column that a site publishes at four addresses would be
boilerplate on all of them.

Two texts are of one story if they are of the same page, or if the lines that few texts have are mostly the same in
both. Lines that many texts have say nothing: with 4,000 characters of rules below each article, every two texts of the
site are near-copies of each other.

Lines that credit a news agency or a source are never boilerplate: a newspaper repeats them on purpose, under every
item.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from newscrawl.extraction.site_boilerplate.epoch import Line, SiteBoilerplate, has_letters, key_of
from newscrawl.model.word_lists import read_words

MIN_STORIES: Final = 4
"""Stories that have a line of boilerplate at least. The story of the page itself may be one of them, so at least three
others have it."""
MIN_SHARE: Final = 0.2
"""Share of the recent stories that have it at least. What a newspaper repeats on purpose stands on fewer: a helpline
under ten articles, the introduction of a series, the heading of a correction."""
MIN_SHARE_IN_COMMON: Final = 0.5
"""Two texts with more than this share of the characters of the smaller one in common are of one story. Only lines that
few texts have are counted."""
ENOUGH_STORIES: Final = 20
"""Stories from which a line of the previous epoch may go; from here on `MIN_SHARE` decides and not `MIN_STORIES`. A
machine whose archive has only a few pages of the site must not forget what another machine has learned."""
RECENT_TEXTS: Final = 200
"""Texts that an epoch is learned from, the newest ones: a week of a large newspaper."""
MIN_CHANGED: Final = 0.01
"""Share of the recent texts that a new epoch changes at least. Otherwise the old one stays."""


@dataclass(frozen=True, slots=True)
class RecentText:
    """The lines of a page from which boilerplate is learned (newscrawl.extraction.article.from_page).

    `page` is a number that all captures of the page have, `selected` the keys of the lines that the chain selects,
    `title` the folded title, None if it is not known.
    """

    page: int
    lines: tuple[Line, ...]
    selected: frozenset[int]
    title: str | None = None

    @classmethod
    def of(cls, page: int, text: str, selected: Iterable[int], title: str | None = None) -> RecentText:
        """Returns the page with the lines of `text`."""
        lines = tuple(
            Line(key_of(line), len(line), has_letters(line) and not is_agency_line(line))
            for line in text.split("\n")
            if line.strip()
        )
        return cls(page, lines, frozenset(selected), " ".join(title.casefold().split()) if title else None)


def learn(texts: Sequence[RecentText], previous: SiteBoilerplate) -> SiteBoilerplate:
    """Returns the boilerplate of the site as the epoch after `previous`. Equal texts give an equal epoch.

    A line of `previous` that no recent text has stays, so that older pages keep their texts when they are extracted
    again. One that stands on too few recent stories goes, if there are `ENOUGH_STORIES`. The counts of lines that stay
    are scaled to the new number of stories.
    """
    stories = _stories(texts)
    standing: dict[int, set[int]] = defaultdict(set)
    for text, story in zip(texts, stories, strict=True):
        for line in text.lines:
            if line.is_candidate:
                standing[line.key].add(story)
    number = len(set(stories))
    needed = max(MIN_STORIES, MIN_SHARE * number)
    found = {key: len(having) for key, having in standing.items() if len(having) >= needed}
    goes = standing if number >= ENOUGH_STORIES else found
    before = max(1, previous.stories)
    kept = {key: max(1, count * number // before) for key, count in previous.counts.items() if key not in goes}
    return SiteBoilerplate.of(previous.epoch + 1, number, {**kept, **found})


def changed_share(texts: Sequence[RecentText], old: SiteBoilerplate, new: SiteBoilerplate) -> float:
    """Returns the share of the texts from which `new` leaves out other lines than `old`."""
    other = changed_lines(old, new)
    return sum(not other.isdisjoint(text.selected) for text in texts) / len(texts) if texts else 0.0


def changed_lines(old: SiteBoilerplate, new: SiteBoilerplate) -> frozenset[int]:
    """Returns the keys of the lines that only one of the two epochs has."""
    return frozenset(old.counts.keys() ^ new.counts.keys())


def _stories(texts: Sequence[RecentText]) -> list[int]:
    """Returns the number of the story of each text."""
    texts_with = Counter(key for text in texts for key in {line.key for line in text.lines})
    few = max(MIN_STORIES, MIN_SHARE * len(texts))
    rare = [{line.key: line.characters for line in text.lines if texts_with[line.key] < few} for text in texts]
    leaders = list(range(len(texts)))

    def leader(number: int) -> int:
        while leaders[number] != number:
            leaders[number] = number = leaders[leaders[number]]
        return number

    for one, other in _same_pages_and_titles(texts, rare):
        leaders[leader(other)] = leader(one)
    for (one, other), characters in _in_common(rare).items():
        if characters > MIN_SHARE_IN_COMMON * min(sum(rare[one].values()), sum(rare[other].values())):
            leaders[leader(other)] = leader(one)
    return [leader(number) for number in range(len(texts))]


def _same_pages_and_titles(texts: Sequence[RecentText], rare: Sequence[Mapping[int, int]]) -> Iterable[tuple[int, int]]:
    """Yields pairs of texts of the same page; and of the same title, if both have no line of their own."""
    first: dict[object, int] = {}
    for number, text in enumerate(texts):
        yield first.setdefault(text.page, number), number
        if not rare[number]:
            yield first.setdefault(("title", text.title), number), number


def _in_common(rare: Sequence[Mapping[int, int]]) -> Counter[tuple[int, int]]:
    """Returns how many characters two texts have in common, in lines that few texts have."""
    having: dict[int, list[int]] = defaultdict(list)
    for number, lines in enumerate(rare):
        for key in lines:
            having[key].append(number)
    common: Counter[tuple[int, int]] = Counter()
    for key, numbers in having.items():
        for place, one in enumerate(numbers):
            for other in numbers[place + 1 :]:
                common[one, other] += min(rare[one][key], rare[other][key])
    return common


MAX_CHARACTERS: Final = 80
"""Characters of a credit line. A longer line that names an agency is a sentence or a legal note."""

_AGENCIES: Final = read_words(__file__, "agencies.txt")
_NAMED: Final = re.compile(
    r"(?<!\w)(?:"
    + "|".join(re.escape(name) for name in sorted(_AGENCIES, key=len, reverse=True) if name.isascii())
    + r")(?!\w)|"
    + "|".join(re.escape(name) for name in sorted(_AGENCIES, key=len, reverse=True) if not name.isascii())
)


def is_agency_line(line: str) -> bool:
    """Returns whether the line is short and names a news agency, such as "(Reuters)" or "Source: PAP". Case counts,
    because an abbreviation may also be a word. Takes time linear in at most `MAX_CHARACTERS` characters."""
    return len(line) <= MAX_CHARACTERS and _NAMED.search(line) is not None
