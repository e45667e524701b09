"""Monitoring: decides whether a site has gone quiet and whether its extraction looks broken. Pure, over samples.

In here: `page_sample` is the result of one page. `extraction_baseline` and `volume_baseline` are what is stored of a
site; `codec` writes and reads them as JSON. `extraction_alarm` compares the latest pages with those before them,
`volume_baseline` the new articles an hour with the past, `page_checks` checks single pages of a running crawl.
`learning` says from when alarms of a new site are reliable, `messages` words the alarms. Not in here: the tables
(`storage.monitoring`) and the use in a running crawl (`crawling.monitoring`). Start with `page_sample`.

Storage and everything above it may import this package.
"""
