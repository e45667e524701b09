"""El Comercio (Peru)."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class ElComercio(NewsSpider):
    """Articles: the slug ends in "noticia"."""

    name = "elcomercio"
    domains = ("elcomercio.pe",)
    language = "es"
    country = "pe"
    home = "https://elcomercio.pe/"
    articles = (r"-noticia/?$",)
