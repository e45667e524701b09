"""The names of all settings, and how unknown NEWSCRAWL_ names are treated.

In a settings module, in a site's `custom_settings` or on the command line an unknown name is an error, because these
places are for newscrawl only. In the environment it is a warning, because it may belong to another program: Kubernetes
sets NEWSCRAWL_PORT for a service named newscrawl.
"""

from __future__ import annotations

import difflib
import logging
from collections.abc import Iterable, Mapping
from typing import Final

from newscrawl.config.catalogue import CATALOGUE
from newscrawl.config.logs.lines import print_line
from newscrawl.errors import ConfigurationError

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

CUTOFF: Final = 0.9
"""Similarity (difflib) from which an unknown name counts as a misspelt setting. NEWSCRAWL_PORT and NEWSCRAWL_PURE have
0.86."""


def check_names(settings: Iterable[object]) -> None:
    """Raises ConfigurationError for a name in the settings that is no setting's."""
    for name in sorted(str(name) for name in settings):
        if name.startswith(PREFIX) and name not in SETTINGS:
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
