"""The settings of the project around the working directory. Imports what reading them needs, and no part of a crawl.

`project_settings` gives them as Scrapy has them, for what hands them to Scrapy. `written_settings` gives the same
values without loading Scrapy, for commands that only read a `Config`.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from newscrawl.config import scrapy_defaults
from newscrawl.config.named_project import check_named_project
from newscrawl.config.reading import WrittenSettings
from newscrawl.config.scrapy_cfg import MODULE

if TYPE_CHECKING:
    from scrapy.settings import Settings


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
    from scrapy.utils.project import get_project_settings

    settings = get_project_settings()
    return settings if settings.get("DOWNLOADER") == scrapy_defaults.DOWNLOADER else safe_settings()


def written_settings() -> WrittenSettings:
    """Returns the same values as `project_settings`, without importing Scrapy. Raises ProjectError as it does."""
    check_named_project()
    module = os.environ.get(MODULE)
    written = _written(import_module(module)) if module else None
    if written is not None and written.get("DOWNLOADER") == scrapy_defaults.DOWNLOADER:
        return written
    return _written(scrapy_defaults)


def _written(module: ModuleType) -> WrittenSettings:
    """Returns the values that Scrapy reads from a settings module: all names in capital letters."""
    return WrittenSettings({name: getattr(module, name) for name in dir(module) if name.isupper()})
