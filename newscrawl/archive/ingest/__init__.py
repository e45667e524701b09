"""Processes archives of pages (WARC, folders of HTML) as a crawl processes pages, on all cores and without a network.

In here: `inputs` divides the files into spans; `run` gives spans to workers and stores their pages; `crew` are the
workers of this machine and `worker` is the work of each, which also checks digests; `pages` turns records and files
into raw pages. Not in here: reading WARC (`newscrawl.archive`) and extraction
(`newscrawl.extraction.article`). Start with `run`.

`newscrawl.archive.batch` and everything above it but `newscrawl.web` may import this package.
"""
