"""Extraction in worker processes. A page that hangs, uses too much memory or kills its worker loses only itself.

In here: `pool` gives jobs to worker processes, for all who need workers; `extraction_worker` is the process, and its
work on pages; `extraction_pool` is the pool of a crawl; `source_task` is the work on sources and front pages;
`blocking` is an event loop for callers without one. `processes` starts child processes, limits and supervises them. Not
in here: the work on spans of files (`newscrawl.archive.ingest.worker`). Start with `pool`.

`newscrawl.config.catalogue` and everything above it may import this package. `processes` stands far below: its
docstring says who may import it.
"""
