"""Radio Nacional (Argentina)."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class RadioNacional(NewsSpider):
    """Articles: one long slug at the root, closed by a slash; sections are short words."""

    name = "radionacional"
    domains = ("radionacional.com.ar",)
    language = "es"
    country = "ar"
    home = "http://www.radionacional.com.ar/"
    articles = (r"^/[a-z0-9]+(?:-[a-z0-9]+){4,}/$",)
