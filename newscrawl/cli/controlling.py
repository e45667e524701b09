"""What `pause`, `resume`, `priority` and `budget` share: they write one row of the table `site_controls`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Concatenate, Final, ParamSpec, TypeVar

from newscrawl.cli.options import check_site
from newscrawl.cli.project import required_settings
from newscrawl.config.derived.stores import store_of
from newscrawl.config.reading import config_of
from newscrawl.storage import Connection, Store
from newscrawl.storage.reports import site_names

P = ParamSpec("P")
T = TypeVar("T")

SOON: Final = "every crawl follows within ten seconds"


def decide(site: str, function: Callable[Concatenate[Connection, str, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Calls a function of storage.crawls.site_controls for a site. Raises UsageError for an unknown site."""
    with _store_knowing(site) as store:
        return store.run(function, site, *args, **kwargs).result()


def now() -> datetime:
    """The present time."""
    return datetime.now(UTC)


@contextmanager
def _store_knowing(site: str) -> Iterator[Store]:
    settings = required_settings()
    with store_of(config_of(settings)) as store:
        stored = store.run(site_names).result()
        if site not in stored:  # the declarations are read only then, because that imports every file of spiders/
            from scrapy.spiderloader import get_spider_loader

            check_site(site, stored, get_spider_loader(settings).list())
        yield store
