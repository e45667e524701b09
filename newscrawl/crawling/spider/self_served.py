"""A spider that serves its site itself, as the demo does (`crawling.downloader.download_handler` connects to it).

For everything above the connection (robots.txt, delays, storage keys) the site has one address, whatever port its
server got. The connection goes directly to the port that the spider opened, so the address guard needs no exception: a
link to any other port of this machine is refused as in every crawl.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final, Self
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from newscrawl.crawling.spider import NewsSpider

HTTP_PORT: Final = 80
HANDLER: Final = "newscrawl.crawling.downloader.download_handler.OwnServerHandler"
"""By name, because loading Scrapy's handler takes more than a second of CPU, and most commands send no request."""


class SelfServedSpider(NewsSpider):
    """A site that is served at the address of its `home`, from before the first request until the crawl has ended."""

    expected_failures: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Kinds of failure that the site causes on purpose, each with an explanation."""

    served_port: int | None = None
    """The port of this machine on which the server listens; None while it does not."""

    def open_server(self) -> int:
        """Starts the server. Returns its port."""
        raise NotImplementedError

    def close_server(self) -> None:
        """Stops the server, and returns when nothing of it is left. Called only after `open_server`."""
        raise NotImplementedError

    def table_notes(self) -> Mapping[str, str]:
        """Returns further lines of the table at the end of a crawl: whether the compiled core is in use."""
        from newscrawl.page.compiled import why_not_compiled  # loads the parser, which a crawl's process does not need

        reason = why_not_compiled()
        return {"compiled core": f"not in use ({reason})" if reason else "in use"}

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Replaces the project's handler for http by one that connects to this machine."""
        super().update_settings(settings)
        handlers = {**settings.getdict("DOWNLOAD_HANDLERS"), "http": HANDLER}
        settings.set("DOWNLOAD_HANDLERS", handlers, priority="spider")

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Builds the spider as Scrapy does."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.stop_serving, signal=signals.spider_closed)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        """Starts the server, then crawls."""
        self.served_port = self.open_server()
        self.logger.info("serving %s on port %d of this machine", self.home, self.served_port)
        async for request in super().start():
            yield request

    def stop_serving(self) -> None:
        """Stops the server; the handler of `spider_closed`."""
        if self.served_port is not None:
            self.close_server()
            self.served_port = None

    def own_port(self, key: Any) -> int | None:
        """Returns the port on which the spider itself serves `key` (scheme, host, port ...); None if it does not."""
        return self.served_port if key[:3] == _key_of(self.home or "") else None


def _key_of(home: str) -> tuple[bytes, bytes, int]:
    parts = urlsplit(home)
    return parts.scheme.encode(), (parts.hostname or "").encode(), parts.port or HTTP_PORT
