"""Extraction in worker processes: a page that hangs, eats memory or kills its worker costs that page alone.

In here: `extraction_pool` is what a crawl calls; `job_queue` keeps the workers of one kind and the jobs that wait;
`extraction_worker` is the process; `page_task`, `source_task` and `front_page_task` are what a worker does with pages,
sources and front pages. Not in here: starting and supervising processes (`newscrawl.processes`), and the workers of an
ingest, which take spans of files (`newscrawl.ingest`). Start with `extraction_pool`.

Crawling, ingest and the commands may import this package.
"""
