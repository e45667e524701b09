"""La Nación (Argentina)."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class LaNacion(NewsSpider):
    """Articles: the slug ends in "nid" and a number."""

    name = "lanacion"
    domains = ("lanacion.com.ar",)
    language = "es"
    country = "ar"
    home = "https://www.lanacion.com.ar/"
    articles = (r"-nid\d{5,9}/?$",)
