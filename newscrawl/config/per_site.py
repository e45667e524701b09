"""A site's own settings (Scrapy's `custom_settings`), which mean the same under `scrapy crawl` and `newscrawl run`.

How a site's pages are extracted and judged, and how its host is waited for, is the site's. The store, the workers, the
archive, the address guard and the scheduling belong to the process, whose sites share them under `newscrawl run`: a
site cannot have its own, and a declaration that sets them is refused by both commands.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from newscrawl.config.names import PREFIX, SETTINGS, meant
from newscrawl.errors import UsageError

PER_SITE: Final = frozenset(
    {
        "NEWSCRAWL_CHAIN",
        "NEWSCRAWL_CHAINS",
        "NEWSCRAWL_FIRST_BACKOFF",
        "NEWSCRAWL_HOLD",
        "NEWSCRAWL_HOLD_CHAINS",
        "NEWSCRAWL_LONGEST_WAIT",
        "NEWSCRAWL_MIN_CHARACTERS",
        "NEWSCRAWL_MIN_WORDS",
        "NEWSCRAWL_SHARE_LIMIT_BY_ADDRESS",
    }
)
"""What a site may set for itself."""

INSTEAD: Final[Mapping[str, str]] = MappingProxyType(
    {
        "NEWSCRAWL_CONTACT": "set USER_AGENT there",
        "NEWSCRAWL_DAILY_NEW_PAGES": "declare `daily_requests`",
        "NEWSCRAWL_DELAY": "declare `delay`",
        "NEWSCRAWL_RUN_SITES": "declare `interval`, `cron`, `quiet_hours` or `daily_requests`",
    }
)
"""What a site declares instead of some of the others."""


def own_settings(spider: type) -> dict[str, Any]:
    """The NEWSCRAWL_ settings of a spider's `custom_settings`."""
    own = getattr(spider, "custom_settings", None) or {}
    return {str(name): value for name, value in own.items() if str(name).startswith(PREFIX)}


def check_own_settings(site: str, spider: type) -> None:
    """Raise UsageError for the first setting that a site cannot have for itself."""
    own = getattr(spider, "custom_settings", None)
    if own is not None and not isinstance(own, Mapping):
        raise UsageError(f"{site}: custom_settings is {own!r}, write a dict")
    for name in own_settings(spider):
        if name not in SETTINGS:
            raise UsageError(f"{site}: custom_settings holds {name}, which is no setting{meant(name)}")
        if name not in PER_SITE:
            instead = INSTEAD.get(name, "set it in settings/ or in the environment")
            raise UsageError(f"{site}: custom_settings holds {name}, which all sites of a process share: {instead}")
