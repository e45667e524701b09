"""Discovery: turns the bytes of feeds, sitemaps, section pages and home pages into candidate URLs. Everything here is
pure: nothing is fetched or stored.

In here: `feeds` reads RSS, Atom and JSON feeds. `sitemaps` reads sitemaps and chooses among the children of an index.
`links` finds the links of a page and decides which lead to articles. `proposals` writes the declaration of a new site.
`reading` is the result of reading one source, `budget` limits its cost, `sniff` recognises and opens bodies. Not in
here: when a source is read (`newscrawl.scheduling.sources`), who fetches it (`newscrawl.crawling`), and how dates are
read (`newscrawl.written_dates`). Start with `reading`, then `feeds.read_feed`.

`newscrawl.monitoring` and everything above it may import this package.
"""

from __future__ import annotations

from newscrawl.discovery.budget import Budget, SourceUsage
from newscrawl.discovery.feeds.read_feed import read_feed
from newscrawl.discovery.links.article_urls import ArticleRule, is_home, looks_like_article, never_an_article
from newscrawl.discovery.links.extraction import LIKELY, FoundLink, extract_links, forbids_following, section_links
from newscrawl.discovery.links.learned_rules import LearnedRule, learn_rules
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
from newscrawl.discovery.proposals.sources import SourceTrial, choose_sources, propose, sample, sections_of, try_source
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
