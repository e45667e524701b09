"""Standing searches: queries that are asked of every change, and what tells people of the stories that they find.

In here: `saving` checks and saves a search. `dispatch` finds the searches that match an article. `deciding` says which
hits are new, corrected or withdrawn; it is pure. `evaluating` is the consumer of the change feed that does both for all
searches. `scopes` makes the feed of everything, a site, a language or a search. `delivering` sends events to
`destinations` with `senders`: files (Atom and JSON Feed, made by `feeds`), requests of webhooks, mails.
Not in here:
the rows (`newscrawl.storage.feed.standing_searches`, `newscrawl.storage.feed.search_hits`), and which process of a
fleet does the work (`newscrawl.crawling.monitoring.standing_search_service`). Start with `evaluating`.

`newscrawl.crawling` and everything above it may import this package.
"""
