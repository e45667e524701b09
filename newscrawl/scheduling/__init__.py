"""When what is visited: pure decisions over frozen values, `now` is a parameter.

In here: `host` (delay, back-off, Retry-After), `robots` and `robots_rules` (RFC 9309), `sources` and `arrival_rate`
(when to read a source again), `revisit` and `announced_edits` (when to visit a page again), `site_selection` (which
sites to crawl now, by `site_state`), `timetable` (a site's own hours). Not in here: who carries the decisions out
(`newscrawl.crawling`). Start with `host`.

Storage and everything above it may import this package.
"""
