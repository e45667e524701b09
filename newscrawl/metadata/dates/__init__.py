"""When an article was published and changed: stated dates, visible dates, dates in addresses, and the choice.

Start with `published`, which weighs what the other modules find.
"""
