"""The tables of the change feed: what changed (`changes`), and how far each consumer has read, what it was sent and
what its receiver refused for good (`consumers`). The sinks are in `newscrawl.feed`.

In here: `announce` derives the changes of a batch. `change_causes` has the reasons and their order. `changed_pages`
reads the pages of changed articles, `article_stories` which articles are shown and in which stories. `changes` and
`feed_addresses` are one table each. Start with `changes`.
"""
