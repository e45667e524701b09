"""Decides when to visit what. Everything here is pure: frozen values go in and out, and `now` is a parameter.

In here: `host` decides delay, back-off and Retry-After; `robots` reads robots.txt (RFC 9309); `sources` and
`arrival_rate` plan the next reading of a source; `revisit` and `announced_edits` plan the next visit of a page;
`site_selection` chooses the sites to crawl now, from `site_state` and a site's own timetable; `rejected_patterns`
decides which new addresses of a directory of products or threads are fetched. Not in here: carrying the decisions out
(`newscrawl.crawling`). Start with `host`.

Storage and everything above it may import this package.
"""
