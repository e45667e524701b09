"""Monitoring: decides whether a site has gone quiet, does not answer, and whether its extraction looks broken; and holds
pages that look broken for review.

In here: `samples` is the result of one page. `problems` has the problems that a page can have and how each is found.
`extraction` and `volume` are what is stored of a site, and compare its latest pages and its new articles an hour with
the past. `page_checks` checks single pages of a running crawl. `reachability` judges sites that do not answer,
`messages` words the alarms. Not in here: the tables (`storage.monitoring`) and the use in a running crawl
(`crawling.monitoring`). Start with `samples`.

Storage and everything above it may import this package.
"""
