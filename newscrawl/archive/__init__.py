"""The raw archive: every fetched page once, as its server sent it, in WARC files, with an index in SQL.

In here: `archive_thread` takes pages and returns their captures, `writer` writes the files, `capture_records` makes the
records of a capture, `files` names and locks the files, `recover` repairs the files of a killed process, `warc` and
`http` read archives of any origin, `web_files` reads files of a web server in ranges, `read` returns captures as pages,
`digests` checks them, `forget` and `retention` remove pages and files, `rewrite` replaces a file by one without some
pages, `asked_removals` does what other machines asked for. Not in here: the table of captures
(`newscrawl.storage.captures`). Start with `archive_thread`.

This package imports nothing by itself, so that reading workers do not load the writing modules. `newscrawl.explain` and
all packages above it may import this package.
"""
