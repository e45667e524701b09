"""The import path of docs/how-to/extend.md for verdict rules of users.

In here: `signals` is what a rule gets. Not in here: the code (`newscrawl.extraction.article`). Start with `signals`.
"""
