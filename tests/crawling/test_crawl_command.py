"""How `scrapy crawl` ends when the site's own code ended it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy.crawler import Crawler

from newscrawl.crawling.commands import crawl
from newscrawl.errors import SpiderExit


def test_a_crawl_whose_spider_called_exit_ends_with_an_error_and_not_with_0() -> None:
    ended: Any = SimpleNamespace(spider=SimpleNamespace(exited=SpiderExit(0)))
    with pytest.raises(SpiderExit, match="its spider calls sys.exit") as raised:
        crawl._check_exited(cast(Crawler, ended))
    assert raised.value.exit_code == 2
    ended.spider.exited = None
    crawl._check_exited(cast(Crawler, ended))
