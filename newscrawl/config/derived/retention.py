"""How long the settings want things kept: NEWSCRAWL_RETENTION, in days, for each site or "*" for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import timedelta
from typing import Any, Final

from newscrawl.config.catalogue import Config
from newscrawl.errors import ConfigurationError
from newscrawl.storage.removal.retention import Keep, Retention

SETTING: Final = "NEWSCRAWL_RETENTION"
ALL: Final = "*"
NAMES: Final = tuple(field.name for field in fields(Keep))
MOST_DAYS: Final = 36_500


def retention_of(config: Config) -> Retention:
    """What the settings say. A site that is named keeps what is said of it so long, and the rest as "*" says; 0 days
    is for ever. Raises ConfigurationError."""
    said = config.retention.days
    usual = _keep(ALL, said.get(ALL, {}), Keep())
    return Retention(usual, {site: _keep(site, told, usual) for site, told in said.items() if site != ALL})


def _keep(site: str, said: Any, usual: Keep) -> Keep:
    if not isinstance(said, Mapping):
        raise ConfigurationError(SETTING, f"says {said!r} of {site!r}: give days, like {{'articles': 90}}")
    unknown = sorted(set(said) - set(NAMES))
    if unknown:
        raise ConfigurationError(SETTING, f"says {', '.join(unknown)} of {site!r}: there are {', '.join(NAMES)}")
    return Keep(**{name: _limit(site, name, said[name]) if name in said else getattr(usual, name) for name in NAMES})


def _limit(site: str, name: str, days: Any) -> timedelta | None:
    if isinstance(days, bool) or not isinstance(days, int | float) or not 0 <= days <= MOST_DAYS:
        raise ConfigurationError(
            SETTING, f"keeps {name} of {site!r} for {days!r}: give days from 0 (for ever) to {MOST_DAYS}"
        )
    return timedelta(days=days) if days else None
