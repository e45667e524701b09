"""The Independent."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class Independent(NewsSpider):
    """Articles: the slug ends in a letter and a number; the oldest are "article1234567.ece"."""

    name = "independent"
    domains = ("independent.co.uk",)
    language = "en"
    country = "gb"
    home = "https://www.independent.co.uk/"
    sitemaps = ("https://www.independent.co.uk/sitemaps/googlenews",)
    articles = (
        r"-[ab]\d{7,8}\.html$",
        r"/article\d{6,8}\.ece$",
    )
