"""What happened between two readings of a page: the class of the change, and how a person reads it. Pure.

Classes come from counted sentences, which takes time linear in the texts. The readable difference is difflib's between
paragraphs, within bounds: beyond them what lies between the equal beginning and the equal end is shown as replaced.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final, Literal

from newscrawl.identity import content_hash
from newscrawl.identity.content import caseless_nfkc

ChangeClass = Literal["correction", "addition", "headline", "live update"]

FURNITURE_WORDS: Final = 12
FURNITURE_CHARACTERS: Final = 100
"""A paragraph that ends without a full stop and is no longer than a headline is a link, a stamp, a counter or a
subheading. Scripts without blanks are held by the characters."""

FURNITURE_CHANGE: Final = 30
"""Words of such lines that may come and go without a version; more are a list of results or a ticker."""

MOSTLY_SENTENCES: Final = 0.5
"""Share of a text's characters in paragraphs that end as sentences do; below it nothing can be told from endings
(Thai has none, and neither has a table of results)."""

ADDITION: Final = 4
"""An addition brings so many times the words it takes away: who adds three paragraphs mends a comma as well."""

BROKEN_REST: Final = 0.5
BROKEN_NEW: Final = 0.05
"""A page that lost more than half of its words and brought next to none (as a share of those it lost) was cut off."""

DIFF_PAIRS: Final = 100_000
"""Pairs of paragraphs (or words of a paragraph) that difflib compares at most; its worst case is quadratic in them."""

_ENDS: Final = re.compile(r"[.!?…。！？।॥؟۔։።:;][\"'”’»›)\]」』]*$")
_SENTENCE: Final = re.compile(r"(?<=[.!?…])[\"'”’»)\]]*\s+|(?<=[。！？।॥؟۔։።])")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a page showed at one time."""

    text: str
    title: str | None = None
    authors: Sequence[str] = ()
    verdict: str = "article"


@dataclass(frozen=True, slots=True)
class Difference:
    """`change` is None where nothing but boilerplate changed. `lost` and `gained` are words of sentences that are gone
    and new. `broken` says that the page was cut off rather than edited."""

    change: ChangeClass | None
    lost: int = 0
    gained: int = 0
    broken: bool = False


def compare(old: Reading, new: Reading) -> Difference:
    """What lies between two readings, from their texts and titles alone."""
    relabelled = label_changed(old, new)
    if old.text == new.text:
        return Difference("headline" if relabelled else None)
    sides = _paragraphs(old.text), _paragraphs(new.text)
    lost, gained = _counted(_sentences(sides[0])), _counted(_sentences(sides[1]))
    gone, come = _words(lost - gained), _words(gained - lost)
    rest = _words(lost) - gone
    broken = rest < BROKEN_REST * (rest + gone) and come <= BROKEN_NEW * gone
    if "live" in {old.verdict, new.verdict}:
        return Difference("live update", gone, come, broken)
    if _only_furniture(*sides):
        return Difference("headline" if relabelled else None, gone, come)
    is_addition = come > 0 and come >= ADDITION * gone
    return Difference("addition" if is_addition else "correction", gone, come, broken)


def label_changed(old: Reading, new: Reading) -> bool:
    """Whether title or authors are others; where one reading has none, nothing can be said."""
    if old.title and new.title and caseless_nfkc(old.title) != caseless_nfkc(new.title):
        return True
    return bool(old.authors and new.authors) and set(map(caseless_nfkc, old.authors)) != set(
        map(caseless_nfkc, new.authors)
    )


def label_key(title: str | None, authors: Iterable[str]) -> str:
    """One key for titles and authors that `label_changed` holds for the same."""
    return content_hash("\n".join([caseless_nfkc(title or ""), *sorted(map(caseless_nfkc, authors))]))


def readable(old: str, new: str) -> list[str]:
    """The difference as lines: `- ` gone, `+ ` new, `~ ` changed, with [-gone-] and {+new+} words in it. What stayed is
    left out."""
    before, after = _paragraphs(old), _paragraphs(new)
    lines: list[str] = []
    for a, b in _replaced(before, after):
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


def _counted(lines: Iterable[str]) -> Counter[str]:
    return Counter(lines)


def _words(counted: Counter[str]) -> int:
    return sum(_length(line) * count for line, count in counted.items())


def _length(line: str) -> int:
    """Words; in scripts without blanks two characters are one."""
    return len(line.split()) if line.isascii() else max(len(line.split()), len(line) // 8)


def _is_furniture(line: str) -> bool:
    short = len(line) <= FURNITURE_CHARACTERS and len(line.split()) <= FURNITURE_WORDS
    return short and not _ENDS.search(line)


def _only_furniture(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether the sentences are the same in the same order, and only little of what stands around them changed."""
    if not (_mostly_sentences(old) and _mostly_sentences(new)):
        return _same_words(old, new)
    if not _same_words(*([line for line in side if not _is_furniture(line)] for side in (old, new))):
        return False
    before, after = (Counter(filter(_is_furniture, side)) for side in (old, new))
    gone, come = before - after, after - before
    if _words(gone) + _words(come) > FURNITURE_CHANGE:
        return False
    return not any(_is_mended(a, b) for a in gone for b in come)


def _same_words(old: Sequence[str], new: Sequence[str]) -> bool:
    return caseless_nfkc("\n".join(old)) == caseless_nfkc("\n".join(new))


def _mostly_sentences(paragraphs: Sequence[str]) -> bool:
    ended = sum(len(line) for line in paragraphs if _ENDS.search(line))
    return ended >= MOSTLY_SENTENCES * sum(map(len, paragraphs))


def _is_mended(old: str, new: str) -> bool:
    """Whether a line is another spelling of the same line, and no counter or clock: a subheading put right."""
    if any(map(str.isdigit, old + new)):
        return False
    before, after = set(old.casefold().split()), set(new.casefold().split())
    return 2 * len(before & after) >= max(len(before), len(after)) and before != after


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """The stretches in which the two differ."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    a, b = old[start : len(old) - end], new[start : len(new) - end]
    if not a and not b:
        return
    if len(a) * len(b) > DIFF_PAIRS:
        yield a, b
        return
    matcher: Any = SequenceMatcher(None, a, b, autojunk=False)
    for tag, a_from, a_to, b_from, b_to in matcher.get_opcodes():
        if tag != "equal":
            yield a[a_from:a_to], b[b_from:b_to]


def _inline(old: str, new: str) -> str:
    """One paragraph with what changed in it marked; equal words between changes stay."""
    before, after = old.split(), new.split()
    parts: list[str] = []
    place = 0
    for a, b, at in _with_places(before, after):
        parts += after[place:at]
        parts += [f"[-{' '.join(a)}-]"] if a else []
        parts += [f"{{+{' '.join(b)}+}}"] if b else []
        place = at + len(b)
    return " ".join(parts + after[place:])


def _with_places(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str], int]]:
    if len(old) * len(new) > DIFF_PAIRS:
        yield old, new, 0
        return
    matcher: Any = SequenceMatcher(None, old, new, autojunk=False)
    for tag, a_from, a_to, b_from, b_to in matcher.get_opcodes():
        if tag != "equal":
            yield old[a_from:a_to], new[b_from:b_to], b_from
