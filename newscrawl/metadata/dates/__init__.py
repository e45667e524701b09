"""The dates of an article, published and modified: stated dates, visible dates, dates in addresses, and the choice.

In here: `published` chooses among the dates that the other modules find: `visible` and `datelines` in the text,
`in_urls` in the address. `newscrawl.metadata.nearby` gives the lines around the headline. `newscrawl.written_dates`
reads one date. `labels` reads what a line says about its date. Start with `published`.
"""
