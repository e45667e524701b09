"""Reports from the database: the state of sites and sources, the history of one URL, and every article.

In here: `sites` and `sources` report their state, `machines` who crawls what. `url_report` reports what happened to one
URL, `history` its versions. `copies`, `story` and `overlaps` report articles with similar texts. `export` yields
current articles, `selection` says which. `database_condition` reports the version, size and health of the database.
Start with `url_report`.
"""

from __future__ import annotations

from newscrawl.storage.reports.export import ExportedArticle, article, articles, documents
from newscrawl.storage.reports.machines import CrawlingMachine, crawling_machines
from newscrawl.storage.reports.selection import ArticleSelection, Period
from newscrawl.storage.reports.sites import SiteStatus, newest_published, site_names, sites
from newscrawl.storage.reports.sources import SourceStatus, failing_sources, sources_of
from newscrawl.storage.reports.url_report import ArticleSummary, PageReport, UrlReport, Version, url_report

__all__ = [
    "ArticleSelection",
    "ArticleSummary",
    "CrawlingMachine",
    "ExportedArticle",
    "PageReport",
    "Period",
    "SiteStatus",
    "SourceStatus",
    "UrlReport",
    "Version",
    "article",
    "articles",
    "crawling_machines",
    "documents",
    "failing_sources",
    "newest_published",
    "site_names",
    "sites",
    "sources_of",
    "url_report",
]
