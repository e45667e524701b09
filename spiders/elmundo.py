"""El Mundo."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class ElMundo(NewsSpider):
    """Articles: the date, then a number of 24 hexadecimal digits, ten decimal ones in older addresses."""

    name = "elmundo"
    domains = ("elmundo.es",)
    language = "es"
    country = "es"
    home = "https://www.elmundo.es/"
    feeds = (
        "https://e00-elmundo.uecdn.es/elmundo/rss/portada.xml",
        "https://e00-elmundo.uecdn.es/elmundo/rss/espana.xml",
    )
    articles = (r"/\d{4}/\d{2}/\d{2}/(?:[a-z-]+/)?(?:[0-9a-f]{24}|\d{10})\.html$",)
