"""Extraction in worker processes: a page that hangs, eats memory or kills its worker costs that page alone.

In here: `extraction_pool` is what a crawl calls; `job_queue` keeps the workers of one kind and the jobs that wait;
`extraction_worker` is the process; `source_task` and `front_page_task` are what a worker does with sources and front
pages. Not in here: the workers of an ingest (`newscrawl.ingest`). Start with `extraction_pool`.

Crawling and the commands may import this room.
"""
