"""The tables of the change feed: what changed (`changes`), how far each consumer has read (`cursors`), what a consumer
with a filter was sent (`given_articles`), and what the receiver of a consumer refused for good (`refused_changes`). The
sinks are in `newscrawl.feed`.

In here: `announce` derives the changes of a batch. `change_causes` has the reasons and their order. `changed_pages`
reads the pages of changed articles, `article_stories` which articles are shown and in which stories. `changes`,
`cursors`, `given_articles`, `refused_changes` and `feed_addresses` are one table each. Start with `changes`.
"""
