"""Explains the text extracted from a page: shows every run of the page with the decisions of each step of the chain.

In here: `document` writes the HTML page of `newscrawl explain`, with the mark-up of `style`; `reasons` runs a chain's
steps again, also on a page with hints of its site, and says what each extractor measured and decided. Not in here: the
extractors (`newscrawl.extraction`). Start with `document`.

`newscrawl.workers.pool` and everything above it may import this package.
"""
