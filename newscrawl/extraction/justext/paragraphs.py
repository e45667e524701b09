"""jusText's segmentation: a page's runs joined to the text blocks that jusText classifies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from newscrawl.extraction.kernels import choose
from newscrawl.page import Run
from newscrawl.page.run import HEADING, IGNORED_BY_JUSTEXT, PARAGRAPH_BEFORE, SPACE_BEFORE

_COPYRIGHT: Final = "\u00a9"
_MISSPELT: Final = "&copy"


class Paragraph(NamedTuple):
    """A block of text between two of jusText's paragraph tags (or a double <br>).

    A named tuple: a page has hundreds, and a frozen dataclass takes three times as long to make.
    """

    text: str
    """White space collapsed; blanks that come from white-space-only text nodes are missing, as in the package."""
    link_characters: int
    """Characters inside <a>."""
    heading: bool
    runs: tuple[int, ...] = ()
    """The runs it is made of, as indices into `Page.runs`."""

    @property
    def link_density(self) -> float:
        """Characters inside <a> over all characters; can exceed 1, since edge blanks count in links only."""
        return self.link_characters / len(self.text) if self.text else 0.0

    @property
    def has_copyright_sign(self) -> bool:
        """Whether a copyright sign, in either spelling, stands in it."""
        text = self.text
        return _COPYRIGHT in text or _MISSPELT in text

    def stopword_density(self, stopwords: frozenset[str]) -> float:
        """Share of the blank-separated pieces that are in `stopwords`, lower-cased; punctuation stays attached."""
        pieces = self.text.lower().split()
        return sum(map(stopwords.__contains__, pieces)) / len(pieces) if pieces else 0.0


def _make_paragraphs(runs: Iterable[Run]) -> list[Paragraph]:
    """The paragraphs of a page; form controls are left out, as jusText's preprocessing does."""
    paragraphs: list[Paragraph] = []
    members: list[tuple[int, Run, int]] = []
    add, ignored, wanted = paragraphs.append, IGNORED_BY_JUSTEXT, PARAGRAPH_BEFORE | SPACE_BEFORE
    flags = 0
    for index, run in enumerate(runs):
        own = run.flags
        flags |= own & wanted
        if own & ignored:
            continue
        if flags & PARAGRAPH_BEFORE and members:
            add(_join(members))
            members = []
        members.append((index, run, flags))
        flags = 0
    if members:
        add(_join(members))
    return paragraphs


def _join(members: Sequence[tuple[int, Run, int]]) -> Paragraph:
    """A paragraph of runs, each with its place and what stands before it."""
    index, first, _ = members[0]
    heading = bool(first.flags & HEADING)
    if len(members) == 1:
        return Paragraph(_seen_text(first), first.link_characters, heading, (index,))
    parts: list[str] = []
    for _, run, flags in members:
        if parts and flags & SPACE_BEFORE:
            parts.append(" ")
        parts.append(_seen_text(run))
    linked = sum([run.link_characters for _, run, _ in members])
    return Paragraph("".join(parts), linked, heading, tuple([index for index, _, _ in members]))


def _seen_text(run: Run) -> str:
    """The run's text without the blanks that jusText does not see."""
    if not run.blanks:
        return run.text
    pieces, start = [], 0
    for offset in run.blanks:
        pieces.append(run.text[start:offset])
        start = offset + 1
    pieces.append(run.text[start:])
    return "".join(pieces)


make_paragraphs: Final = choose(
    "make_paragraphs",
    _make_paragraphs,
    (
        (
            Run("One two", 2, 0, 0, 0, HEADING, 0, 0, 0, ()),
            Run("link", 1, 1, 4, 0, SPACE_BEFORE, 0, 0, 0, ()),
            Run("choice", 1, 0, 0, 0, IGNORED_BY_JUSTEXT | PARAGRAPH_BEFORE, 0, 0, 0, ()),
            Run("a b", 2, 0, 0, 0, 0, 0, 0, 0, (1,)),
            Run("c", 1, 0, 0, 0, 0, 0, 0, 0, ()),
        ),
    ),
)
