"""What `pause`, `resume`, `priority` and `budget` share: the store, for a site that is known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

from newscrawl.cli.options import check_site
from newscrawl.cli.project import required_settings
from newscrawl.config.derived.stores import store_of
from newscrawl.config.reading import config_of
from newscrawl.storage import Store
from newscrawl.storage.reports import site_names

SOON: Final = "every crawl follows within ten seconds"


def now() -> datetime:
    """Returns the present time."""
    return datetime.now(UTC)


@contextmanager
def store_knowing(site: str) -> Iterator[Store]:
    """Opens the project's store for a command on a site. Raises UsageError for a site that is neither stored nor
    declared."""
    settings = required_settings()
    with store_of(config_of(settings)) as store:
        stored = store.run(site_names).result()
        if site not in stored:  # the declarations are read only then, because that imports every file of spiders/
            from scrapy.spiderloader import get_spider_loader

            check_site(site, stored, get_spider_loader(settings).list())
        yield store
