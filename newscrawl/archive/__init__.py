"""The raw archive: every fetched page once, as its server sent it, in WARC files; and what reads many archived pages.

In here: `writer` takes pages, writes them in a thread and returns their captures, `capture_records` makes the records
of a capture, `files` names and locks the files, `places` has the place of complete files in a folder, `objects` that in
an object store, `holding` says who holds a file and who may change it, `upload` moves closed files into an object
store, `recover` repairs the files of a killed process, `warc` and `http` read archives of any origin, `web_files` reads
files of a web server in ranges, `read` returns captures as pages, `remove` removes pages, here and for other machines,
`rewrite` replaces a file by one without some pages, `retention` deletes the oldest files. `ingest` processes archives
as a crawl does, `batch` extracts many pages into tables, `reextract` extracts the archive again. Not in here: the table
of captures (`newscrawl.storage.captures`). Start with `writer`.

This package imports nothing by itself, so that reading workers do not load the writing modules.
`newscrawl.extraction.explain` and all packages above it may import this package.
"""
