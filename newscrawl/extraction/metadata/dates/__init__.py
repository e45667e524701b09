"""The dates of an article, published and modified: stated dates, visible dates, dates in addresses, and the choice.

In here: `published` chooses among the dates that the page states, that readers see in the text, and that are in the
address. `labels` reads what a line says about its date. `newscrawl.extraction.metadata.nearby` gives the lines around
the headline, `newscrawl.model.written_dates` reads one date. Start with `published`.
"""
