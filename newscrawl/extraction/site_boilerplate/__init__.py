"""Site boilerplate: lines of text that one site repeats on pages of different stories, such as rules for comments.

In here: `epoch` is the numbered, immutable set of a site's boilerplate, and gives a line its key; `learn` makes the
next one from the site's recent texts and says how many of them it would change. Not in here: how a chain leaves the
lines out (`newscrawl.extraction.per_site`), where epochs are stored (`newscrawl.storage.monitoring.site_models`) and
when one is learned (`newscrawl.archive.reextract.boilerplate`). Start with `learn`.

`newscrawl.discovery` and everything above it may import this package.
"""

from __future__ import annotations

from newscrawl.extraction.site_boilerplate.epoch import NO_BOILERPLATE, SiteBoilerplate

__all__ = ["NO_BOILERPLATE", "SiteBoilerplate"]
