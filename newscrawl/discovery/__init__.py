"""Discovery: turns the bytes of feeds, sitemaps, section pages and home pages into candidate URLs, and adds sites.
Everything but `onboarding` is pure: nothing is fetched or stored.

In here: `feeds` reads RSS, Atom and JSON feeds. `sitemaps` reads sitemaps and chooses among the children of an index.
`links` finds the links of a page and decides which lead to articles. `proposals` writes the declaration of a new site.
`reading` is the result of reading one source, and limits its cost. `onboarding` makes the requests and the files of a
new site or project. Not in here: when a source is read (`newscrawl.crawling.scheduling.sources`), who fetches it
(`newscrawl.crawling`), and how dates are read (`newscrawl.model.written_dates`). Start with `reading`, then
`feeds.read_feed`.

`newscrawl.monitoring` and everything above it may import this package, but only `newscrawl.web` and the commands import
`onboarding`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newscrawl.lazy import loaded_when_used

if TYPE_CHECKING:
    from newscrawl.discovery.links.article_urls import looks_like_article

__all__ = ["looks_like_article"]  # site files use it

__getattr__ = loaded_when_used(__name__, {"looks_like_article": "links.article_urls"})
