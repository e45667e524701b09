"""Reading the database for people: how the sites do, the story of one URL, every article."""

from __future__ import annotations

from newscrawl.storage.reports.export import ExportedArticle, articles
from newscrawl.storage.reports.sites import SiteStatus, sites
from newscrawl.storage.reports.story import ArticleSummary, PageStory, Story, Version, story

__all__ = [
    "ArticleSummary",
    "ExportedArticle",
    "PageStory",
    "SiteStatus",
    "Story",
    "Version",
    "articles",
    "sites",
    "story",
]
