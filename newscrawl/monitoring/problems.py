"""The names of the problems of pages, as alarms, counters and logs show them."""

from __future__ import annotations

from typing import Final

TITLE_MISSING: Final = "title missing"
AUTHORS_MISSING: Final = "authors missing"
PUBLISHED_MISSING: Final = "published missing"
FALLBACK_USED: Final = "fallback used"
TEXT_SHORT: Final = "text short"
TEXT_COLLAPSED: Final = "text collapsed"
"""The text has less than half of the characters of a short one."""
TEXT_LONG: Final = "text long"
NOT_WHOLE: Final = "not a whole article"
SAME_TEXT: Final = "same text as another page"
TEXT_REPLACED: Final = "text replaced"
"""The text took the place of quite another one, and is not credible."""
NO_TEXT: Final = "no text"
"""A failure that another extractor may repair."""
PAGE_FAILED: Final = "page failed"
"""Any failure."""
SUSPECT_TEXT: Final = "suspect text"
"""The page is suspect: it was held for review, or read by another extractor than the site's."""

WHOLE: Final = frozenset({"article", "live"})
"""Verdicts of whole articles."""
