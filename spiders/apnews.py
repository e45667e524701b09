"""Associated Press."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class ApNews(NewsSpider):
    """Articles: "article", then a slug that ends in 32 hexadecimal digits; older addresses are the digits alone."""

    name = "apnews"
    domains = ("apnews.com",)
    language = "en"
    country = "us"
    home = "https://apnews.com/"
    sitemaps = ("https://apnews.com/news-sitemap-content.xml",)
    articles = (
        r"^/article/[a-z0-9-]+-(?:[0-9a-f]{32}|\d{12})$",
        r"^/[0-9a-f]{32}$",
    )
