"""The tables, one module for each domain. `columns` has the MetaData and what all tables share. Code imports the
modules whose tables it uses, so that a command loads no others. Only storage imports this package.

In here: `columns`, `articles`, `frontier`, `operations`, `archive`, `changes`, `duplicates`, `hours`, `machines`,
`review` and `searches`. Start with `articles`.
"""
