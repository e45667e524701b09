"""Reading the database for people: how the sites and their sources do, the story of one URL, every article."""

from __future__ import annotations

from newscrawl.storage.reports.export import ExportedArticle, Span, articles, documents
from newscrawl.storage.reports.sites import SiteStatus, site_names, sites
from newscrawl.storage.reports.sources import SourceStatus, failing_sources
from newscrawl.storage.reports.story import ArticleSummary, PageStory, Story, Version, story

__all__ = [
    "ArticleSummary",
    "ExportedArticle",
    "PageStory",
    "SiteStatus",
    "SourceStatus",
    "Span",
    "Story",
    "Version",
    "articles",
    "documents",
    "failing_sources",
    "site_names",
    "sites",
    "story",
]
