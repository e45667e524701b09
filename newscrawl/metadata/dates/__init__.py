"""When an article was published and changed: stated dates, visible dates, dates in addresses, and the choice.

In here: `published` weighs what the other modules find: `visible`, `nearby` and `datelines` in the text, `in_urls` in
the address; `parse_date` reads one date with `months` and `calendars`, `labels` says what a line says of its date.
Start with `published`.
"""
