"""Building runs from the text nodes and boundaries of one walk."""

from __future__ import annotations

from typing import Final

from newscrawl.page.run import (
    BLANK_BEFORE,
    BLOCK_BEFORE,
    BREAK_BEFORE,
    IGNORED_BY_BOILERPIPE,
    PARAGRAPH_BEFORE,
    SPACE_BEFORE,
    Run,
)
from newscrawl.page.tags import BREAK, SKIPS, Tag
from newscrawl.page.words import count_words

_NO_BLANKS: Final[tuple[int, ...]] = ()
_BLANK_NODE: Final = " "
"""Stands among the gathered text nodes for one of nothing but white space."""
_NO_BREAK_SPACE: Final = "\u00a0"


Place = tuple[int, int, int, int, bool]
"""Where in the tree the walk is: innermost open element, innermost open element that is not inline, Boilerpipe's tag
level, flags that every run in here inherits, inside <a>. A bare tuple, since one is made per element."""
ELEMENT: Final = 0
LEVEL: Final = 2
FLAGS: Final = 3
LINKED: Final = 4


class RunBuilder:
    """Gathers text nodes; `split()` makes a run of them."""

    def __init__(self) -> None:
        self._runs: list[Run] = []
        self._nodes: list[str] = []
        self._linked: list[str] = []
        self._has_blank_node = False
        self._place: Place = (0, 0, 0, 0, False)
        self._after_break = False
        self._spacer: Place | None = None
        self.spacers: list[tuple[int, int]] = []
        """`Page.spacers`."""
        self.boundary = 0
        """Flags of what stands between the run before and the next one."""
        self.tags = 0
        """Start and end tags since the run before."""
        self.code = 0
        """Characters of those tags."""

    def text(self, text: str, place: Place) -> None:
        """A text node directly inside the element of `place`."""
        if text.isspace():
            if self._nodes:
                self._has_blank_node = True
                self._nodes.append(_BLANK_NODE)
            else:
                self.boundary |= BLANK_BEFORE
                if _NO_BREAK_SPACE in text:
                    self._spacer = place
            return
        if not self._nodes:
            self._place = place
            if text[0].isspace():
                self.boundary |= SPACE_BEFORE
        self._after_break = False
        self._nodes.append(text)
        if place[LINKED]:
            self._linked.append(text)

    def see(self, tag: Tag) -> None:
        """An element starts; its end tag, if any, is counted here too.

        A second <br> with nothing but blanks, scripts and ends of elements since the first starts a jusText paragraph.
        """
        self.tags += 2
        self.code += tag.code
        if tag.kind == BREAK:
            self.boundary |= BREAK_BEFORE | BLOCK_BEFORE | SPACE_BEFORE
            if self._after_break:
                self.boundary |= PARAGRAPH_BEFORE
            self._after_break = True
        elif tag.kind != SKIPS and not tag.boundary & PARAGRAPH_BEFORE:
            self._after_break = False

    def finish(self) -> tuple[Run, ...]:
        """The runs of the whole page in document order."""
        self.split()
        return tuple(self._runs)

    def split(self) -> None:
        """Make a run of the text nodes gathered since the last split, if there are any."""
        nodes = self._nodes
        if self._spacer is not None:
            if not nodes and not self._spacer[FLAGS] & IGNORED_BY_BOILERPIPE:
                self.spacers.append((len(self._runs), self._spacer[LEVEL]))
            self._spacer = None
        if not nodes:
            return
        ends_with_blank_node = nodes[-1] == _BLANK_NODE
        while nodes[-1] == _BLANK_NODE:
            nodes.pop()
        raw = nodes[0] if len(nodes) == 1 else "".join(nodes)
        text = " ".join(raw.split())
        words = count_words(text)
        linked_words = link_characters = 0
        if self._linked:
            linked_words = words if len(self._linked) == len(nodes) else min(words, sum(map(count_words, self._linked)))
            link_characters = sum(map(_collapsed_length, self._linked))
            self._linked = []
        blanks = _NO_BLANKS
        if self._has_blank_node:
            blanks = _blank_offsets(nodes)
            self._has_blank_node = False
        _, container, level, inherited, _ = self._place
        self._runs.append(
            Run(
                text,
                words,
                linked_words,
                link_characters,
                container,
                inherited | self.boundary,
                level,
                self.tags,
                self.code,
                blanks,
            )
        )
        nodes.clear()
        self.tags = self.code = 0
        self.boundary = SPACE_BEFORE if raw[-1].isspace() else 0
        if ends_with_blank_node:
            self.boundary |= BLANK_BEFORE


def _collapsed_length(text: str) -> int:
    """Length with every run of white space as one character, those at the edges too (jusText's count)."""
    return len(" ".join(text.split())) + text[0].isspace() + text[-1].isspace()


def _blank_offsets(nodes: list[str]) -> tuple[int, ...]:
    """Where, in the collapsed text of `nodes`, a blank stands only because of white-space-only nodes."""
    offsets: list[int] = []
    length = 0
    edge_is_blank = True  # the text so far ends with white space of its own, or is empty
    after_blank_node = False
    for node in nodes:
        if node == _BLANK_NODE:
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
