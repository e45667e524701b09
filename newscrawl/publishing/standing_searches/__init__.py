"""Standing searches: queries that are asked of every change, and the stories that they find.

In here: `saving` checks and saves a search. `deciding` says which hits are new, corrected or withdrawn; it is pure.
`evaluating` is the consumer of the change feed that finds the searches that match and decides, for all searches. Not in
here: the rows (`newscrawl.storage.feed.standing_searches`), what tells people of the stories
(`newscrawl.publishing.deliver`), and which process of a fleet does the work
(`newscrawl.crawling.monitoring.watchdog`). Start with `evaluating`.

`newscrawl.crawling.runtime` and everything above it may import this package.
"""
