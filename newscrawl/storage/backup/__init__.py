"""Copies of a SQLite database, and databases from such copies.

In here: `copies`. Not in here: the raw archive, whose files any copying tool copies, and databases on a server, which
its own programs copy (docs/how-to/deploy.md). Start with `copies`.
"""
