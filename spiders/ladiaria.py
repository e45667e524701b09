"""la diaria (Uruguay)."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class LaDiaria(NewsSpider):
    """Articles: "articulo", year and month in front of the slug."""

    name = "ladiaria"
    domains = ("ladiaria.com.uy",)
    language = "es"
    country = "uy"
    home = "https://ladiaria.com.uy/"
    articles = (r"/articulo/\d{4}/\d{1,2}/[^/]+/?$",)
