"""The length of the text that a page states as its article, relative to the extracted one."""

from __future__ import annotations

from typing import Final

from newscrawl.extraction.stated_text import stated_bodies
from newscrawl.page import Page

MAX_RATIO: Final = 2.0
"""A stated text counts as at most so many times as long as the extracted one."""


def share_of_stated_text(page: Page, text: str) -> float | None:
    """Returns the length of the longest stated text relative to `text`, which must not be empty; None if the page
    states none. White space is not counted."""
    longest = max(map(_characters, stated_bodies(page)), default=0)
    return min(MAX_RATIO, longest / max(1, _characters(text))) if longest else None


def _characters(text: str) -> int:
    return len("".join(text.split()))
