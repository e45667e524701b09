"""What is known of one site, applied to the result of a chain.

In here: `hinted` applies the hints of a declaration, `repeated` leaves out lines that many stories of the site repeat.
Not in here: the values themselves (`newscrawl.extraction.site_hints`, `newscrawl.extraction.site_boilerplate`), and
corrections that need no knowledge of the site (`newscrawl.extraction.cleanup`). Start with `hinted`.
"""
