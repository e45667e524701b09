"""A spider that serves its site itself may connect to its own port, and to no other private address."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.settings import Settings
from scrapy.utils.misc import load_object
from twisted.internet.testing import MemoryReactorClock

from newscrawl.crawling.downloader.download_handler import HeadLimitedHandler, LocalPool, OwnServerHandler
from spiders.demo import DemoSpider

SITE_KEY = (b"http", b"demo.localhost", 8765, None)


class Elsewhere:
    """An endpoint as Twisted would have used it."""

    asked = 0

    def connect(self, factory: Any) -> None:
        self.asked += 1


def connected(spider: object, key: tuple[Any, ...]) -> tuple[list[Any], int]:
    """Where a request under `key` connects: addresses connected to directly, and uses of the usual endpoint."""
    reactor, usual = MemoryReactorClock(), Elsewhere()
    handler = OwnServerHandler.__new__(OwnServerHandler)
    handler._crawler = SimpleNamespace(spider=spider)
    pool = LocalPool(handler.port_of, reactor)
    pool.getConnection(key, usual)
    return [(host, port) for host, port, *_ in reactor.tcpClients], usual.asked


@pytest.fixture
def spider() -> DemoSpider:
    spider = DemoSpider()
    spider.served_port = 40001
    return spider


def test_the_spiders_own_site_is_reached_at_the_port_it_listens_on(spider: DemoSpider) -> None:
    assert connected(spider, SITE_KEY) == ([("127.0.0.1", 40001)], 0)


@pytest.mark.parametrize(
    "key",
    [
        (b"http", b"demo.localhost", 8766, None),
        (b"http", b"localhost", 8765, None),
        (b"https", b"demo.localhost", 8765, None),
        (b"http", b"127.0.0.1", 40001, None),
        (b"http", b"x.demo.localhost", 8765, None),
    ],
    ids=str,
)
def test_every_other_address_goes_the_guarded_way(spider: DemoSpider, key: tuple[Any, ...]) -> None:
    assert connected(spider, key) == ([], 1)


def test_a_spider_that_does_not_serve_has_no_way_of_its_own(spider: DemoSpider) -> None:
    spider.served_port = None
    assert connected(spider, SITE_KEY) == ([], 1)
    assert connected(SimpleNamespace(served_port=1, home="http://demo.localhost:8765/"), SITE_KEY) == ([], 1)


def test_only_the_handler_of_http_is_replaced() -> None:
    settings = Settings({"DOWNLOAD_HANDLERS": {"file": None, "ftp": None}})
    DemoSpider.update_settings(settings)
    assert issubclass(OwnServerHandler, HeadLimitedHandler)
    handlers = settings.getdict("DOWNLOAD_HANDLERS")
    assert handlers | {"http": load_object(handlers["http"])} == {"file": None, "ftp": None, "http": OwnServerHandler}
