"""The declarations of sites: language, country, the rule for addresses of articles, and settings as they apply.

A crawl notes it when it begins, so that pages and reports need no file of the site.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, delete, select

from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.tables.profiles import site_profiles

AGENT: Final = "user_agent"
"""The name of the applied setting whose value is the user agent that the site's crawls obey robots.txt for."""


@dataclass(frozen=True, slots=True)
class AppliedSetting:
    """A setting as it applies to a site: its value as text, and where that comes from."""

    name: str
    value: str
    origin: str


@dataclass(frozen=True, slots=True)
class SiteDeclaration:
    """The declaration of a site. `patterns` are the expressions of its rule; without any, general rules judge
    addresses."""

    site: str
    home: str
    language: str | None
    country: str | None
    patterns: Sequence[str]
    settings: Sequence[AppliedSetting]


@dataclass(frozen=True, slots=True)
class Locale:
    """The language and the country that a site declares."""

    language: str | None = None
    country: str | None = None


def note(connection: Connection, declared: SiteDeclaration, now: datetime) -> None:
    """Stores what a site declares, if that has changed."""
    values: dict[str, Any] = {
        "home": declared.home,
        "language": declared.language,
        "country": declared.country,
        "patterns": list(declared.patterns),
        "settings": [[one.name, one.value, one.origin] for one in declared.settings],
    }
    table = site_profiles.c
    known = connection.execute(select(site_profiles).where(table.site == declared.site)).one_or_none()
    if known is None or any(getattr(known, name) != value for name, value in values.items()):
        upsert(connection, site_profiles, ["site"], [{"site": declared.site, **values, "noted": now}])


def load_site(connection: Connection, site: str) -> tuple[SiteDeclaration, datetime] | None:
    """Returns what a site declares, and since when; None if no crawl has noted it."""
    row = connection.execute(select(site_profiles).where(site_profiles.c.site == site)).one_or_none()
    if row is None:
        return None
    settings = tuple(AppliedSetting(*map(str, one)) for one in row.settings or ())
    declared = SiteDeclaration(row.site, row.home, row.language, row.country, tuple(row.patterns or ()), settings)
    return declared, row.noted


def locales(connection: Connection) -> dict[str, Locale]:
    """Returns the language and the country of every site that declares one of them."""
    table = site_profiles.c
    query = select(table.site, table.language, table.country)
    query = query.where(table.language.is_not(None) | table.country.is_not(None))
    return {row.site: Locale(row.language, row.country) for row in connection.execute(query)}


def forget(connection: Connection, site: str) -> None:
    """Removes what a site declared."""
    connection.execute(delete(site_profiles).where(site_profiles.c.site == site))
