"""CNBC."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class Cnbc(NewsSpider):
    """Articles: the date at the root, then the slug; the oldest have a number only."""

    name = "cnbc"
    domains = ("cnbc.com",)
    language = "en"
    country = "us"
    home = "https://www.cnbc.com/"
    sitemaps = ("https://www.cnbc.com/sitemap_news.xml",)
    articles = (
        r"^/\d{4}/\d{2}/\d{2}/[^/]+\.html$",
        r"^/id/\d{6,}$",
    )
