"""The item pipelines of a crawl, from the fetched page to the row in the database.

In here: `archive` writes the bytes to the raw archive, `extract` hands a page to the extraction workers, `fingerprint`
adds hash and identity key, `store` waits for the commit. Not in here: the names under which a project's ITEM_PIPELINES
has them (`pipelines/` of the project), and the one pipeline of the add-on (`newscrawl.addon`). Start with `extract`.
"""
