"""Restores what stands inside a sentence of the text, whatever its element is called, and initials above their word.

Extractors judge runs, and a run ends at every tag that Boilerpipe does not take for inline: small, time, button, cite,
mark ... Where such an element is a part of a sentence, its words belong to the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from newscrawl.extraction.cleanup.boxes import SURE_NAMES
from newscrawl.extraction.cleanup.cues import fold, is_end, is_note
from newscrawl.extraction.cleanup.leave_out import in_fallback
from newscrawl.extraction.element_predicates import named, numbers_of
from newscrawl.page import Page, TextRun
from newscrawl.page.run import BLOCK_BEFORE, HEADING, IGNORED_BY_BOILERPIPE, IGNORED_BY_JUSTEXT

MAX_BETWEEN: Final = 3
"""The most runs of blocks inside one sentence."""
MAX_PIECES: Final = 400
"""The most runs of one line that are looked at."""
MAX_CAPITAL: Final = 4
"""The most characters of a letter with the signs that open a quotation before it."""
CAPITAL_WORDS: Final = 6
"""The least words of a paragraph whose first letter is in a block of its own."""

_SENTENCE_ENDS: Final = frozenset(".!?…。！？؟۔।։")
_LABEL: Final = re.compile(r"[^\W\d_]{1,6}\s?[:：]")
"""The label of a byline or a date."""
_CLOSING: Final = "\"'”’“»«)]）」』› "
_CONTINUES: Final = frozenset(",.;!?)]”’»…%、。，；！？）」』،؛۔")
"""Signs at the beginning of a run that are no beginning of a sentence."""
_OPENING: Final = "\"'“„‘«»¿¡("
_BUTTON: Final = numbers_of(["button"])
_DATES: Final = numbers_of(["time", "button", "address", "nav"])
"""Tags of what stands before a sentence rather than at its beginning."""


def whole_sentences(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Returns `runs` with the runs that are inside their sentences. Linear time."""
    added = {*_on_lines(page, runs), *_blocks_between(page, runs), *_capitals(page, runs)}
    return tuple(sorted(added.union(runs))) if added else tuple(runs)


def is_capital(runs: Sequence[TextRun], index: int) -> bool:
    """Returns whether a run is one letter in a block of its own, the first of the word in the run below it."""
    run = runs[index]
    if len(run.text) > MAX_CAPITAL or index + 1 >= len(runs):
        return False
    below = runs[index + 1]
    letter = run.text.lstrip(_OPENING)
    return (
        len(letter) == 1
        and letter.isupper()
        and below.text[0].islower()
        and below.words >= CAPITAL_WORDS
        and not (run.flags | below.flags) & HEADING
    )


def _capitals(page: Page, runs: Sequence[int]) -> Iterator[int]:
    """Yields the initials above chosen runs."""
    for index in runs:
        if index and page.runs[index].text[0].islower() and is_capital(page.runs, index - 1):
            yield index - 1


def _on_lines(page: Page, runs: Sequence[int]) -> Iterator[int]:
    """Yields the missing runs on the lines of chosen ones that are inside a sentence."""
    kept = {*runs}
    for index in runs:
        if index - 1 not in kept and not _starts_line(page, index):
            first = index - 1
            while first not in kept and not _starts_line(page, first) and index - first < MAX_PIECES:
                first -= 1
            if first not in kept:  # otherwise the chosen run before has looked at them
                yield from _inside(page, None, range(first, index), index)
        after = end = index + 1
        while end < len(page.runs) and end not in kept and not _starts_line(page, end) and end - index < MAX_PIECES:
            end += 1
        if end > after:
            following = end if end in kept and not _starts_line(page, end) else None
            yield from _inside(page, index, range(after, end), following)


def _starts_line(page: Page, index: int) -> bool:
    return index <= 0 or bool(page.runs[index].flags & BLOCK_BEFORE)


def _inside(page: Page, before: int | None, missing: Sequence[int], after: int | None) -> Iterable[int]:
    """Returns the missing runs between two chosen ones of a line if they are a part of their sentence."""
    runs = page.runs
    is_open = before is not None and _is_open(runs[before].text)
    goes_on = after is not None and _goes_on(page, missing[0], runs[after].text, is_first=before is None)
    if not (is_open or goes_on) or not all(_is_text(page, i) for i in missing):
        return ()
    if any(map(in_fallback(page), [runs[i].element for i in missing])):
        return ()
    is_boxed = named(page.elements, SURE_NAMES, keys=("class",))
    if not (is_open and goes_on) and any(is_boxed(runs[i].element) for i in missing):
        return ()
    folded = fold(" ".join([runs[i].text for i in missing]))
    return () if is_end(folded) or is_note(folded) else missing


def _is_open(text: str) -> bool:
    """Returns whether a text with a letter, unlike the number of a picture, does not end a sentence."""
    return not ends_sentence(text) and any(map(str.isalpha, text))


def _goes_on(page: Page, first: int, text: str, *, is_first: bool) -> bool:
    """Returns whether a text continues the sentence of the missing run `first`, with which the line may begin."""
    sign = text[0]
    if sign.islower() or sign in _CONTINUES:
        return True
    if not sign.isalpha() or sign.isupper():
        return False
    run = page.runs[first]  # a script without capitals: a byline may stand on the line
    return not (is_first and (page.elements.tag[run.element] in _DATES or _LABEL.match(run.text)))


def ends_sentence(text: str) -> bool:
    """Returns whether a text ends like a sentence, whatever closes behind it."""
    return text.rstrip(_CLOSING)[-1:] in _SENTENCE_ENDS


def _is_text(page: Page, index: int) -> bool:
    """Returns whether a run is shown as text: not hidden, no field of a form, not for browsers without something."""
    run = page.runs[index]
    if run.flags & IGNORED_BY_BOILERPIPE or run.hidden:
        return False
    return not run.flags & IGNORED_BY_JUSTEXT or page.elements.tag[run.element] in _BUTTON


def _is_beside(page: Page, before: int, after: int) -> bool:
    """Returns whether a run is a sibling of the chosen run above it, or in the element around it, and is no link."""
    one, other, parent = page.runs[before].element, page.runs[after], page.elements.parent
    around = {one, parent[one]}
    return other.linked_words < other.words and (other.element in around or parent[other.element] in around)


def _blocks_between(page: Page, runs: Sequence[int]) -> Iterator[int]:
    """Yields the missing runs in blocks below a chosen one whose sentence goes on after them: an address, or a caption
    that is none; and what goes on, if it was chosen or is beside it. The tags of an article are often in small letters,
    too: what goes on elsewhere, or is a link, was left out with reason."""
    page_runs, kept = page.runs, {*runs}
    for before in runs:
        one = page_runs[before]
        if before + 1 in kept or ends_sentence(one.text):
            continue
        for after in range(before + 2, min(before + MAX_BETWEEN + 2, len(page_runs))):
            other = page_runs[after]
            sign = other.text[0]
            is_after = other.element == one.element and (sign in _CONTINUES or (sign.isalnum() and not sign.isupper()))
            goes_on = sign.islower() or is_after
            if goes_on and after not in kept and not _is_beside(page, before, after):
                break
            if goes_on and not ends_sentence(page_runs[after - 1].text):
                missing = [i for i in range(before + 1, after + 1) if i not in kept]
                yield from _inside(page, before, missing, after if after in kept else None)
            if goes_on or after in kept:
                break
