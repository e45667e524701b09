"""Reports from the database: the state of sites and sources, the history of one URL, and every article.

In here: `sites` and `sources` report their state. `story` reports what happened to one URL. `copies` and `overlaps`
report articles with similar texts. `export` yields every current article. Start with `story`.
"""

from __future__ import annotations

from newscrawl.storage.reports.export import ExportedArticle, Period, articles, documents
from newscrawl.storage.reports.sites import SiteStatus, site_names, sites
from newscrawl.storage.reports.sources import SourceStatus, failing_sources
from newscrawl.storage.reports.story import ArticleSummary, PageStory, Story, Version, story

__all__ = [
    "ArticleSummary",
    "ExportedArticle",
    "PageStory",
    "Period",
    "SiteStatus",
    "SourceStatus",
    "Story",
    "Version",
    "articles",
    "documents",
    "failing_sources",
    "site_names",
    "sites",
    "story",
]
