"""Turns bytes into a Page: decodes them, parses them once, walks the tree once. Does not decide what is content.

In here: `parse` runs all steps; `decode` finds the encoding; `cuts` shortens and mends the bytes before the parser;
`walk` collects text, `styles` says what of it nobody sees, `runs` makes runs; `elements` stores the tree as numbers;
`tags` is the table of HTML tags; `head` and `jsonld` read what a page declares; `words` counts words;
`compiled` chooses the compiled walk. Not in here: which runs are the article (`newscrawl.extraction`) and what the
declarations mean (`newscrawl.extraction.metadata`). Start with `parse`.

`newscrawl.extraction` and everything above it may import this package.
"""

from __future__ import annotations

from newscrawl.page.parse import Page, parse
from newscrawl.page.run import TextRun

__all__ = ["Page", "TextRun", "parse"]
