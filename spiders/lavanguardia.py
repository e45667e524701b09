"""La Vanguardia."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class LaVanguardia(NewsSpider):
    """Articles: date and number in front of the slug."""

    name = "lavanguardia"
    domains = ("lavanguardia.com",)
    language = "es"
    country = "es"
    home = "https://www.lavanguardia.com/"
    feeds = (
        "https://www.lavanguardia.com/rss/home.xml",
        "https://www.lavanguardia.com/rss/internacional.xml",
    )
    sitemaps = (
        "https://www.lavanguardia.com/sitemap-google-news.xml",
        "https://www.lavanguardia.com/sitemap-news-agencias.xml",
    )
    articles = (r"/\d{8}/\d{6,9}/[^/]+\.html$",)
