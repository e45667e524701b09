"""Labels of blocks, beside "content or not", as bits of one integer."""

from __future__ import annotations

from typing import Final

TITLE: Final = 1 << 0
"""The block's text is the page's title or a significant part of it."""
END_OF_TEXT: Final = 1 << 1
"""The block is where articles end: comments, sharing, ratings."""
VERY_LIKELY_CONTENT: Final = 1 << 2
"""The block that the keep-largest step chose."""
MIGHT_BE_CONTENT: Final = 1 << 3
"""A block that the keep-largest step rejected. Later steps may restore it."""
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
    """Returns the names of the labels in `labels`."""
    return tuple(name for bit, name in _NAMES.items() if labels & bit)
