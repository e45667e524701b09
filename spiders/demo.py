"""The demo: a news site that this spider serves on loopback itself, so that a crawl can be tried without a network."""

from __future__ import annotations

from newscrawl.crawling.spider.self_served import SelfServedSpider

SITE = "http://demo.localhost:8765"


class DemoSpider(SelfServedSpider):
    name = "demo"
    domains = ("demo.localhost",)
    language = "en"
    home = f"{SITE}/"
    feeds = (f"{SITE}/feed.xml", f"{SITE}/es/atom.xml")
    sitemaps = (f"{SITE}/sitemap-news.xml",)
    sections = (
        *(f"{SITE}/{name}/" for name in ("city", "harbour", "culture", "sport", "science", "business", "opinion")),
        *(f"{SITE}/es/{name}/" for name in ("ciudad", "cultura", "deportes", "economia", "ciencia")),
    )
    expected_failures = {  # noqa: RUF012  what the site has on purpose
        "content/not_html": "the feed names a picture that is sent as a page",
        "http/500": "the feed names a page that the server always fails to make",
    }
    articles = (r"^/(?:es/)?[a-z]+/\d{4}/[a-z0-9-]+$",)
    custom_settings = {"DOWNLOAD_DELAY": 0.05}  # noqa: RUF012  Scrapy's; the site's robots.txt asks for more

    def open_server(self) -> int:
        from newscrawl.demo import DemoServer  # other commands read this declaration, too, and serve nothing

        self.server = DemoServer().start()
        return self.server.port

    def close_server(self) -> None:
        self.server.stop()
