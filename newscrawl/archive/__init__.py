"""Every fetched page once, as its server sent it: WARC files on the disk, pointers to them in SQL.

`warc` and `http` read archives of any origin, `group` writes a capture's records, `files` keeps the folder in order,
`keeper` is the thread that writes, `forget` takes pages out again. Nothing is imported here: workers that only read
should not load what writes.
"""
