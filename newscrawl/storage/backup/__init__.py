"""Copies of a whole database, and databases from such copies.

In here: `copies` backs a database up and restores it; `sqlite` and `postgresql` do it for one kind each. Not in here:
the raw archive, whose files any copying tool copies. Start with `copies`.
"""
