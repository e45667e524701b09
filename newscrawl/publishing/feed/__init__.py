"""Sends the change feed to consumers: a file, a webhook, a search server.

In here: `reader` reads the feed for one consumer, from its cursor on, chooses its articles, and makes what it is sent
of the changes. `sink` is the Protocol of receivers, and writes an entry as JSON (`change.schema.json`); `jsonl`,
`webhook` and `opensearch` implement it; `registry` lists them, opens the one that an argument names, and checks those
of users. `search_mapping` says what a search server gets. Not in here: one HTTP request
(`newscrawl.publishing.deliver.http`), the tables of changes and cursors (`newscrawl.storage.feed`). Start with
`reader`.

`newscrawl.extraction.explain` and everything above it may import this package.
"""
