"""Sites that a command is asked for: they must be stored or declared."""

from __future__ import annotations

from collections.abc import Collection

from newscrawl.cli.common.options import check_site
from newscrawl.cli.common.project import named_database, required_settings
from newscrawl.config.catalogue import Config
from newscrawl.config.derived.stores import store_of
from newscrawl.reports.sites import site_names
from newscrawl.storage.feed import consumers
from newscrawl.storage.reader import Connection


def check_known(connection: Connection, sites: Collection[str]) -> None:
    """Raises UsageError for a site that is neither stored nor declared. The declarations are read only if a site is not
    stored, because that imports every file of spiders/; with `--database` there are none."""
    stored = site_names(connection) if sites else []
    unknown = [site for site in sites if site not in stored]
    if unknown:
        declared = _declared()
        for site in unknown:
            check_site(site, stored, declared)


def check_consumer(config: Config, consumer: str, sites: Collection[str]) -> None:
    """Does `check_known` for the sites of a consumer's filter. A consumer that has read already is not refused: it must
    be told what was forgotten of its sites."""
    if not sites:
        return
    with store_of(config) as store, store.reading() as connection:
        if consumers.load(connection, consumer) is None:
            check_known(connection, sites)


def _declared() -> Collection[str] | None:
    if named_database() is not None:
        return None
    from scrapy.spiderloader import get_spider_loader

    return get_spider_loader(required_settings()).list()
