"""Every fetched page once, as its server sent it: WARC files on the disk, pointers to them in SQL.

In here: `archive_thread` takes pages and answers with their captures, `writer` writes the files, `capture_records`
makes the records of a capture, `files` names and locks the files, `recover` mends what a killed process left, `warc`
and `http` read archives of any origin, `read` gives captures back as pages, `digests` checks them, `forget` and
`retention` remove pages and files. Not in here: the table of captures (`newscrawl.storage.captures`). Start with
`archive_thread`.

Nothing is imported here, so that workers that only read do not load what writes. `newscrawl.explain` and everything
above it may import this package.
"""
