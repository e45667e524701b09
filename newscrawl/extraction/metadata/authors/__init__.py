"""The authors of an article, from statements for machines and visible bylines.

In here: `select` chooses among the statements and finds the visible ones, `names` extracts names from them.
Start with `select`.
"""
