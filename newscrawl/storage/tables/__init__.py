"""The tables, one module for each domain. `schema` has the MetaData and the largest tables. Code imports the modules
whose tables it uses, so that a command loads no others. Only storage imports this package.

In here: `schema`, `announcements`, `archive`, `boilerplate`, `changes`, `controls`, `duplicates`, `hours`, `machines`,
`profiles`, `review` and `searches`. Start with `schema`.
"""
