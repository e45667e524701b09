"""Business Insider."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class BusinessInsider(NewsSpider):
    """Articles: a slug at the root that ends in year and month."""

    name = "businessinsider"
    domains = ("businessinsider.com",)
    language = "en"
    country = "us"
    home = "https://www.businessinsider.com/"
    sitemaps = ("https://www.businessinsider.com/sitemap/google-news.xml",)
    articles = (r"^/[a-z0-9]+(?:-[a-z0-9]+){2,}-20\d{2}-(?:1[0-2]|[1-9])$",)
