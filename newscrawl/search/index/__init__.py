"""The full-text index of a database: its Protocol, and one implementation for each database.

In here: `protocol` is what an index does; `sqlite`, with `fts5` and `bm25`, and `postgresql`, with `tsvectors`,
implement it. `filter_words` are the words by which an index finds the articles of a site, a language or a time.
`update` reads the change feed, `read_only` searches an index as it is. Start with `protocol`.

`newscrawl.search` and everything above it may import this package.
"""
