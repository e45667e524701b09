"""Página 12 (Argentina)."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class Pagina12(NewsSpider):
    """Articles: a running number leads the slug, at the root."""

    name = "pagina12"
    domains = ("pagina12.com.ar",)
    language = "es"
    country = "ar"
    home = "https://www.pagina12.com.ar/"
    articles = (r"^/\d{5,8}-[a-z0-9]+(?:-[a-z0-9]+)+/?$",)
