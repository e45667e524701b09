"""The spiders as Scrapy loads them, and addresses of articles that were public in August 2026."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from scrapy.settings import Settings
from scrapy.spiderloader import SpiderLoader

from newscrawl.crawling.spider import NewsSpider

SAMPLES = Path(__file__).parent.parent / "data" / "site_samples.json"


@pytest.fixture(scope="session")
def samples() -> Mapping[str, list[str]]:
    """Site name to addresses of its articles."""
    loaded: dict[str, list[str]] = json.loads(SAMPLES.read_text(encoding="utf-8"))
    return loaded


@pytest.fixture(scope="session")
def spiders() -> Mapping[str, type[NewsSpider]]:
    """Every spider of the project that is a site's declaration."""
    loader = SpiderLoader.from_settings(Settings({"SPIDER_MODULES": ["spiders"]}))
    loaded = {name: loader.load(name) for name in loader.list()}
    return {name: spider for name, spider in loaded.items() if name not in {"generic", "demo"}}
