"""El País."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class ElPais(NewsSpider):
    """Articles: "section/2024-10-15/slug.html"; until about 2020 "2020/02/18/section/1582045946_459487.html"."""

    name = "elpais"
    domains = ("elpais.com",)
    language = "es"
    country = "es"
    home = "https://elpais.com/"
    feeds = ("https://feeds.elpais.com/mrss-s/pages/ep/site/elpais.com/portada",)
    articles = (
        r"/\d{4}-\d{2}-\d{2}/[^/]*[a-z]-[^/]+\.html$",
        r"/\d{4}/\d{2}/\d{2}/[a-z]+/\d{10}_\d{6}\.html$",
    )
