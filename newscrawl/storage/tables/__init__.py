"""The tables, one module for each domain. `schema` defines the largest ones and imports the others, so that one import
loads the whole schema. Only storage imports this package.

In here: `schema`, `announcements`, `archive`, `boilerplate`, `changes`, `controls`, `duplicates`, `hours`, `machines`,
`profiles`, `review` and `searches`. Start with `schema`.
"""
