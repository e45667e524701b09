"""The project of the working directory. Like Scrapy, it searches the folders above for scrapy.cfg."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.settings import Settings
from scrapy.utils.conf import closest_scrapy_cfg

from newscrawl.config.catalogue import Config
from newscrawl.config.derived.stores import reader_of
from newscrawl.config.environment import check_project
from newscrawl.config.names import tell_unknown
from newscrawl.config.project import project_settings
from newscrawl.config.reading import config_of
from newscrawl.crawling.runtime.startup_checks.setting_checks import check_settings
from newscrawl.errors import ProjectError

if TYPE_CHECKING:
    from newscrawl.storage import Reader


def required_settings() -> Settings:
    """The project's settings. Raises ProjectError outside a project or if another package hides the project's own, and
    ConfigurationError for an invalid setting."""
    found = closest_scrapy_cfg()
    if not found:
        raise ProjectError(
            "no scrapy.cfg here or in any folder above: change into a newscrawl project, or make one: newscrawl new DIR"
        )
    root = Path(found).parent
    if str(root) not in sys.path:  # as Scrapy does; console scripts do not have the working directory in sys.path
        sys.path.append(str(root))
    check_project(root)
    settings = project_settings()
    check_settings(settings)
    tell_unknown(os.environ)
    return settings


def required_config() -> Config:
    """The project's settings with their types. Raises the errors of `required_settings`."""
    return config_of(required_settings())


def project_reader() -> Reader:
    """The project's database, read-only. Raises ProjectError. Entering it raises StorageError or SchemaError."""
    return reader_of(required_config())
