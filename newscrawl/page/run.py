"""Runs: the longest pieces of text that no extraction algorithm splits."""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

HEADING: Final = 1 << 0
"""Inside h1 ... h6."""
TOP_HEADING: Final = 1 << 1
"""Inside h1, h2 or h3 (Boilerpipe labels only these as headings)."""
LIST_ITEM: Final = 1 << 2
"""Inside li."""
IGNORED_BY_BOILERPIPE: Final = 1 << 3
"""Inside option, object, embed, applet or noscript."""
IGNORED_BY_JUSTEXT: Final = 1 << 4
"""Inside a form control or an embedded object."""
HIDDEN: Final = 1 << 5
"""Inside an element with the hidden attribute or an inline display:none. Not among `TextRun.flags`: `TextRun.hidden`
computes it on first use, since reading two attributes of every element takes a tenth of a page's parsing time."""
BREAK_BEFORE: Final = 1 << 6
"""There is a <br> between the run before and this one."""
PARAGRAPH_BEFORE: Final = 1 << 7
"""jusText starts a new paragraph between the run before and this one."""
BLOCK_BEFORE: Final = 1 << 8
"""A browser starts a new line between the run before and this one (a block's edge or a <br>)."""
SPACE_BEFORE: Final = 1 << 9
"""There is a <br>, or white space at the edge of a text node, between the run before and this one."""
BLANK_BEFORE: Final = 1 << 10
"""There is a text node of only white space between the run before and this one (jusText ignores it)."""


class LazyMarkup(Protocol):
    """Values that are computed from the mark-up around a run on first use."""

    @property
    def hidden(self) -> bool: ...

    @property
    def inner(self) -> int: ...

    def __int__(self) -> int: ...


class _Features(NamedTuple):
    text: str
    """White space collapsed to single blanks, none at the ends; never empty."""
    words: int
    """Words as the script writes them: pieces between blanks with a letter or digit; two characters count as one word
    in scripts without blanks."""
    linked_words: int
    """The number of `words` inside <a> that leads somewhere."""
    link_characters: int
    """Characters inside any <a>, counted as jusText does: per text node, edge white space as one character."""
    element: int
    """Index into `Page.elements` of the nearest element that is not inline."""
    flags: int
    """The bits above."""
    level: int
    """Boilerpipe's tag level: open elements that change it."""
    tags: int
    """Start and end tags since the run before."""
    counted_code: int | LazyMarkup
    """`code` as a number, or an object that computes it and `hidden`."""
    blanks: tuple[int, ...]
    """Offsets in `text` of blanks that came from white-space-only text nodes, which jusText does not count."""


class TextRun(_Features):
    """The longest piece of text that no algorithm splits, with the shallow features that all of them read.

    Boundaries are the edges of every element except the inline ones (`tags.INLINE`).
    """

    __slots__ = ()

    @property
    def code(self) -> int:
        """Characters of `tags` with class, id and the href of <a>. Other attributes are left out: today's pages store
        data and image sizes in them, which are unrelated to the text.

        It is computed on first use: most algorithms do not need it, and reading all attributes of a page takes a third
        of the time of parsing it.
        """
        return int(self.counted_code)

    @property
    def hidden(self) -> bool:
        """Whether it is inside an element with the hidden attribute or an inline display:none."""
        source = self.counted_code
        return not isinstance(source, int) and source.hidden

    @property
    def inner(self) -> int:
        """The innermost element around the start of its text."""
        source = self.counted_code
        return self.element if isinstance(source, int) else source.inner

    @property
    def characters(self) -> int:
        """Length of the text."""
        return len(self.text)

    @property
    def link_density(self) -> float:
        """Share of words inside <a>; 0 without words (Boilerpipe's definition)."""
        return self.linked_words / self.words if self.words else 0.0
