"""From a processed page to its rows: articles, their versions and their history.

In here: `decide` is the pure heart (what is known and what came in, to intents), `apply` carries the intents of a
batch out, `versions` and `differences` say what kind of change a further reading is. Not in here: stories of several
texts (`storage.duplicates`) and the change feed (`storage.feed`). Start with `decide`.
"""
