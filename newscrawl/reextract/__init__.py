"""The archive through another chain or version: what would change, shown first and then stored.

In here: `run` reads the archive and extracts again; `compare` says what another extraction changes of a page; `tally`
counts, site by site; `report` writes the HTML report. Not in here: reading the archive (`newscrawl.archive.read`) and
how a new extraction replaces an old one (`newscrawl.storage.articles`). Start with `run`.

The commands may import this package.
"""
