"""What the database says, as records: the state of the fleet, of sites, sources and machines, articles with their
versions and stories, and what happened to one URL.

In here: `export` yields current articles; `shown_articles` has those of the page; `story` reports articles with similar
texts. `one_url` and `history` report one URL. `sites` reports sites with their states and totals, `site_pages` their
latest and failing pages, `sources` their sources and hosts, `status` what `newscrawl status` shows of all that. `fleet`
has the machines and what is due, `review` what waits for a person, `publishing` the pages of a feed and who reads the
changes, `database` the database itself. `views` has the keys of JSON and columns that are made of the records. Not in
here: what writes (`newscrawl.storage`), words and colours (`newscrawl.cli`, `newscrawl.web`). Start with `sites`.

`newscrawl.archive` and everything above it may import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newscrawl.lazy import loaded_when_used

if TYPE_CHECKING:
    from newscrawl.reports.export import ArticleSelection, ExportedArticle, Period, article, articles, documents
    from newscrawl.reports.one_url import ArticleSummary, PageReport, UrlReport, url_report

__all__ = [
    "ArticleSelection",
    "ArticleSummary",
    "ExportedArticle",
    "PageReport",
    "Period",
    "UrlReport",
    "article",
    "articles",
    "documents",
    "url_report",
]

__getattr__ = loaded_when_used(
    __name__,
    {
        **dict.fromkeys(
            ("ArticleSelection", "ExportedArticle", "Period", "article", "articles", "documents"), "export"
        ),
        **dict.fromkeys(("ArticleSummary", "PageReport", "UrlReport", "url_report"), "one_url"),
    },
)
