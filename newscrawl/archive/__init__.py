"""The raw archive: every fetched page once, as its server sent it, in WARC files; and what reads many archived pages.

In here:

    writer             takes pages, writes them in a thread and returns their captures
    capture_records    makes the records of a capture
    files              names and locks the files
    places, objects    the places of complete files: a folder, an object store
    holding            who holds a file, and who may change it
    upload             moves closed files into an object store
    recover            repairs the files of a killed process
    warc               reads archives of any origin
    web_files          opens files wherever they are, also those of a web server
    read               returns captures as pages, and archived answers
    remove, rewrite    remove pages, here and for other machines, by writing files without them
    retention          deletes the oldest files
    ingest             processes archives as a crawl does
    batch              extracts many pages into tables
    reextract          extracts the archive again

Not in here: the table of captures (`newscrawl.storage.captures`). Start with `writer`.

This package imports nothing by itself, so that reading workers do not load the writing modules.
`newscrawl.extraction.explain` and everything above it may import this package; `ingest`, `batch` and `reextract` stand
higher.
"""
