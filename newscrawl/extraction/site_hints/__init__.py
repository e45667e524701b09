"""Hints: what an operator knows about one site's pages, as selectors in the site's declaration.

In here: `declared` checks what a declaration says; `selectors` turns a selector into an XPath of lxml, and `cost`
limits the work of its evaluation; `apply` gives the runs that a page's hints drop or keep, and the fields that they
name; `site_config` reads the rule format of FiveFilters. Not in here: how a chain uses the runs
(`newscrawl.extraction.per_site`) and how metadata uses the fields (`newscrawl.extraction.metadata`). Start with
`declared`.

`newscrawl.discovery` and everything above it may import this package.
"""

from __future__ import annotations

from newscrawl.extraction.site_hints.declared import NO_HINTS, HintSet, SiteHints

__all__ = ["NO_HINTS", "HintSet", "SiteHints"]
