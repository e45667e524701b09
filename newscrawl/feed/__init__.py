"""Pushing the change feed to consumers: a file, a webhook, a search server.

In here: `reader` reads the feed for one consumer from its cursor on; `sink` is the Protocol of the receivers; `jsonl`,
`webhook` and `opensearch` implement it; `custom_sinks` opens those of users; `document` and `stories` say what is sent;
`search_server`, `search_mapping` and `search_answers` talk to a search server; `exchange` is one HTTP request.
Not in here: the table of changes and the cursors (`newscrawl.storage.feed`). Start with `reader`.

`newscrawl.explain` and everything above it may import this package.
"""
