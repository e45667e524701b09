"""A site's own settings (Scrapy's `custom_settings`), which mean the same under `scrapy crawl` and `newscrawl run`, and
its hints.

A site may have its own settings for extraction, verdicts and the waiting time for its host. The store, the workers, the
archive, the address guard and the scheduling belong to the process, and under `newscrawl run` all sites share them. So
a site cannot have its own, and both commands refuse a declaration that sets them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from newscrawl.config.catalogue import CATALOGUE, PER_SITE
from newscrawl.config.names import PREFIX, SETTINGS, meant
from newscrawl.errors import UsageError

if TYPE_CHECKING:  # loaded by declarations with hints
    from newscrawl.extraction.site_hints import SiteHints


def own_settings(spider: type) -> dict[str, Any]:
    """Returns the NEWSCRAWL_ settings of a spider's `custom_settings`."""
    own = getattr(spider, "custom_settings", None) or {}
    return {str(name): value for name, value in own.items() if str(name).startswith(PREFIX)}


def check_own_settings(site: str, spider: type) -> None:
    """Raises UsageError for the first setting for which a site cannot have its own value."""
    own = getattr(spider, "custom_settings", None)
    if own is not None and not isinstance(own, Mapping):
        raise UsageError(f"{site}: custom_settings is {own!r}, write a dict")
    for name in own_settings(spider):
        if name not in SETTINGS:
            raise UsageError(f"{site}: custom_settings has {name}, which is no setting{meant(name)}")
        if name not in PER_SITE:
            instead = CATALOGUE[name].instead or "set it in settings/ or in the environment"
            raise UsageError(f"{site}: custom_settings has {name}, which all sites of a process share: {instead}")


def hints_of(site: str, spider: type) -> SiteHints | None:
    """Returns the hints that a spider declares, None without any. Raises UsageError, which names the site and the
    hint."""
    declared = getattr(spider, "hints", None)
    if declared is None:
        return None
    from newscrawl.extraction.site_hints import SiteHints  # loads the parser

    try:
        return SiteHints.of(declared)
    except UsageError as error:
        raise UsageError(f"{site}: hints: {error}") from error
