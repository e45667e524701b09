"""What the database says, as records: the state of the fleet, of sites, sources and machines, articles with their
versions and stories, and what happened to one URL.

In here: `export` yields current articles, `selection` says which; `shown_articles` and
`article_parts` are those of the page, `feed_pages` those of a feed; `story`, `copies` and `overlaps` report articles
with similar texts. `url_report` and `history` report one URL. `sites` reports sites with their states and totals,
`site_pages` their latest and failing pages, `sources` their sources and hosts, `status` what `newscrawl status` shows
of all that. `fleet` has the machines and what is due, `review` what waits for a person, `publishing` who reads the
changes, `database` the database itself. `views` has the keys of the JSON objects that are made of the records. Not in
here: what writes (`newscrawl.storage`), words and colours (`newscrawl.cli`, `newscrawl.web`). Start with `sites`.
"""

from __future__ import annotations

from newscrawl.reports.export import ExportedArticle, article, articles, documents
from newscrawl.reports.selection import ArticleSelection, Period
from newscrawl.reports.url_report import ArticleSummary, PageReport, UrlReport, Version, url_report

__all__ = [
    "ArticleSelection",
    "ArticleSummary",
    "ExportedArticle",
    "PageReport",
    "Period",
    "UrlReport",
    "Version",
    "article",
    "articles",
    "documents",
    "url_report",
]
