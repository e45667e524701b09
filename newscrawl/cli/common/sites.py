"""The sites that a command is asked for: stored ones, and those that the project declares."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from newscrawl.cli.common.project import named_database, project_store, required_settings
from newscrawl.config.catalogue import Config
from newscrawl.config.derived.stores import store_of
from newscrawl.errors import UsageError, meant, site_not_stored
from newscrawl.model.identity import registrable_domain
from newscrawl.reports.sites import site_names
from newscrawl.storage.feed import consumers
from newscrawl.storage.reader import Connection

if TYPE_CHECKING:  # most commands need no declared site
    from scrapy import Spider
    from scrapy.settings import BaseSettings

    from newscrawl.storage.store import Store


def check_site(site: str | None, stored: Collection[str], declared: Collection[str] | None = None) -> None:
    """Raises UsageError for a site that is neither stored nor declared. `declared` is None if that is not known."""
    if site is not None and site not in stored and site not in (declared or ()):
        raise site_not_stored(site, stored, declared)


def check_stored(connection: Connection, *sites: str | None) -> None:
    """Raises UsageError for a site that is not stored; None is no site."""
    stored = site_names(connection)
    for site in sites:
        check_site(site, stored)


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


@contextmanager
def store_knowing(site: str) -> Iterator[Store]:
    """Opens the project's store for a command on a site. Raises UsageError for a site that is neither stored nor
    declared; with `--database` no site is declared."""
    with project_store() as store:
        stored = store.run(site_names).result()
        if site not in stored:
            check_site(site, stored, _declared() or ())
        yield store


def spiders_of(project: BaseSettings) -> dict[str, type[Spider]]:
    """Returns the project's spiders by name."""
    from scrapy.spiderloader import get_spider_loader

    loader = get_spider_loader(project)
    return {name: loader.load(name) for name in loader.list()}


def declared_sites(spiders: Mapping[str, type[Spider]]) -> dict[str, str]:
    """Returns the declared sites by their domains."""
    listed = {name: getattr(spider, "domains", ()) for name, spider in spiders.items()}
    return {domain: name for name, domains in listed.items() if isinstance(domains, tuple | list) for domain in domains}


def check_selected(site: str | None, declared: Mapping[str, str]) -> None:
    """Raises UsageError for a name that is neither a declared site nor a registrable domain."""
    if site is None or site in declared.values() or ("." in site and registrable_domain(site) == site):
        return
    domain = registrable_domain(site) if "." in site else ""
    known = ", ".join(sorted(set(declared.values()))) or "none is declared"
    near = meant(site, declared.values())
    hint = f"is {domain} meant?" if domain else f"{near}give a registrable domain or a declared site ({known})"
    raise UsageError(f"no site {site!r}: {hint}")


def _declared() -> Collection[str] | None:
    return list(spiders_of(required_settings())) if named_database() is None else None
