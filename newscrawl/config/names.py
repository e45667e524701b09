"""The names of all settings, and how unknown NEWSCRAWL_ names are treated.

In a settings module, in a site's `custom_settings` or on the command line an unknown name is an error, because these
places are for newscrawl only. In the environment it is a warning, because it may belong to another program: Kubernetes
sets NEWSCRAWL_PORT for a service named newscrawl. The former name of a setting is an error everywhere.
"""

from __future__ import annotations

import difflib
import logging
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from newscrawl.config.catalogue import CATALOGUE
from newscrawl.errors import ConfigurationError
from newscrawl.logs.lines import print_line

PREFIX: Final = "NEWSCRAWL_"
DATABASE: Final = "NEWSCRAWL_DATABASE_URL"

SETTINGS: Final = frozenset(CATALOGUE)
"""The names of all settings, as in settings modules and the environment."""

ENVIRONMENT_ONLY: Final = frozenset(
    {
        "NEWSCRAWL_ALERT_MAIL_PASSWORD",
        "NEWSCRAWL_CORPORA",
        "NEWSCRAWL_FAILPOINT",
        "NEWSCRAWL_PURE",
        "NEWSCRAWL_WEB_TOKEN",
    }
)
"""Names that are read from the environment and are no settings."""

RETIRED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "NEWSCRAWL_ARCHIVE_DIR": "NEWSCRAWL_ARCHIVE_URL",
        "NEWSCRAWL_HOLD": "NEWSCRAWL_REVIEW",
        "NEWSCRAWL_HOLD_CHAINS": "NEWSCRAWL_REVIEW_CHAINS",
        "NEWSCRAWL_LONGEST_WAIT": "NEWSCRAWL_MAX_HOST_WAIT",
        "NEWSCRAWL_PRUNE_HOURS": "NEWSCRAWL_PRUNE_INTERVAL_HOURS",
        "NEWSCRAWL_RUN_DRAIN": "NEWSCRAWL_RUN_DRAIN_TIMEOUT",
        "NEWSCRAWL_RUN_LEASE": "NEWSCRAWL_RUN_LEASE_SECONDS",
        "NEWSCRAWL_RUN_LONGEST_WAIT": "NEWSCRAWL_RUN_MAX_HOST_WAIT",
        "NEWSCRAWL_RUN_REST": "NEWSCRAWL_RUN_MIN_SITE_INTERVAL",
        "NEWSCRAWL_RUN_SITES": "NEWSCRAWL_SITE_SCHEDULES",
        "NEWSCRAWL_RUN_TICK": "NEWSCRAWL_RUN_POLL_INTERVAL",
        "NEWSCRAWL_RUN_TURN": "NEWSCRAWL_RUN_MAX_CRAWL_SECONDS",
        "NEWSCRAWL_SOURCE_PATIENCE": "NEWSCRAWL_ARTICLE_HOURS_PER_SOURCE_VISIT",
        "NEWSCRAWL_SOURCE_SHORTEST": "NEWSCRAWL_MIN_SOURCE_INTERVAL",
        "NEWSCRAWL_WATCH_SECONDS": "NEWSCRAWL_WATCHDOG_INTERVAL",
    }
)
"""Names of settings that were renamed or removed, each with what to write instead: a name, or a sentence.

Whoever renames a setting adds the old name here, so that a deployment that still sets it gets an error.
"""

CUTOFF: Final = 0.9
"""Similarity (difflib) from which an unknown name counts as a misspelt setting. NEWSCRAWL_PORT and NEWSCRAWL_PURE have
0.86."""


def check_names(settings: Iterable[object], environment: Iterable[str]) -> None:
    """Raises ConfigurationError for a retired name anywhere, and for an unknown one in the settings. Both are names."""
    written = sorted(str(name) for name in settings if str(name).startswith(PREFIX))
    for name in (*written, *sorted(environment)):
        if name in RETIRED:
            raise ConfigurationError(name, f"this name is retired: use {RETIRED[name]}")
    for name in written:
        if name not in SETTINGS:
            raise ConfigurationError(name, f"there is no setting of this name{meant(name)}")


def unknown_variables(environment: Iterable[str]) -> list[str]:
    """Returns the variables that begin with NEWSCRAWL_ and are no settings, sorted."""
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in SETTINGS | ENVIRONMENT_ONLY)


def warn_of_unknown(environment: Mapping[str, str]) -> None:
    """Prints one line on standard error if variables of the environment look like settings and have no effect."""
    unknown = unknown_variables(environment)
    if unknown:
        verb = "is no setting" if len(unknown) == 1 else "are no settings"
        names = ", ".join(f"{name}{_in_brackets(meant(name))}" for name in unknown)
        print_line(f"newscrawl: {names} in the environment {verb} and without effect", logging.WARNING)


def meant(name: str) -> str:
    """Returns ": is NEWSCRAWL_... meant?" if a setting is spelled similarly, else ""."""
    near = difflib.get_close_matches(name, sorted(SETTINGS | ENVIRONMENT_ONLY), n=1, cutoff=CUTOFF)
    return f": is {near[0]} meant?" if near else ""


def _in_brackets(text: str) -> str:
    return f" ({text.removeprefix(': ')})" if text else ""
