"""What each part of the way from bytes to article costs: the work of `newscrawl bench speed`.

In here: `timing` measures each part, `growth` doubles a page and measures again, `report` has the tables. Start with
`timing`.
"""
