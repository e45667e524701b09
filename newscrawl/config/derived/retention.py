"""How long data are kept, from NEWSCRAWL_RETENTION: in days, for each site or "*" for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import timedelta
from typing import Any, Final

from newscrawl.config.catalogue import Config
from newscrawl.errors import ConfigurationError
from newscrawl.storage.removal.retention import RetentionLimits, RetentionTimes

SETTING: Final = "NEWSCRAWL_RETENTION"
ALL: Final = "*"
NAMES: Final = tuple(field.name for field in fields(RetentionTimes))
MAX_DAYS: Final = 36_500


def retention_of(config: Config) -> RetentionLimits:
    """Returns the limits of the settings. What a named site does not limit is limited by "*"; 0 days means forever.

    Raises ConfigurationError.
    """
    by_site = config.retention.days
    usual = _keep(ALL, by_site.get(ALL, {}), RetentionTimes())
    return RetentionLimits(usual, {site: _keep(site, days, usual) for site, days in by_site.items() if site != ALL})


def _keep(site: str, days: Any, usual: RetentionTimes) -> RetentionTimes:
    if not isinstance(days, Mapping):
        raise ConfigurationError(SETTING, f"says {days!r} of {site!r}: give days, like {{'articles': 90}}")
    unknown = sorted(set(days) - set(NAMES))
    if unknown:
        raise ConfigurationError(SETTING, f"says {', '.join(unknown)} of {site!r}: there are {', '.join(NAMES)}")
    return RetentionTimes(
        **{name: _limit(site, name, days[name]) if name in days else getattr(usual, name) for name in NAMES}
    )


def _limit(site: str, name: str, days: Any) -> timedelta | None:
    if isinstance(days, bool) or not isinstance(days, int | float) or not 0 <= days <= MAX_DAYS:
        raise ConfigurationError(
            SETTING, f"keeps {name} of {site!r} for {days!r}: give days from 0 (forever) to {MAX_DAYS}"
        )
    return timedelta(days=days) if days else None
