"""Makes runs from the text nodes that the walk collected."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from newscrawl.page.elements import CodeOfElements, Elements
from newscrawl.page.run import BLANK_BEFORE, SPACE_BEFORE, TextRun
from newscrawl.page.words import LONE_SYMBOLS, count_words, has_blankless

BLANK_NODE: Final = " "
"""Represents a text node of only white space among the text nodes of a run."""

LINKED: Final = 1 << 12
"""Bit of a mode: inside <a> that leads somewhere."""
RAISED: Final = 1 << 13
"""Bit of a mode: inside <sup>."""
LOWERED: Final = 1 << 14
"""Bit of a mode: inside <sub>."""
SCRIPTS: Final = RAISED | LOWERED
UNSEEN: Final = 1 << 15
"""Bit of a mode: where no reader and no click sees the text, by the style of an element."""
FAINT: Final = 1 << 16
"""Bit of a mode: in letters without size or contrast, until an element inside has others."""
CONCEALED: Final = UNSEEN | FAINT
ANCHORED: Final = 1 << 17
"""Bit of a mode: inside any <a>, as jusText and the papers on densities count links."""
LEVEL_SHIFT: Final = 18
LEVEL: Final = 1 << LEVEL_SHIFT
"""A mode is the state that the walk passes down the tree. It is one number, because it is stored for every open
element: flags that every run inside inherits, the bits above, and from this bit on Boilerpipe's tag level."""
FLAGS: Final = LINKED - 1
SIGNS: Final = "+-\u2212\u2013"
"""Signs before the digits of an exponent: plus, hyphen, minus, dash."""

Gathered: TypeAlias = tuple[list[str], list[str], list[str], int, int, int, int, int, int]
"""Text nodes of a run, those of them inside <a> that leads somewhere, those inside any <a>, its element, its mode with
the flags of the boundary before it; up to its end the number of elements, the number of skipped elements and the
characters of their tags; the innermost element around its start."""

_NO_BLANKS: Final[tuple[int, ...]] = ()
_new_run = _new_code = tuple.__new__
"""A named tuple's own constructor takes twice as long."""


def make_runs(gathered: Iterable[Gathered], elements: Elements) -> tuple[TextRun, ...]:
    """Returns the runs in the same order, in time linear in their text.

    This is the walk's second hot loop. It is one function, because a call for each run takes as long as counting its
    words.
    """
    runs: list[TextRun] = []
    add, is_wordy = runs.append, LONE_SYMBOLS.isdisjoint
    seen = seen_skipped = seen_more = 0
    inherited = 0  # flags from the end of the run before
    for nodes, linked, anchored, element, mode, count, skipped, more, inner in gathered:
        flags = mode & FLAGS | inherited
        inherited = 0
        blanks = _NO_BLANKS
        if len(nodes) == 1:
            raw = nodes[0]
        else:
            while nodes[-1] == BLANK_NODE:
                nodes.pop()
                inherited = BLANK_BEFORE
            raw = "".join(nodes)
            if BLANK_NODE in nodes:
                blanks = _blank_offsets(nodes)
        pieces = raw.split()
        text = " ".join(pieces)
        collapsed = len(text)
        if collapsed != len(raw):  # otherwise there is no white space at its ends either
            collapsed += raw[0].isspace() + raw[-1].isspace()
            if raw[0].isspace():
                flags |= SPACE_BEFORE
            if raw[-1].isspace():
                inherited |= SPACE_BEFORE
        if not text.isascii() and has_blankless(text):
            words = count_words(text)
        else:
            words = len(pieces) if is_wordy(pieces) else sum(piece not in LONE_SYMBOLS for piece in pieces)
        linked_words = link_characters = 0
        if anchored:
            link_characters = collapsed if len(nodes) == 1 else sum(map(_collapsed_length, anchored))
        if linked:
            linked_words = words if len(linked) == len(nodes) else min(words, sum(map(count_words, linked)))
        tags = 2 * (count + skipped - seen - seen_skipped)
        code = _new_code(CodeOfElements, (elements, seen, count, more - seen_more, inner))
        seen, seen_skipped, seen_more = count, skipped, more
        level = mode >> LEVEL_SHIFT
        add(_new_run(TextRun, (text, words, linked_words, link_characters, element, flags, level, tags, code, blanks)))
    return tuple(runs)


def digits_mark(before: str, scripts: int, text: str) -> str:
    """Returns what parts the digits at the end of one text from those at the beginning of the next one, of which one is
    raised or lowered: "10^6" for 10<sup>6</sup>, "2011_15" for 2011<sub>15</sub>; "" without digits on both sides.

    `scripts` has the bits of `SCRIPTS` of the next text. Without the mark, the digits would be another number.
    """
    if not before[-1].isdecimal() or not (text[0].isdecimal() or (text[0] in SIGNS and text[1:2].isdecimal())):
        return ""
    return "^" if scripts & RAISED else "_" if scripts & LOWERED else " "


def _collapsed_length(text: str) -> int:
    """Length with every run of white space as one character, those at the edges too (jusText's count)."""
    return len(" ".join(text.split())) + text[0].isspace() + text[-1].isspace()


def _blank_offsets(nodes: list[str]) -> tuple[int, ...]:
    """The offsets, in the collapsed text of `nodes`, of blanks that exist only because of white-space-only nodes."""
    offsets: list[int] = []
    length = 0
    edge_is_blank = True  # the text so far ends with white space, or is empty
    after_blank_node = False
    for node in nodes:
        if node == BLANK_NODE:
            after_blank_node = True
            continue
        if edge_is_blank or node[0].isspace():
            length += bool(length)
        elif after_blank_node:
            offsets.append(length)
            length += 1
        length += len(" ".join(node.split()))
        edge_is_blank = node[-1].isspace()
        after_blank_node = False
    return tuple(offsets)
