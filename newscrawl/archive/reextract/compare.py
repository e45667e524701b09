"""Compares two extractions of a page. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal

from newscrawl.model import ProcessedPage
from newscrawl.storage.articles.deciding.known import PreviousReading

Class = Literal["same", "metadata", "light", "heavy", "other", "gained", "lost", "kept", "none"]
LABELS: Final[dict[Class, str]] = {
    "same": "the same",
    "metadata": "the same text, other title, authors or date",
    "light": "text changed a little",
    "heavy": "text changed much",
    "other": "another text",
    "gained": "an article, none before",
    "lost": "no article, one before",
    "kept": "not stored: the page has a better text",
    "none": "no article before and after",
}
"""The classes of differences, in the order of reports."""
CHANGED: Final[tuple[Class, ...]] = ("metadata", "light", "heavy", "other", "gained", "lost")

LIGHT: Final = 0.9
"""Least similarity of a small change: a line was added or removed."""
HEAVY: Final = 0.5
"""Below this similarity the texts are not the same article."""


@dataclass(frozen=True, slots=True)
class ExtractionDifference:
    """One page under the old and the new extraction. Lengths are in characters, `similarity` from 0 to 1."""

    kind: Class
    old_length: int
    new_length: int
    similarity: float
    what: str = ""
    """For people: the changed metadata, or why there is no article."""


def compare(old: PreviousReading, page: ProcessedPage) -> ExtractionDifference:
    """Compares the page with the stored result of its capture."""
    article = page.article
    before, after = len(old.text or ""), len(article.text) if article is not None else 0
    if article is None:
        failure = page.failure.code if page.failure is not None else ""
        kind: Class = "none" if old.text is None else "lost"
        return ExtractionDifference(kind, before, after, 1.0 if kind == "none" else 0.0, failure)
    if old.text is None and old.failure is None:
        return ExtractionDifference("kept", 0, after, 1.0)
    if old.text is None:
        return ExtractionDifference("gained", before, after, 0.0, old.failure or "")
    changed = _metadata(old, page)
    if old.content_hash == article.content_hash:
        return ExtractionDifference("metadata" if changed else "same", before, after, 1.0, ", ".join(changed))
    alike = similarity(old.text, article.text)
    kind = "light" if alike >= LIGHT else "heavy" if alike >= HEAVY else "other"
    return ExtractionDifference(kind, before, after, alike, ", ".join(changed))


def similarity(one: str, other: str) -> float:
    """Returns the share of words that two texts have in common (Dice's coefficient over words with their counts); of
    characters, if a text is written without blanks."""
    first, second = Counter(_pieces(one)), Counter(_pieces(other))
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 1.0


_LONG_WORD: Final = 25
"""Mean length of words, in characters, from which a text counts as written without blanks."""


def _pieces(text: str) -> list[str]:
    words = text.split()
    return list(text) if len(text) > _LONG_WORD * max(1, len(words)) else words


def _metadata(old: PreviousReading, page: ProcessedPage) -> list[str]:
    """The names of the metadata that differ."""
    if page.article is None or old.extractor is None:
        return []
    metadata = page.article.metadata
    published = metadata.published.when if metadata.published is not None else None
    pairs = {
        "title": (old.title, metadata.title),
        "authors": (old.authors, metadata.authors),
        "date": (old.published, published),
    }
    return [name for name, (before, after) in pairs.items() if before != after]
