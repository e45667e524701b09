"""Monitoring: decides whether a site has gone quiet, does not answer or looks broken; holds broken pages for review.

In here: `samples` is the result of one page. `problems` has the problems that a page can have and how each is found.
`extraction` and `volume` are what is stored of a site, and compare its latest pages and its new articles an hour with
the past. `page_checks` checks single pages of a running crawl, `reachability` sites that do not answer, `messages`
words the alarms. These modules are pure: storage imports them. `review_gate` holds pages for review in a crawl,
`watchdog` runs the checks of alarms, `doctor` has the checks of the command. Not in here: the tables
(`storage.monitoring`), when a crawl runs the watchdog and how alarms are sent (`crawling.monitoring`). Start with
`samples`.

`newscrawl.storage` and everything above it may import this package; `review_gate`, `watchdog` and `doctor` stand
higher.
"""
