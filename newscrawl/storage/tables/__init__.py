"""The tables, a module for each domain. `schema` holds the largest ones and imports the others, so that one import
knows the whole schema. Only storage imports this package.

In here: `schema`, `announcements`, `archive`, `changes`, `duplicates` and `review`. Start with `schema`.
"""
