"""Cooperativa (Chile)."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class Cooperativa(NewsSpider):
    """Articles: the slug, then date and time of day."""

    name = "cooperativa"
    domains = ("cooperativa.cl",)
    language = "es"
    country = "cl"
    home = "https://www.cooperativa.cl/"
    articles = (r"/\d{4}-\d{2}-\d{2}/\d{6}\.html$",)
