"""Measures the time of each step from bytes to article: the work of `newscrawl bench speed`.

In here: `timing` measures each step, `growth` compares a page with one of double size, `report` writes the tables.
Start with `timing`.
"""
