"""BioBioChile."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class BioBioChile(NewsSpider):
    """Articles: sections, date and slug, ending in .shtml."""

    name = "biobiochile"
    domains = ("biobiochile.cl",)
    language = "es"
    country = "cl"
    home = "https://www.biobiochile.cl/"
    articles = (r"^/[a-z/-]+/\d{4}/\d{2}/\d{2}/[^/]+\.shtml$",)
