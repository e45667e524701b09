"""El Heraldo (Honduras)."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class ElHeraldo(NewsSpider):
    """Articles: the slug ends in two capitals and a number."""

    name = "elheraldo"
    domains = ("elheraldo.hn",)
    language = "es"
    country = "hn"
    home = "https://www.elheraldo.hn/"
    articles = (r"-[A-Z]{2}\d{7,8}/?$",)
