"""Whether a site has gone quiet and whether its extraction looks broken: pure decisions over samples.

In here: `volume_baseline` (new articles an hour against the past), `extraction_baseline` (the latest pages against
those before them), `page_checks` (which single pages are not to be believed meanwhile). Not in here: the tables of
baselines and alarms (`storage.monitoring`) and the checks that a running crawl makes (`crawling.monitoring`). Start
with `extraction_baseline`.

Storage and everything above it may import this room.
"""
