"""Reads dates as pages, feeds and sitemaps write them, in the languages, scripts and calendars of news sites. Pure.

In here: `parse_date` reads the first date of a text, and that of an entry of a source, with `calendars` and the times
of day and zones of `clocks`. Not in here: which of a page's dates is that of the article
(`newscrawl.extraction.metadata.dates`). Start with `parse_date`.

`newscrawl.page` and everything above it may import this package.
"""
