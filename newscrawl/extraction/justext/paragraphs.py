"""jusText's segmentation: a page's runs joined to the text blocks that jusText classifies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from newscrawl.page import Run
from newscrawl.page.run import HEADING, IGNORED_BY_JUSTEXT, PARAGRAPH_BEFORE, SPACE_BEFORE

_COPYRIGHT: Final = ("\u00a9", "&copy")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A block of text between two of jusText's paragraph tags (or a double <br>)."""

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
        return any(sign in self.text for sign in _COPYRIGHT)

    def stopword_density(self, stopwords: frozenset[str]) -> float:
        """Share of the blank-separated pieces that are in `stopwords`, lower-cased; punctuation stays attached."""
        pieces = self.text.lower().split()
        return sum(piece in stopwords for piece in pieces) / len(pieces) if pieces else 0.0


def make_paragraphs(runs: Iterable[Run]) -> list[Paragraph]:
    """The paragraphs of a page; form controls are left out, as jusText's preprocessing does."""
    paragraphs: list[Paragraph] = []
    members: list[tuple[int, Run]] = []
    spaces: list[bool] = []
    flags = 0
    for index, run in enumerate(runs):
        flags |= run.flags & (PARAGRAPH_BEFORE | SPACE_BEFORE)
        if run.flags & IGNORED_BY_JUSTEXT:
            continue
        if flags & PARAGRAPH_BEFORE and members:
            paragraphs.append(_join(members, spaces))
            members, spaces = [], []
        members.append((index, run))
        spaces.append(bool(flags & SPACE_BEFORE))
        flags = 0
    if members:
        paragraphs.append(_join(members, spaces))
    return paragraphs


def _join(members: Sequence[tuple[int, Run]], spaces: Sequence[bool]) -> Paragraph:
    first = members[0][1]
    text = _seen_text(first)
    if len(members) > 1:
        parts = [text]
        for (_, run), space in zip(members[1:], spaces[1:], strict=True):
            if space:
                parts.append(" ")
            parts.append(_seen_text(run))
        text = "".join(parts)
    return Paragraph(
        text,
        sum(run.link_characters for _, run in members),
        bool(first.flags & HEADING),
        tuple(index for index, _ in members),
    )


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
