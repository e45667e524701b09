"""A site's spider: its declaration, the sources that it reads, and the pages that it requests.

In here: `news_spider` runs a crawl from its sources to its pages, on `article_spider` and `sources.source_spider`;
`site_declaration` and `declaration_checks` read and check the declaration of a site, and `applied_settings` says which
settings apply to it; `crawl_plan` decides which sources are read and in which order; `sources` has the answers of
sources read. Not in here: how requests wait for their host (`crawling.downloader`). Start with `news_spider`.

Files of sites import `NewsSpider` from this package.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newscrawl.crawling.spider.news_spider import NewsSpider

__all__ = ["NewsSpider"]


def __getattr__(name: str) -> Any:
    # Loaded when first used: most modules of this package are needed without a spider.
    if name in __all__:
        return getattr(import_module("newscrawl.crawling.spider.news_spider"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
