"""Bytes to Page: decoded, parsed once, walked once. Knows nothing of what is content."""

from __future__ import annotations

from newscrawl.page.parse import Page, parse
from newscrawl.page.run import Run

__all__ = ["Page", "Run", "parse"]
