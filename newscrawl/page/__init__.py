"""Bytes to Page: decoded, parsed once, walked once. Knows nothing of what is content.

In here: `parse` is the whole way; `decode` finds the encoding; `cuts` shortens the bytes and `ends` mends them before
the parser; `segment` and `walk` make runs of text, `elements` the tree as numbers, `tags` says what each HTML tag
means; `head`, `hints` and `jsonld` read what a page declares; `words` counts words; `compiled` tells whether the
compiled walk is used. Not in here: which runs are the article (`newscrawl.extraction`) and what the declarations mean
(`newscrawl.metadata`). Start with `parse`.

`newscrawl.extraction` and everything above it may import this package.
"""

from __future__ import annotations

from newscrawl.page.parse import Page, parse
from newscrawl.page.run import Run

__all__ = ["Page", "Run", "parse"]
