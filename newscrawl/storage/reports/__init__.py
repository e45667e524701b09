"""Reading the database for people: how the sites and their sources do, the story of one URL, every article.

In here: `sites` and `sources` say how these do, `story` tells what became of one URL, `copies` and `overlaps` whose
texts are alike, `export` gives every current article. Start with `story`.
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
