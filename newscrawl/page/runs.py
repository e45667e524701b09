"""Building runs from the stream of tags and text nodes of one walk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from newscrawl.page import tags
from newscrawl.page.run import BLANK_BEFORE, BLOCK_BEFORE, BREAK_BEFORE, PARAGRAPH_BEFORE, SPACE_BEFORE, Run
from newscrawl.page.words import count_words

_NO_BLANKS: Final[tuple[int, ...]] = ()


class RunBuilder:
    """Gathers text nodes until an element that is not inline starts or ends, then makes a run of them."""

    def __init__(self) -> None:
        self._runs: list[Run] = []
        self._parts: list[str] = []
        self._linked: list[str] = []
        self._has_blank_node = False
        self._context = (0, 0, 0, 0, False)
        self._boundary = 0
        self._after_break = False
        self._tags = 0
        self._code = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        if tag not in tags.BOILERPIPE_INLINE:
            self._flush()
            if tag in tags.BLOCKS:
                self._boundary |= BLOCK_BEFORE
                if tag in tags.JUSTEXT_PARAGRAPH:
                    self._boundary |= PARAGRAPH_BEFORE
        self._see_break(tag)
        self._tags += 1
        self._code += len(tag) + 2
        if attributes:
            self._code += len(attributes.get("class", "")) + len(attributes.get("id", ""))

    def end(self, tag: str) -> None:
        """An element ends."""
        if tag not in tags.BOILERPIPE_INLINE:
            self._flush()
            if tag in tags.BLOCKS:
                self._boundary |= BLOCK_BEFORE
                if tag in tags.JUSTEXT_PARAGRAPH:
                    self._boundary |= PARAGRAPH_BEFORE
        self._tags += 1
        self._code += len(tag) + 3

    def skipped(self, tag: str) -> None:
        """An element that no algorithm reads, which still separates what stands on its sides (Boilerpipe flushes)."""
        self._flush()
        self._tags += 2
        self._code += 2 * len(tag) + 5

    def text(self, text: str, context: tuple[int, int, int, int, bool]) -> None:
        """A text node directly inside the element of `context`."""
        if text.isspace():
            if self._parts:
                self._has_blank_node = True
                self._parts.append(" ")
            else:
                self._boundary |= BLANK_BEFORE
            return
        if not self._parts:
            self._context = context
            if text[0].isspace():
                self._boundary |= SPACE_BEFORE
        self._after_break = False
        self._parts.append(text)
        if context[4]:
            self._linked.append(text)

    def finish(self) -> tuple[Run, ...]:
        """The runs of the whole page in document order."""
        self._flush()
        return tuple(self._runs)

    def _see_break(self, tag: str) -> None:
        """A second <br> with nothing but blanks since the first starts a jusText paragraph."""
        if tag == "br":
            self._boundary |= BREAK_BEFORE | BLOCK_BEFORE | SPACE_BEFORE
            if self._after_break:
                self._boundary |= PARAGRAPH_BEFORE
            self._after_break = True
        elif tag not in tags.JUSTEXT_PARAGRAPH:
            self._after_break = False

    def _flush(self) -> None:
        parts = self._parts
        if not parts:
            return
        ends_with_blank_node = parts[-1] == " "
        while parts[-1] == " ":
            parts.pop()
        raw = parts[0] if len(parts) == 1 else "".join(parts)
        text = " ".join(raw.split())
        blanks = _blank_offsets(parts) if self._has_blank_node else _NO_BLANKS
        linked_words = link_characters = 0
        words = count_words(text)
        if self._linked:
            linked_words = min(words, sum(map(count_words, self._linked)))
            link_characters = sum(map(_collapsed_length, self._linked))
        _, element, level, flags, _ = self._context
        self._runs.append(
            Run(
                text,
                words,
                linked_words,
                link_characters,
                element,
                flags | self._boundary,
                level,
                self._tags,
                self._code,
                blanks,
            )
        )
        self._boundary = (SPACE_BEFORE if raw[-1].isspace() else 0) | (BLANK_BEFORE if ends_with_blank_node else 0)
        self._parts, self._linked, self._has_blank_node = [], [], False
        self._tags = self._code = 0


def _collapsed_length(text: str) -> int:
    """Length with every run of white space as one character, those at the edges too (jusText's count)."""
    return len(" ".join(text.split())) + text[0].isspace() + text[-1].isspace()


def _blank_offsets(parts: list[str]) -> tuple[int, ...]:
    """Where, in the collapsed text of `parts`, a blank stands only because of white-space-only nodes."""
    offsets: list[int] = []
    length = 0
    pending = False  # a blank-only node since the last text
    ends_blank = True  # what precedes is white space of a text node, or the start
    for part in parts:
        if part == " ":
            pending = True
            continue
        if length and not ends_blank and not part[0].isspace():
            if pending:
                offsets.append(length)
                length += 1
        elif length:
            length += 1
        length += len(" ".join(part.split()))
        ends_blank = part[-1].isspace()
        pending = False
    return tuple(offsets)
