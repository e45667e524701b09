"""The tables. Only storage and `newscrawl.reports` import this package; `engine.types` has what all tables share.

Transactions that write do so one after the other (engine.transactions.begin_write). Every rule that must always hold is
a unique key as well: one URL row and one page for each URL key, one article for each identity, one version for each
page and article.

In here: `articles`, `frontier`, `changes` and `operations`. Start with `articles`.
"""
