"""Extraction in worker processes. A page that hangs, uses too much memory or kills its worker loses only itself.

In here: `extraction_pool` is the interface for a crawl. `job_queue` manages the workers of one kind and their waiting
jobs. `extraction_worker` is the process. `page_task`, `source_task` and `front_page_task` are the work on pages,
sources and front pages. Not in here: starting and supervising processes (`newscrawl.processes`), and the workers of an
ingest, which take spans of files (`newscrawl.ingest`). Start with `extraction_pool`.

Crawling, ingest and the commands may import this package.
"""
