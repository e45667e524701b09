"""The Scrapy add-on: newscrawl's storage, downloader and limits in any Scrapy project.

`ADDONS = {"newscrawl.addon.Newscrawl": 500}` in a settings module is enough; spiders then yield responses or items with
`url` and `body`. In here: `loading` is the class that Scrapy loads, `plan` decides which settings it changes, `pages`
makes a page of an item that a spider yields, `pipeline` stores it. Not in here: the settings of a newscrawl project
(`newscrawl.config.scrapy_defaults`) and the parts themselves (`newscrawl.crawling`). Start with `loading`.
"""

from __future__ import annotations

from newscrawl.addon.loading import Newscrawl

__all__ = ["Newscrawl"]
"""The name that ADDONS has."""
