"""The Guardian."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class TheGuardian(NewsSpider):
    """Articles: section, date with the month as a word, slug."""

    name = "theguardian"
    domains = ("theguardian.com",)
    language = "en"
    country = "gb"
    home = "https://www.theguardian.com/"
    sitemaps = ("https://www.theguardian.com/sitemaps/news.xml",)
    articles = (r"^/[a-z-]+(?:/[a-z-]+)*/\d{4}/(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/\d{2}/[a-z0-9-]+$",)
