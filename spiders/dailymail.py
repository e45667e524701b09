"""Daily Mail."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class DailyMail(NewsSpider):
    """Articles: "article-NUMBER" in front of the slug; the oldest carry the number in the query."""

    name = "dailymail"
    domains = ("dailymail.co.uk",)
    language = "en"
    country = "gb"
    home = "https://www.dailymail.co.uk/"
    sitemaps = ("https://www.dailymail.co.uk/google-news-sitemap.xml",)
    articles = (
        r"/article-\d{5,9}/[^/]+\.html$",
        r"[?&]in_article_id=\d+",
    )
