"""Who wrote an article: stated authors and bylines.

In here: `select` chooses among the statements, `bylines` finds those of the visible page, `names` reads names out of
them. Start with `select`.
"""
