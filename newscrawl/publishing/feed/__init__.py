"""Sends the change feed to consumers: a file, a webhook, a search server.

In here: `reader` reads the feed for one consumer, from its cursor on; `entries` makes what it sends of the changes, and
`filters` chooses articles. `sink` is the Protocol of receivers; `jsonl`, `webhook` and `opensearch` implement it;
`registry` lists them, opens the one that an argument names, and checks those of users. `document` (with
`change.schema.json`) and `stories` build what is sent. `search_server` and `search_mapping` talk to a search server;
`sending` repeats a request. Not in here: one HTTP request (`newscrawl.publishing.deliver.http`), the tables of changes
and cursors (`newscrawl.storage.feed`). Start with `reader`.

`newscrawl.extraction.explain` and everything above it may import this package.
"""
