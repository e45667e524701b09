"""ABC."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class Abc(NewsSpider):
    """Articles: the slug ends in the minute of publication and a code of the desk."""

    name = "abc"
    domains = ("abc.es",)
    language = "es"
    country = "es"
    home = "https://www.abc.es/"
    feeds = (
        "https://www.abc.es/rss/2.0/espana/",
        "https://www.abc.es/rss/2.0/portada/",
    )
    sitemaps = ("https://www.abc.es/sitemap.xml",)
    articles = (r"-\d{14}-[a-z]{2,4}\.html$",)
