"""The text that a page states as its article: `articleBody` of JSON-LD."""

from __future__ import annotations

from typing import Final

from newscrawl.page import Page

PROPERTY: Final = "articleBody"
MAX_RATIO: Final = 2.0
"""A stated text counts as at most so many times as long as the extracted one."""


def share_of_stated_text(page: Page, text: str) -> float | None:
    """Returns the length of the longest stated text relative to `text`, which must not be empty; None if the page
    states none. White space is not counted. The JSON-LD is only parsed if it has the property."""
    if not any(PROPERTY in script for script in page.hints.json_ld_scripts):
        return None
    bodies = [body for item in page.hints.json_ld if isinstance(body := item.get(PROPERTY), str)]
    longest = max(map(_characters, bodies), default=0)
    return min(MAX_RATIO, longest / max(1, _characters(text))) if longest else None


def _characters(text: str) -> int:
    return len("".join(text.split()))
