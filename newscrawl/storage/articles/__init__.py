"""From a processed page to its rows: articles, their versions and their history.

In here: `deciding` is the pure heart (from what is known and what came in to an intent), `apply` looks up, decides and
writes a batch, `writing` has the writes by tables, `lookup` and `versions` read what is known. A crawl, an ingest, a
release and another extraction all go through `apply.save_batch`; `deciding.occasions` says how they differ. Not in
here: stories of several texts (`storage.duplicates`) and the change feed (`storage.feed`). Start with
`deciding.decide`.
"""
