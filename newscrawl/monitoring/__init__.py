"""Whether a site has gone quiet and whether its extraction looks broken: pure decisions over samples.

In here: `page_sample` is what one page came to. `extraction_baseline` and `volume_baseline` are what is remembered of a
site; `codec` writes and reads them as JSON. `extraction_alarm` judges the latest pages against those before them,
`volume_baseline` new articles an hour against the past, `page_checks` single pages while they come in. `messages` is
what alarms say. Not in here: the tables (`storage.monitoring`) and when a running crawl asks (`crawling.monitoring`).
Start with `page_sample`.

Storage and everything above it may import this package.
"""
