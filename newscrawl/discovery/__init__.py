"""Discovery: turns the bytes of feeds, sitemaps, section pages and home pages into candidate URLs. Everything here is
pure: nothing is fetched or stored.

In here: `feeds` reads RSS, Atom and JSON feeds. `sitemaps` reads sitemaps and chooses among the children of an index.
`links` finds the links of a page and decides which lead to articles. `proposals` writes the declaration of a new site.
`reading` is the result of reading one source, `budget` limits its cost. `sniff`, `unpack` and `dates` are used by the
readers. Not in here: when a source is read (`newscrawl.scheduling.sources`) and who fetches it (`newscrawl.crawling`).
Start with `reading`, then `feeds.read_feed`.

`newscrawl.monitoring` and everything above it may import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from newscrawl.lazy import loaded_when_used

if TYPE_CHECKING:
    from newscrawl.discovery.budget import Budget, SourceUsage
    from newscrawl.discovery.feeds.read_feed import read_feed
    from newscrawl.discovery.links.article_urls import ArticleRule, is_home, looks_like_article, never_an_article
    from newscrawl.discovery.links.extraction import LIKELY, FoundLink, extract_links, forbids_following
    from newscrawl.discovery.links.learned_rules import LearnedRule, learn_rules
    from newscrawl.discovery.links.sections import section_links
    from newscrawl.discovery.proposals.declaration import Declaration, render, site_name
    from newscrawl.discovery.proposals.find_sources import (
        FoundSource,
        best_sources,
        common_sources,
        find_sources,
        is_article_page,
        ranked,
        robots_sitemaps,
    )
    from newscrawl.discovery.proposals.sources import (
        SourceTrial,
        choose_sources,
        propose,
        sample,
        sections_of,
        try_source,
    )
    from newscrawl.discovery.reading import EMPTY, HTML_INSTEAD, NO_FEED, ChildSitemap, SourceContents, UpdateHints
    from newscrawl.discovery.sitemaps.child_choice import (
        Choice,
        choose,
        choose_children,
        credible_date,
        is_older,
        period_end,
    )
    from newscrawl.discovery.sitemaps.read_sitemap import read_sitemap

__all__ = [
    "EMPTY",
    "HTML_INSTEAD",
    "LIKELY",
    "NO_FEED",
    "ArticleRule",
    "Budget",
    "ChildSitemap",
    "Choice",
    "Declaration",
    "FoundLink",
    "FoundSource",
    "LearnedRule",
    "SourceContents",
    "SourceTrial",
    "SourceUsage",
    "UpdateHints",
    "best_sources",
    "choose",
    "choose_children",
    "choose_sources",
    "common_sources",
    "credible_date",
    "extract_links",
    "find_sources",
    "forbids_following",
    "is_article_page",
    "is_home",
    "is_older",
    "learn_rules",
    "looks_like_article",
    "never_an_article",
    "period_end",
    "propose",
    "ranked",
    "read_feed",
    "read_sitemap",
    "render",
    "robots_sitemaps",
    "sample",
    "section_links",
    "sections_of",
    "site_name",
    "try_source",
]

_MODULES: Final = {
    "budget": ("Budget", "SourceUsage"),
    "feeds.read_feed": ("read_feed",),
    "links.article_urls": ("ArticleRule", "is_home", "looks_like_article", "never_an_article"),
    "links.extraction": ("LIKELY", "FoundLink", "extract_links", "forbids_following"),
    "links.learned_rules": ("LearnedRule", "learn_rules"),
    "links.sections": ("section_links",),
    "proposals.declaration": ("Declaration", "render", "site_name"),
    "proposals.find_sources": (
        "FoundSource",
        "best_sources",
        "common_sources",
        "find_sources",
        "is_article_page",
        "ranked",
        "robots_sitemaps",
    ),
    "proposals.sources": ("SourceTrial", "choose_sources", "propose", "sample", "sections_of", "try_source"),
    "reading": ("EMPTY", "HTML_INSTEAD", "NO_FEED", "ChildSitemap", "SourceContents", "UpdateHints"),
    "sitemaps.child_choice": ("Choice", "choose", "choose_children", "credible_date", "is_older", "period_end"),
    "sitemaps.read_sitemap": ("read_sitemap",),
}
__getattr__ = loaded_when_used(__name__, {name: module for module, names in _MODULES.items() for name in names})
