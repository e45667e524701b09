"""The Scrapy add-on: newscrawl's storage, downloader and limits in any Scrapy project.

`ADDONS = {"newscrawl.addon.Newscrawl": 500}` in a settings module is enough; spiders then yield responses or items with
`url` and `body`. In here: `loading` is the class that Scrapy loads, and decides which settings it changes, `pipeline`
makes a page of an item that a spider yields, and stores it. Not in here: the settings of a newscrawl project
(`newscrawl.config.scrapy_defaults`) and the parts themselves (`newscrawl.crawling`). Start with `loading`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from newscrawl.addon.loading import Newscrawl

if TYPE_CHECKING:
    from newscrawl.model import Article

__all__ = ["Newscrawl", "article_of"]
"""The name that ADDONS has, and what pipelines of a project ask for the article of an item."""


def article_of(item: Any) -> Article | None:
    """Returns the article that the add-on extracted from an item, for pipelines with an order above 900; None if it
    found none."""
    from newscrawl.addon.pipeline import article_of  # the reactor must not be imported with the settings

    return article_of(item)
