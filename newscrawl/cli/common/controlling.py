"""The common part of `pause`, `resume`, `priority` and `budget`: the store, for a site that is known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

from newscrawl.cli.common.options import check_site
from newscrawl.cli.common.project import named_database, project_store, required_settings
from newscrawl.reports.sites import site_names
from newscrawl.storage.store import Store

SOON: Final = "every crawl follows within ten seconds"


def now() -> datetime:
    """Returns the present time."""
    return datetime.now(UTC)


@contextmanager
def store_knowing(site: str) -> Iterator[Store]:
    """Opens the project's store for a command on a site. Raises UsageError for a site that is neither stored nor
    declared; with `--database` no site is declared."""
    with project_store() as store:
        stored = store.run(site_names).result()
        if site not in stored:
            check_site(site, stored, _declared())
        yield store


def _declared() -> list[str]:
    """Returns the names of the declared sites. That imports every file of spiders/."""
    if named_database() is not None:
        return []
    from scrapy.spiderloader import get_spider_loader

    return list(get_spider_loader(required_settings()).list())
