"""El Deber (Bolivia)."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class ElDeber(NewsSpider):
    """Articles: the slug ends in an underscore and a running number."""

    name = "eldeber"
    domains = ("eldeber.com.bo",)
    language = "es"
    country = "bo"
    home = "https://eldeber.com.bo/"
    articles = (r"[a-z0-9]-?_\d{5,7}/?$",)
