"""The form in which phrases are compared: lower case, every sequence of other characters as one blank."""

from __future__ import annotations

from newscrawl.extraction.cleanup.cues import fold


def bare_words(text: str | None) -> str:
    """Returns the text in lower case, with words and digits only and one blank between them."""
    return fold(text) if text else ""
