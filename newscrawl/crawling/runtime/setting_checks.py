"""Every setting of ours, seen at the start: a value that cannot work is named with what may stand there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scrapy import Spider
from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from newscrawl.compiled import DEFAULT_PARSER, PARSER
from newscrawl.config.article_options import options_of
from newscrawl.config.names import check_names
from newscrawl.config.per_site import own_settings
from newscrawl.config.retention import retention_of
from newscrawl.config.review_chains import chains_of
from newscrawl.crawling.monitoring.webhook import Webhook
from newscrawl.errors import ConfigurationError, StorageError, UsageError
from newscrawl.processes.rlimits import LEAST_MEMORY_MB
from newscrawl.storage.engine.database import parse_url


@dataclass(frozen=True, slots=True)
class Number:
    """What may stand in a setting: a number from `least` on, at most `most`, whole or not."""

    least: float
    most: float
    whole: bool = True
    above: bool = False
    """Whether `least` itself is too little."""

    def problem(self, value: Any) -> str | None:
        """What is wrong with a value, and what is allowed; None if nothing is."""
        try:
            number = float(value)
            fits = not isinstance(value, bool) and (number == int(number) or not self.whole)
        except (TypeError, ValueError, OverflowError):
            fits, number = False, 0.0
        low = number <= self.least if self.above else number < self.least
        if fits and not low and number <= self.most:
            return None
        kind = "whole number" if self.whole else "number"
        start = f"above {self.least:,g}" if self.above else f"from {self.least:,g}"
        return f"{value!r} cannot be used: give a {kind} {start} to {self.most:,.0f}"


NUMBERS: Final[Mapping[str, Number]] = {
    "NEWSCRAWL_FIRST_BACKOFF": Number(0, 86_400, whole=False),
    "NEWSCRAWL_LONGEST_WAIT": Number(0, 30 * 86_400, whole=False),
    "NEWSCRAWL_MIN_WORDS": Number(0, 10**6),
    "NEWSCRAWL_MIN_CHARACTERS": Number(0, 10**7),
    "NEWSCRAWL_BATCH_SIZE": Number(1, 10_000),
    "NEWSCRAWL_BATCH_SECONDS": Number(0, 60, whole=False, above=True),
    "NEWSCRAWL_EXTRACT_WORKERS": Number(0, 1_024),
    "NEWSCRAWL_EXTRACT_TIMEOUT": Number(0, 86_400, whole=False, above=True),
    "NEWSCRAWL_EXTRACT_MEMORY_MB": Number(LEAST_MEMORY_MB, 10**7),
    "NEWSCRAWL_SOURCE_SHORTEST": Number(0, 4 * 3600, whole=False, above=True),
    "NEWSCRAWL_SOURCE_PATIENCE": Number(0, 24, whole=False, above=True),
    "NEWSCRAWL_DAILY_NEW_PAGES": Number(1, 10**7),
    "NEWSCRAWL_RUN_CONCURRENT_SITES": Number(1, 1_000),
    "NEWSCRAWL_RUN_TICK": Number(0, 60, whole=False, above=True),
    "NEWSCRAWL_RUN_REST": Number(0, 86_400, whole=False),
    "NEWSCRAWL_RUN_TURN": Number(0, 86_400, whole=False, above=True),
    "NEWSCRAWL_RUN_LEASE": Number(3, 3_600, whole=False),
    "NEWSCRAWL_RUN_DRAIN": Number(0, 3_600, whole=False),
    "NEWSCRAWL_RUN_LONGEST_WAIT": Number(0, 86_400, whole=False),
    "NEWSCRAWL_WATCH_SECONDS": Number(0, 3_600, whole=False),
    "NEWSCRAWL_PRUNE_HOURS": Number(0, 8_760, whole=False),
    "NEWSCRAWL_TIME_SCALE": Number(0, 10_000, whole=False, above=True),
    "NEWSCRAWL_ARCHIVE_MAX_GB": Number(0, 10**6, whole=False),
    "NEWSCRAWL_ARCHIVE_MAX_DAYS": Number(0, 36_500, whole=False),
    "NEWSCRAWL_ARCHIVE_MIN_FREE_GB": Number(0, 10**6, whole=False),
    "NEWSCRAWL_ARCHIVE_FILE_MB": Number(1, 100_000, whole=False),
    "DOWNLOAD_DELAY": Number(0, 86_400, whole=False),
}
YES_OR_NO: Final = ("NEWSCRAWL_HOLD", "NEWSCRAWL_PROGRESS", "NEWSCRAWL_SHARE_LIMIT_BY_ADDRESS")
DATABASE: Final = "NEWSCRAWL_DATABASE_URL"
TEXTS: Final = ("NEWSCRAWL_CHAIN", DATABASE)
VARIABLES: Final[Mapping[str, str]] = {"DOWNLOAD_DELAY": "NEWSCRAWL_DELAY"}
"""Variables of the environment that set what has another name."""


def check_settings(settings: BaseSettings, environment: Mapping[str, str] | None = None) -> None:
    """Raise ConfigurationError for the first setting that cannot work; what is not set is not looked at.

    Chains, networks and ports have checks of their own (`options_of`, `guard.policy_of`). What an unknown name is in
    the settings and in the environment: `setting_names`.
    """
    variables = os.environ if environment is None else environment
    check_names(settings, variables)
    check_parser(variables)
    for name, number in NUMBERS.items():
        if settings.get(name) is not None and (problem := number.problem(settings[name])):
            raise ConfigurationError(_as_written(name, settings, variables), problem)
    for name in YES_OR_NO:
        try:
            settings.getbool(name)
        except ValueError as error:
            raise ConfigurationError(name, f"{settings[name]!r} cannot be used: give yes or no") from error
    for name in TEXTS:
        value = settings.get(name)
        if value is not None and (not isinstance(value, str) or not value.strip()):
            raise ConfigurationError(name, f"{value!r} cannot be used: give a name or an address")
    _check_database(settings)
    Webhook.of(settings)
    chains_of(settings)
    retention_of(settings)


def check_site_settings(settings: BaseSettings, spider: type[Spider]) -> None:
    """Raise UsageError for the first value in a spider's `custom_settings` that cannot work; which names may stand
    there is `per_site`'s."""
    if not own_settings(spider):
        return
    merged = settings.copy()
    spider.update_settings(merged)
    try:
        check_settings(merged, {})
        options_of(merged)
    except UsageError as error:
        raise UsageError(f"site {spider.name!r}: custom_settings: {error}") from error


def check_parser(environment: Mapping[str, str] | None = None) -> None:
    """Raise ConfigurationError when NEWSCRAWL_PARSER asks for a parser that cannot be used."""
    if (os.environ if environment is None else environment).get(PARSER, DEFAULT_PARSER) in {"", DEFAULT_PARSER}:
        return
    from newscrawl.page.compiled import LEXBOR  # loads the parsers, which most processes that check need not

    if LEXBOR.module is None:
        raise ConfigurationError(PARSER, LEXBOR.reason.removeprefix(f"{PARSER} "))


def _as_written(name: str, settings: BaseSettings, environment: Mapping[str, str]) -> str:
    """The name by which the operator gave a setting: the environment's, unless something else won over it."""
    variable = VARIABLES.get(name, name)
    from_files = (settings.getpriority(name) or 0) <= SETTINGS_PRIORITIES["project"]
    return variable if variable in environment and from_files else name


def _check_database(settings: BaseSettings) -> None:
    address = settings.get(DATABASE)
    if address is not None:
        try:
            parse_url(address)
        except StorageError as error:
            raise ConfigurationError(DATABASE, str(error)) from error
