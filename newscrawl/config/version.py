"""The version of the installed package."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version


def version() -> str:
    """Returns the version; "0" in a checkout that is not installed."""
    try:
        return installed_version("newscrawl")
    except PackageNotFoundError:
        return "0"
