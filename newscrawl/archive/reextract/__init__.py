"""Extracts the archive's pages again with another chain or version: reports what would change, then stores it.

In here: `run` reads the archive and extracts again; `tally` says what another extraction changes of a page, and counts,
site by site; `report` writes the HTML report; `boilerplate` learns the boilerplate of sites and extracts again what
that changes. Not in here: reading the archive (`newscrawl.archive.read`) and how a new extraction replaces an old one
(`newscrawl.storage.articles`). Start with `run`.

 Only the commands import this package.
"""
