"""The differences between two readings of a page: the class of the change, the new entries of a live report, and a
difference to read. Pure.

Classes come from counted sentences, in time linear in the texts. The difference to read is difflib's, between
paragraphs. Texts that are too long for it are shown as replaced between their equal beginning and equal end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final, Literal, Self

from newscrawl.model import Article, LiveEntry
from newscrawl.model.identity import content_hash
from newscrawl.model.identity.content import caseless_nfkc
from newscrawl.storage.records import EntryName, PageRow, Shown

ChangeClass = Literal["correction", "addition", "replaced", "headline", "live update"]

FURNITURE_WORDS: Final = 12
FURNITURE_CHARACTERS: Final = 100
"""A paragraph within both limits that ends without a full stop is a link, a time stamp, a counter or a subheading. The
limit of characters is for scripts without blanks."""

FURNITURE_CHANGE: Final = 30
"""Changed words in such lines that do not make a version. More of them are a list of results or a ticker."""

MOSTLY_SENTENCES: Final = 0.5
"""Share of a text's characters in paragraphs with a sentence end. Below it, the ends of lines are no evidence: Thai has
no full stops, and a table of results has none either."""

ADDITION: Final = 4
"""An addition has at least this many times as many new words as lost words: an editor who adds three paragraphs may
correct a comma, too."""

REPLACED: Final = 0.1
"""A text is another one, not an edit, if it shares less than this with the former one: less of its words in whole
sentences, and of the smaller text's shingles (newscrawl.model.identity.signature)."""

BROKEN_REST: Final = 0.5
BROKEN_NEW: Final = 0.05
"""A page was cut off if it lost more than `1 - BROKEN_REST` of its words and its new words are at most `BROKEN_NEW` of
those it lost."""

DIFF_PAIRS: Final = 100_000
"""Pairs of paragraphs (or of words in a paragraph) that difflib may compare. Its worst case is quadratic."""

NAME_CHARACTERS: Final = 100
"""Characters that stand for an entry without a title."""

_ENDS: Final = re.compile(r"[.!?…。！？।॥؟۔։።:;][\"'”’»›)\]」』]*$")
_SENTENCE: Final = re.compile(r"(?<=[.!?…])[\"'”’»)\]]*\s+|(?<=[。！？।॥؟۔։።])")


@dataclass(frozen=True, slots=True)
class PageSnapshot:
    """What is compared of the text that a page showed at one time. `identity` is the text's, "" if it is not known."""

    text: str
    title: str | None = None
    authors: Sequence[str] = ()
    verdict: str = "article"
    entries: Sequence[EntryName] = ()
    """Those of a live report."""
    identity: str = ""
    is_dated: bool = False
    """Whether the page stated when it was published."""
    problems: Collection[str] = ()

    @classmethod
    def of(cls, article: Article) -> Self:
        """Returns what is compared of an incoming article."""
        stated = article.metadata
        names = names_of(stated.live_entries)
        is_dated = stated.published is not None
        own = article.identity_key or "", is_dated, article.problems
        return cls(article.text, stated.title, stated.authors, article.verdict, names, *own)

    @classmethod
    def shown(cls, shown: Shown | None, base: PageRow, text: str) -> Self:
        """Returns what is compared of the text that the page `base` shows; `shown` is its stored version."""
        verdict, identity = base.verdict or "article", base.identity or ""
        if shown is None:
            return cls(text, verdict=verdict, identity=identity)
        stated = shown.metadata
        authors, is_dated = tuple(stated["authors"] or ()), stated["published"] is not None
        return cls(text, stated["title"], authors, verdict, shown.entries, identity, is_dated)


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two readings.

    `change` is None if only boilerplate changed. `lost` and `gained` count the words of sentences that were removed and
    added. `broken` says that the page was cut off rather than edited. `entries` are the new entries of a live report.
    """

    change: ChangeClass | None
    lost: int = 0
    gained: int = 0
    broken: bool = False
    entries: Sequence[EntryName] = ()


def compare(old: PageSnapshot, new: PageSnapshot) -> Difference:
    """Returns the difference between two readings, from their texts, titles, authors, verdicts and entries.

    A live report is updated by a new entry, or by any change where the entries of one reading are not known. Other
    changes of it have the classes of other articles.
    """
    relabelled = label_changed(old, new)
    if old.text == new.text:
        return Difference("headline" if relabelled else None)
    sides = _paragraphs(old.text), _paragraphs(new.text)
    lost, gained = (Counter(_sentences(side)) for side in sides)
    lost_words, gained_words = _words(lost - gained), _words(gained - lost)
    rest = _words(lost) - lost_words
    broken = rest < BROKEN_REST * (rest + lost_words) and gained_words <= BROKEN_NEW * lost_words
    if {old.verdict, new.verdict} != {"live"} and _is_replaced(old.text, new.text, rest, lost_words, gained_words):
        return Difference("replaced", lost_words, gained_words)
    if "live" in {old.verdict, new.verdict}:
        added = new_entries(old.entries, new.entries) if old.entries and new.entries else ()
        if added or not (old.entries and new.entries):
            return Difference("live update", lost_words, gained_words, broken, added)
    if _only_furniture(*sides):
        return Difference("headline" if relabelled else None, lost_words, gained_words)
    is_addition = gained_words > 0 and gained_words >= ADDITION * lost_words
    return Difference("addition" if is_addition else "correction", lost_words, gained_words, broken)


def _is_replaced(old: str, new: str, rest: int, lost: int, gained: int) -> bool:
    """Returns whether the new text is another one. `rest` are the words of the sentences that both have."""
    if rest >= REPLACED * (rest + min(lost, gained)):
        return False
    from newscrawl.model.identity import stories
    from newscrawl.model.identity.signature import shingles

    sides = shingles(old), shingles(new)
    return min(map(len, sides)) > 0 and stories.compare(*sides).containment < REPLACED


def label_changed(old: PageSnapshot, new: PageSnapshot) -> bool:
    """Returns whether title or authors changed. A reading without a title or without authors is not compared by it."""
    if old.title and new.title and caseless_nfkc(old.title) != caseless_nfkc(new.title):
        return True
    return bool(old.authors and new.authors) and set(map(caseless_nfkc, old.authors)) != set(
        map(caseless_nfkc, new.authors)
    )


def label_key(title: str | None, authors: Iterable[str]) -> str:
    """Returns a key that is equal for titles and authors between which `label_changed` finds no change."""
    return content_hash("\n".join([caseless_nfkc(title or ""), *sorted(map(caseless_nfkc, authors))]))


def readable(old: str, new: str) -> list[str]:
    """Returns the difference as lines: `- ` removed, `+ ` added, `~ ` changed, with [-removed-] and {+added+} words in
    it. Equal paragraphs are left out."""
    before, after = _paragraphs(old), _paragraphs(new)
    lines: list[str] = []
    for a, b, _ in _replaced(before, after):
        if len(a) == len(b):
            lines += [f"~ {_inline(x, y)}" for x, y in zip(a, b, strict=True)]
        else:
            lines += [f"- {line}" for line in a] + [f"+ {line}" for line in b]
    return lines


def _paragraphs(text: str) -> list[str]:
    return [line for line in (" ".join(part.split()) for part in text.split("\n")) if line]


def _sentences(paragraphs: Iterable[str]) -> Iterator[str]:
    for paragraph in paragraphs:
        yield from (part for part in _SENTENCE.split(paragraph) if part)


def _words(counted: Counter[str]) -> int:
    """Returns the number of words. In a line that is not ASCII it is at least an eighth of the characters."""
    return sum(
        max(len(line.split()), 0 if line.isascii() else len(line) // 8) * count for line, count in counted.items()
    )


def _is_furniture(line: str) -> bool:
    short = len(line) <= FURNITURE_CHARACTERS and len(line.split()) <= FURNITURE_WORDS
    return short and not _ENDS.search(line)


def _only_furniture(old: Sequence[str], new: Sequence[str]) -> bool:
    """Returns whether the sentences are the same in the same order and only little around them changed."""
    if not (_mostly_sentences(old) and _mostly_sentences(new)):
        return _same_words(old, new)
    if not _same_words(*([line for line in side if not _is_furniture(line)] for side in (old, new))):
        return False
    before, after = (Counter(filter(_is_furniture, side)) for side in (old, new))
    removed, added = before - after, after - before
    if _words(removed) + _words(added) > FURNITURE_CHANGE:
        return False
    return not any(_is_corrected(a, b) for a in removed for b in added)


def _same_words(old: Sequence[str], new: Sequence[str]) -> bool:
    return caseless_nfkc("\n".join(old)) == caseless_nfkc("\n".join(new))


def _mostly_sentences(paragraphs: Sequence[str]) -> bool:
    ended = sum(len(line) for line in paragraphs if _ENDS.search(line))
    return ended >= MOSTLY_SENTENCES * sum(map(len, paragraphs))


def _is_corrected(old: str, new: str) -> bool:
    """Returns whether the new line corrects the spelling of the old one. A line with digits never counts as that."""
    if any(map(str.isdigit, old + new)):
        return False
    before, after = set(old.casefold().split()), set(new.casefold().split())
    return 2 * len(before & after) >= max(len(before), len(after)) and before != after


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str], int]]:
    """Yields the stretches in which the two differ, each with its place in the new one."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    a, b = old[start : len(old) - end], new[start : len(new) - end]
    if len(a) * len(b) > DIFF_PAIRS:
        yield a, b, start
        return
    matcher: Any = SequenceMatcher(None, a, b, autojunk=False)
    for tag, a_from, a_to, b_from, b_to in matcher.get_opcodes():
        if tag != "equal":
            yield a[a_from:a_to], b[b_from:b_to], start + b_from


def _inline(old: str, new: str) -> str:
    """Returns the new paragraph with its changes marked."""
    before, after = old.split(), new.split()
    parts: list[str] = []
    position = 0
    for a, b, at in _replaced(before, after):
        parts += after[position:at]
        parts += [f"[-{' '.join(a)}-]"] if a else []
        parts += [f"{{+{' '.join(b)}+}}"] if b else []
        position = at + len(b)
    return " ".join(parts + after[position:])


def names_of(entries: Iterable[LiveEntry]) -> tuple[EntryName, ...]:
    """Returns the names of the entries of a reading."""
    return tuple(
        EntryName(e.at.isoformat() if e.at else None, e.title or e.text[:NAME_CHARACTERS], e.id) for e in entries
    )


def stored_names(entries: Iterable[Mapping[str, Any]] | None) -> tuple[EntryName, ...]:
    """Returns the names of stored entries (`versions.live_entries`)."""
    return tuple(
        EntryName(e.get("at"), e.get("title") or (e.get("text") or "")[:NAME_CHARACTERS], e.get("id"))
        for e in entries or ()
    )


def new_entries(old: Sequence[EntryName], new: Sequence[EntryName]) -> tuple[EntryName, ...]:
    """Returns the entries of `new` that `old` does not have, in the order of the page.

    An edited entry keeps its time, or the page's own name for it, and is not new. Times alone are compared last, since
    two entries may be of the same minute, and names by themselves only where no time is stated, since some pages number
    their entries from the top.
    """
    keys: tuple[Callable[[EntryName], Hashable], ...] = (
        lambda entry: (entry.at, entry.title),
        lambda entry: entry.at,
        lambda entry: entry.id if entry.at is None else None,
    )
    rest_old, rest_new = list(old), list(new)
    for key in keys:
        rest_old, rest_new = _unmatched(rest_old, rest_new, key)
    return tuple(rest_new)


def _unmatched(
    old: Sequence[EntryName], new: Sequence[EntryName], key: Callable[[EntryName], Hashable]
) -> tuple[list[EntryName], list[EntryName]]:
    """Returns the entries of both that have no partner with the same key. None is the key of no entry."""
    left = Counter(map(key, old))
    left[None] = 0
    alone: list[EntryName] = []
    for entry in new:
        if left[key(entry)] > 0:
            left[key(entry)] -= 1
        else:
            alone.append(entry)
    remaining: list[EntryName] = []
    for entry in old:
        if key(entry) is None or left[key(entry)] > 0:
            left[key(entry)] -= key(entry) is not None
            remaining.append(entry)
    return remaining, alone
