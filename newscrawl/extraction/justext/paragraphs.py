"""jusText's segmentation: joins a page's runs to the text blocks that jusText classifies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from newscrawl.page import TextRun
from newscrawl.page.run import HEADING, IGNORED_BY_JUSTEXT, PARAGRAPH_BEFORE, SPACE_BEFORE

_COPYRIGHT: Final = "\u00a9"
_MISSPELT: Final = "&copy"


class Paragraph(NamedTuple):
    """A block of text between two of jusText's paragraph tags (or a double <br>).

    It is a named tuple, because a page has hundreds, and a frozen dataclass takes three times as long to make.
    """

    text: str
    """The text with white space collapsed. Blanks of white-space-only text nodes are missing, as in the package."""
    link_characters: int
    """Characters inside <a>."""
    heading: bool
    runs: tuple[int, ...] = ()
    """The indices of its runs in `Page.runs`."""

    @property
    def link_density(self) -> float:
        """Characters inside <a> over all characters. It can exceed 1, because edge blanks count in links only."""
        return self.link_characters / len(self.text) if self.text else 0.0

    @property
    def has_copyright_sign(self) -> bool:
        """Whether it contains a copyright sign, in either spelling."""
        text = self.text
        return _COPYRIGHT in text or _MISSPELT in text

    def stopword_density(self, stopwords: frozenset[str]) -> float:
        """Returns the share of blank-separated pieces that are in `stopwords`, lower-cased, with their punctuation."""
        pieces = self.text.lower().split()
        return sum(map(stopwords.__contains__, pieces)) / len(pieces) if pieces else 0.0


def make_paragraphs(runs: Iterable[TextRun]) -> list[Paragraph]:
    """Returns the paragraphs of a page without form controls, as jusText's preprocessing does."""
    paragraphs: list[Paragraph] = []
    members: list[tuple[int, TextRun, int]] = []
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


def _join(members: Sequence[tuple[int, TextRun, int]]) -> Paragraph:
    """Returns a paragraph of runs, each given with its index and the separator before it."""
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


def _seen_text(run: TextRun) -> str:
    """Returns the run's text without the blanks that jusText does not see."""
    if not run.blanks:
        return run.text
    pieces, start = [], 0
    for offset in run.blanks:
        pieces.append(run.text[start:offset])
        start = offset + 1
    pieces.append(run.text[start:])
    return "".join(pieces)
