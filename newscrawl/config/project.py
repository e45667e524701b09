"""The settings of the project around the working directory. Imports what reading them needs, and no part of a crawl.

`project_settings` gives them as Scrapy has them, for what hands them to Scrapy. `written_settings` gives the same
values without loading Scrapy, for commands that only read a `Config`. A project is one of `newscrawl new`, or any
Scrapy project whose ADDONS name newscrawl's add-on.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final

from newscrawl.config import scrapy_defaults
from newscrawl.config.environment import add_on_settings
from newscrawl.config.reading import WrittenSettings
from newscrawl.config.scrapy_cfg import MODULE, check_named_project

if TYPE_CHECKING:
    from scrapy.settings import Settings


ADD_ON: Final = "newscrawl.addon.Newscrawl"
"""The name of the add-on in ADDONS."""


def safe_settings() -> Settings:
    """Returns the settings outside of any project: newscrawl.config.scrapy_defaults, with the values of the
    environment."""
    from scrapy.settings import Settings

    settings = Settings()
    settings.setmodule(scrapy_defaults, priority="project")
    return settings


def project_settings() -> Settings:
    """Returns the settings of the project around the working directory; outside of one, `safe_settings`. Raises
    ProjectError if SCRAPY_PROJECT names no settings."""
    check_named_project()
    from scrapy.addons import AddonManager
    from scrapy.utils.project import get_project_settings

    settings = get_project_settings()
    if _names_add_on(settings.get("ADDONS")):
        AddonManager.load_pre_crawler_settings(settings)
        return settings
    return settings if settings.get("DOWNLOADER") == scrapy_defaults.DOWNLOADER else safe_settings()


def written_settings() -> WrittenSettings:
    """Returns the same values as `project_settings`, without importing Scrapy. Raises ProjectError as it does."""
    written = _of_module()
    if written is not None and _names_add_on(written.written.get("ADDONS")):
        return WrittenSettings({**add_on_settings(), **written.written})
    if written is not None and written.get("DOWNLOADER") == scrapy_defaults.DOWNLOADER:
        return written
    return default_settings()


def default_settings() -> WrittenSettings:
    """Returns the same values as `safe_settings`, without importing Scrapy."""
    return _written(scrapy_defaults)


def uses_add_on() -> bool:
    """Returns whether the project around the working directory uses newscrawl's add-on. Raises ProjectError if there is
    no such settings module."""
    written = _of_module()
    return written is not None and _names_add_on(written.written.get("ADDONS"))


def _of_module() -> WrittenSettings | None:
    check_named_project()
    module = os.environ.get(MODULE)
    return _written(import_module(module)) if module else None


def _names_add_on(addons: Mapping[object, object] | None) -> bool:
    """Returns whether ADDONS has newscrawl's add-on, as a path or as the class."""
    return any(
        name == ADD_ON or f"{getattr(name, '__module__', '')}.".startswith(f"{ADD_ON.rpartition('.')[0]}.")
        for name in addons or ()
    )


def _written(module: ModuleType) -> WrittenSettings:
    """Returns the values that Scrapy reads from a settings module: all names in capital letters."""
    return WrittenSettings({name: getattr(module, name) for name in dir(module) if name.isupper()})
