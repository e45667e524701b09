"""The project of the working directory. Like Scrapy, it searches the folders above for scrapy.cfg."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from newscrawl.config.catalogue import Config
from newscrawl.config.derived.stores import reader_of
from newscrawl.config.environment import check_project
from newscrawl.config.names import warn_of_unknown
from newscrawl.config.project import project_settings, written_settings
from newscrawl.config.reading import SettingsValues, config_of
from newscrawl.config.scrapy_cfg import closest_cfg
from newscrawl.crawling.runtime.startup_checks.setting_checks import check_settings
from newscrawl.errors import ProjectError

if TYPE_CHECKING:
    from scrapy.settings import Settings

    from newscrawl.storage import Reader


def required_settings() -> Settings:
    """The project's settings, for what hands them to Scrapy. Raises ProjectError outside of a project, or when another
    package stands for its own, and ConfigurationError for a setting that cannot work."""
    _enter_project()
    settings = project_settings()
    _check(settings)
    return settings


def required_config() -> Config:
    """The project's settings with their types, where nothing else of the project is needed; Scrapy is not loaded.
    Raises as `required_settings`."""
    _enter_project()
    settings = written_settings()
    _check(settings)
    return config_of(settings)


def project_reader() -> Reader:
    """The project's database, read-only. Raises ProjectError. Entering it raises StorageError or SchemaError."""
    return reader_of(required_config())


def _enter_project() -> None:
    found = closest_cfg()
    if not found:
        raise ProjectError(
            "no scrapy.cfg here or in any folder above: change into a newscrawl project, or make one: newscrawl new DIR"
        )
    root = found.parent
    if str(root) not in sys.path:  # as Scrapy does it; a console script does not have the working directory there
        sys.path.append(str(root))
    check_project(root)


def _check(settings: SettingsValues) -> None:
    check_settings(settings)
    warn_of_unknown(os.environ)
