"""elDiario.es."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class ElDiario(NewsSpider):
    """Articles: the slug ends in a kind and a running number."""

    name = "eldiario"
    domains = ("eldiario.es",)
    language = "es"
    country = "es"
    home = "https://www.eldiario.es/"
    feeds = ("https://www.eldiario.es/rss/",)
    sitemaps = ("https://www.eldiario.es/sitemap_google_news_25b87.xml",)
    articles = (r"_\d{1,3}_\d{5,9}\.html$",)
