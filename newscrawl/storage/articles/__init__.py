"""From a processed page to its rows: articles, their versions and their history.

In here: `deciding` is pure: it derives an intent from the stored state and the incoming page. `apply` looks up, decides
and writes a batch, with `writing`. `lookup` reads the tables. A crawl, an ingest, a release and a re-extraction all
call `apply.save_batch`; `deciding.known.Occasion` says how they differ. Not in here: stories of several texts
(`storage.duplicates`) and the change feed (`storage.feed`). Start with `deciding.decide`.
"""
