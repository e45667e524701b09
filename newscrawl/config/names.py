"""The names of all settings, and what becomes of a NEWSCRAWL_ name that is none of them.

In a settings module, in a site's `custom_settings` or on the command line an unknown name is an error: somebody who
writes there means newscrawl. In the environment it is a warning: Kubernetes puts NEWSCRAWL_PORT there for a service
named newscrawl, and other programs have variables of their own. A name that was once ours is an error everywhere.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from scrapy.settings import BaseSettings

from newscrawl.errors import ConfigurationError

PREFIX: Final = "NEWSCRAWL_"

SETTINGS: Final = frozenset(
    f"{PREFIX}{name}"
    for name in (
        "ALERT_WEBHOOK ALLOWED_ADDRESSES ALLOWED_PORTS ARCHIVE_DIR ARCHIVE_FILE_MB ARCHIVE_MAX_DAYS ARCHIVE_MAX_GB "
        "ARCHIVE_MIN_FREE_GB BATCH_SECONDS BATCH_SIZE CHAIN CHAINS CONTACT DAILY_NEW_PAGES DATABASE_URL DELAY "
        "EXTRACT_MEMORY_MB EXTRACT_TIMEOUT EXTRACT_WORKERS FIRST_BACKOFF HOLD HOLD_CHAINS LONGEST_WAIT "
        "MIN_CHARACTERS MIN_WORDS PROGRESS PRUNE_HOURS RETENTION RUN_CONCURRENT_SITES RUN_DRAIN RUN_LEASE "
        "RUN_LONGEST_WAIT RUN_REST RUN_SITES RUN_TICK RUN_TURN SHARE_LIMIT_BY_ADDRESS SOURCE_PATIENCE "
        "SOURCE_SHORTEST TIME_SCALE UVLOOP WATCH_SECONDS"
    ).split()
)
"""Every setting, as settings modules and the environment name it."""

ENVIRONMENT_ONLY: Final = frozenset({"NEWSCRAWL_CORPORA", "NEWSCRAWL_FAILPOINT", "NEWSCRAWL_PARSER", "NEWSCRAWL_PURE"})
"""Names that are read from the environment and are no settings."""

RETIRED: Final[Mapping[str, str]] = MappingProxyType({})
"""Names of settings that were renamed or removed, each with what to write instead ("NEWSCRAWL_NEW", or a sentence).

Who renames a setting adds its old name here, so that a deployment that still sets it is told. None has been so far.
"""

CUTOFF: Final = 0.9
"""Likeness (difflib) from which an unknown name is taken for a misspelt setting: that of NEWSCRAWL_PORT and
NEWSCRAWL_PURE is 0.86."""


def check_names(settings: BaseSettings, environment: Mapping[str, str]) -> None:
    """Raise ConfigurationError for a retired name anywhere, and for an unknown one in the settings."""
    written = sorted(str(name) for name in settings if str(name).startswith(PREFIX))
    for name in (*written, *sorted(environment)):
        if name in RETIRED:
            raise ConfigurationError(name, f"this name is retired: use {RETIRED[name]}")
    for name in written:
        if name not in SETTINGS:
            raise ConfigurationError(name, f"there is no setting of this name{meant(name)}")


def unknown_variables(environment: Iterable[str]) -> list[str]:
    """Variables that look like settings and are none."""
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in SETTINGS | ENVIRONMENT_ONLY)


def tell_unknown(environment: Mapping[str, str]) -> None:
    """Say in one line which variables of the environment look like settings and are without effect."""
    unknown = unknown_variables(environment)
    if unknown:
        verb = "is no setting" if len(unknown) == 1 else "are no settings"
        names = ", ".join(f"{name}{_in_brackets(meant(name))}" for name in unknown)
        print(f"newscrawl: {names} in the environment {verb} and without effect", file=sys.stderr)


def meant(name: str) -> str:
    """ ": is NEWSCRAWL_... meant?" for a name that is nearly a setting, "" for any other."""
    near = difflib.get_close_matches(name, sorted(SETTINGS | ENVIRONMENT_ONLY), n=1, cutoff=CUTOFF)
    return f": is {near[0]} meant?" if near else ""


def _in_brackets(text: str) -> str:
    return f" ({text.removeprefix(': ')})" if text else ""
