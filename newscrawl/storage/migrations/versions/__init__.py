"""One module a revision, oldest first: rNNNN_what_it_does.

In here: each module says in its docstring what it changes and why. Start with `r0001_first_schema`.
"""
