"""A site's spider: its declaration, the sources that it reads, and the pages that it requests.

In here: `news_spider` runs a crawl from its declaration to its pages, and has its sources read by `sources`;
`site_declaration` checks the declaration of a site and the arguments of a crawl; `crawl_plan` decides which sources are
read, in which order, and what they may cost. Not in here: how requests wait for their host (`crawling.downloader`).
Start with `news_spider`.

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
