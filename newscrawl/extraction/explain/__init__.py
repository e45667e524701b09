"""Explains the text extracted from a page: shows every run of the page with the decisions of each step of the chain.

In here: `document` writes the HTML page of `newscrawl explain`; `steps` runs a chain's steps again and keeps their
reasons, also on a page with hints of its site; `reasons` has what each extractor measured and decided; `runs` and
`style` write the result. Not in here: the extractors (`newscrawl.extraction`). Start with `document`.

`newscrawl.workers.pool` and everything above it may import this package.
"""
