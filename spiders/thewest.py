"""The West Australian."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class TheWest(NewsSpider):
    """Articles: the slug ends in "c-NUMBER"; the oldest carry the number in the query."""

    name = "thewest"
    domains = ("thewest.com.au",)
    language = "en"
    country = "au"
    home = "https://thewest.com.au/"
    feeds = ("https://thewest.com.au/rss",)
    sitemaps = ("https://thewest.com.au/news-sitemap.xml",)
    articles = (
        r"-c-\d{5,9}$",
        r"^/(?:aapstory|default)\.aspx\?(?:.*&)?(?:StoryName|ContentID)=\d+",
    )
