"""The revisions of the schema: rNNNN_what_it_does, oldest first.

In here: `r0001_tables` makes all tables and views. Each later module says in its docstring what it changes and why.
Start with `r0001_tables`.
"""
