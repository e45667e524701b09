"""Writes the text of kept runs, laid out as a reader saw it: paragraphs, lines, and separate words.

Pop-ups with links to other articles are inline elements inside a paragraph, so no run is theirs alone. Their names tell
them, and that they consist of links that are as long as headlines. They are taken out of the paragraph's text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from newscrawl.extraction.cleanup.restore import is_capital
from newscrawl.extraction.element_predicates import nearest
from newscrawl.model import PARAGRAPH_GAP
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT, Elements
from newscrawl.page.run import BLANK_BEFORE, BLOCK_BEFORE, BREAK_BEFORE, PARAGRAPH_BEFORE, SPACE_BEFORE
from newscrawl.page.tags import BLOCKS, TAG_NAMES

LINE_GAP: Final = "\n"

HEADLINE_WORDS: Final = 4
"""The least words of a link that leads to another article, on average. Links to explain a term have fewer."""
LINKED: Final = 2 / 3
"""Share of a pop-up's text that is linked. The rest is a label."""
MAX_INLINE: Final = 200
"""Elements of one paragraph that are looked at."""
INVISIBLE_CHARACTERS: Final = "\u00ad\u200b\u2060\ufeff"
"""Soft hyphens, zero-width blanks, word joiners and byte order marks."""
_INVISIBLE: Final = re.compile(
    f"[{INVISIBLE_CHARACTERS}](?<![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\uaa60-\uaa7f]\u200b)"
)
"""Those that are left out. Between words of Thai, Lao, Burmese and Khmer zero-width blanks stay, because nothing else
parts these. The zero-width joiners of Persian, Hindi and emoji stay, too."""

_POPUPS: Final = re.compile(
    r"tool-?tip|pop-?(?:up|over|in(?![a-z]))|(?<![\w-])invisible(?![\w-])|overlay|modal(?!it)|lightbox|dialog(?!ue)"
)
_ANCHOR: Final = TAG_NAMES.index("a")
_POPUP_KEYS: Final = ("class", "role")
_BLOCK_NUMBERS: Final = frozenset(TAG_NAMES.index(name) for name in BLOCKS)


def render(page: Page, runs: Sequence[int]) -> str:
    """Returns the text of `runs` (ascending indices in `page.runs`).

    Blocks are paragraphs, separated by an empty line. A single <br> within a block starts a new line. Pieces that only
    other tags separate continue on one line, with a blank if the page has one or if a run between them was dropped.
    A first letter in a block of its own is a part of its word.
    Pop-ups with links to other articles inside a run and invisible characters are left out.
    """
    if not runs:
        return ""
    layout = _Layout(page.elements)
    parts = [run_text(page, runs[0])]
    for before, index in pairwise(runs):
        parts.append(layout.gap(page.runs, before, index))
        parts.append(run_text(page, index))
    return without_invisible("".join(parts))


def run_text(page: Page, index: int) -> str:
    """Returns the text of a run without the pop-ups inside it."""
    run = page.runs[index]
    if run.linked_words < HEADLINE_WORDS:
        return run.text
    elements, text = page.elements, run.text
    last = page.runs[index + 1].element if index + 1 < len(page.runs) else len(elements)
    element = run.element + 1
    end = min(last if last > run.element else len(elements), element + MAX_INLINE)
    while element < end and elements.parent[element] >= run.element:
        values = elements.values(element, _POPUP_KEYS)
        if elements.tag[element] != _ANCHOR and values and _POPUPS.search(" ".join(filter(None, values)).lower()):
            after = elements.end_of(element, end)
            text = _without(text, _of_links(page, element, after))
            element = after
        else:
            element += 1
    return text or run.text


def _of_links(page: Page, element: int, end: int) -> str:
    """Returns the text of a pop-up if it consists of links to articles, else ""."""
    inside = page.text_of(element)
    links = [page.text_of(e) for e in range(element, end) if page.elements.tag[e] == _ANCHOR]
    words = sum(len(link.split()) for link in links)
    is_list = links and words >= HEADLINE_WORDS * len(links) and sum(map(len, links)) >= LINKED * len(inside)
    return inside if is_list else ""


def _without(text: str, part: str) -> str:
    before, found, after = text.partition(part) if part else (text, "", "")
    if not found:
        return text
    gap = " " if before[-1:].isspace() or after[:1].isspace() else ""
    gap = "" if after.lstrip()[:1] in {"", *",.;:!?)"} else gap
    return f"{before.rstrip()}{gap}{after.lstrip()}"


def without_invisible(text: str) -> str:
    """Returns `text` without soft hyphens and other invisible characters, which hide words from a search."""
    if text.isascii() or not any(map(text.__contains__, INVISIBLE_CHARACTERS)):  # much faster than the expression
        return text
    return _INVISIBLE.sub("", text)


def lines_of(page: Page, runs: Sequence[int], gap: str = LINE_GAP) -> list[list[int]]:
    """Returns `runs` as the lines of their rendered text: those that `render` writes on one line are together. With
    `PARAGRAPH_GAP` as `gap`, those that it writes in one paragraph are."""
    layout = _Layout(page.elements)
    lines = [[runs[0]]] if runs else []
    for before, index in pairwise(runs):
        if layout.gap(page.runs, before, index).startswith(gap):
            lines.append([])
        lines[-1].append(index)
    return lines


class _Layout:
    """Computes what a browser shows between two runs."""

    def __init__(self, elements: Elements) -> None:
        tag, parent = elements.tag, elements.parent
        self._block = nearest(elements, lambda one: tag[one] in _BLOCK_NUMBERS or parent[one] == NO_PARENT)

    def gap(self, runs: Sequence[TextRun], before: int, index: int) -> str:
        """Returns the separator between the kept runs `before` and `index`; all runs between them were dropped."""
        if index - before == 1 and is_capital(runs, before):
            return ""
        flags = runs[index].flags
        for dropped in range(before + 1, index):
            flags |= runs[dropped].flags
        if flags & PARAGRAPH_BEFORE:
            return PARAGRAPH_GAP
        if flags & BLOCK_BEFORE:
            same_block = flags & BREAK_BEFORE and self._block(runs[before].element) == self._block(runs[index].element)
            return LINE_GAP if same_block else PARAGRAPH_GAP
        spaced = flags & (SPACE_BEFORE | BLANK_BEFORE) or index - before > 1
        return " " if spaced else ""
