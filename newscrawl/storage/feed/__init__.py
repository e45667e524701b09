"""The change feed: what changed (`changes`), and how far each consumer has read, what it was sent and what its receiver
refused for good (`consumers`). The sinks are in `newscrawl.publishing.feed`.

In here: `announce` derives the changes of a batch. `changes` has their reasons, and reads and appends them with the
pages and the stories of the changed articles. `standing_searches` has searches, what they found and their destinations;
`feed_addresses` is one table. Start with `changes`.
"""
