"""What filters know of a block besides "content or not": a set of labels, kept as bits of one integer."""

from __future__ import annotations

from typing import Final

TITLE: Final = 1 << 0
"""Its text is the page's title or a telling part of it."""
END_OF_TEXT: Final = 1 << 1
"""It stands where articles end: comments, sharing, ratings."""
VERY_LIKELY_CONTENT: Final = 1 << 2
"""The block that the keep-largest step chose."""
MIGHT_BE_CONTENT: Final = 1 << 3
"""A block that the keep-largest step gave up; later steps may take it back."""
LIST_ITEM: Final = 1 << 4
"""Inside li."""
HEADING: Final = 1 << 5
"""Inside h1, h2 or h3."""

_NAMES: Final = {
    TITLE: "title",
    END_OF_TEXT: "end of text",
    VERY_LIKELY_CONTENT: "very likely content",
    MIGHT_BE_CONTENT: "might be content",
    LIST_ITEM: "list item",
    HEADING: "heading",
}


def label_names(labels: int) -> tuple[str, ...]:
    """The labels in `labels` as words for people."""
    return tuple(name for bit, name in _NAMES.items() if labels & bit)
