"""What the database says, as records: the state of the fleet, of sites, sources and machines, articles with their
versions and stories, and what happened to one URL.

In here: `export` yields current articles; `shown_articles` has those of the page, `feed_pages` those of a feed; `story`
reports articles with similar texts. `url_report` and `history` report one URL. `views` has the keys of JSON and
columns. `sites`, `site_facts`, `site_states`, `site_order` and `site_parts` report sites, `sources` their sources,
`fleet` and `machines` who crawls what, `work_queue` what is due, `failing_pages` and `review_lines` what waits for a
person, `database_condition` the database itself. Not in here: what writes (`newscrawl.storage`), words and colours
(`newscrawl.cli`, `newscrawl.web`). Start with `url_report`.
"""

from __future__ import annotations

from newscrawl.reports.export import ArticleSelection, ExportedArticle, Period, article, articles, documents
from newscrawl.reports.machines import CrawlingMachine, crawling_machines
from newscrawl.reports.sites import SiteStatus, newest_published, site_names, sites
from newscrawl.reports.sources import SourceStatus, failing_sources, sources_of
from newscrawl.reports.url_report import ArticleSummary, PageReport, UrlReport, url_report

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
