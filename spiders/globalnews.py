"""Global News (Canada)."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class GlobalNews(NewsSpider):
    """Articles: "news", a running number, the slug."""

    name = "globalnews"
    domains = ("globalnews.ca",)
    language = "en"
    country = "ca"
    home = "https://www.globalnews.ca/"
    sitemaps = ("https://globalnews.ca/news-sitemap.xml",)
    articles = (r"^/news/\d{5,9}/[a-z0-9-]+/?$",)
