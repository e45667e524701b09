"""CBC News (Canada)."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class Cbc(NewsSpider):
    """Articles: the slug ends in "1." and a number; the oldest have "story" and the date."""

    name = "cbc"
    domains = ("cbc.ca",)
    language = "en"
    country = "ca"
    home = "https://www.cbc.ca/"
    feeds = (
        "https://www.cbc.ca/webfeed/rss/rss-topstories",
        "https://www.cbc.ca/webfeed/rss/rss-world",
        "https://www.cbc.ca/webfeed/rss/rss-canada",
    )
    articles = (
        r"-1\.\d{6,7}$",
        r"/story/\d{4}/\d{2}/\d{2}/[^/]+\.html$",
    )
