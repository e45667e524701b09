"""Daily Maverick (South Africa)."""

from __future__ import annotations

from newscrawl.crawling.spider import NewsSpider


class DailyMaverick(NewsSpider):
    """Articles: "article", then date and slug in one."""

    name = "dailymaverick"
    domains = ("dailymaverick.co.za",)
    language = "en"
    country = "za"
    home = "https://www.dailymaverick.co.za/"
    sitemaps = ("https://www.dailymaverick.co.za/news-sitemap.xml",)
    articles = (r"^/(?:article|opinionista)/\d{4}-\d{2}-\d{2}-[^/]+/?$",)
