"""The project around the working directory, as Scrapy finds it: scrapy.cfg upward."""

from __future__ import annotations

from pathlib import Path

from scrapy.settings import Settings
from scrapy.utils.conf import closest_scrapy_cfg

from newscrawl.crawling.configuration import check_project
from newscrawl.crawling.process import project_settings
from newscrawl.crawling.services import store_of
from newscrawl.errors import ProjectError
from newscrawl.storage import Store


def required_settings() -> Settings:
    """The project's settings. Raises ProjectError outside of a project, or when another package stands for its own."""
    found = closest_scrapy_cfg()
    if not found:
        raise ProjectError(
            "no scrapy.cfg here or in any folder above: change into a newscrawl project, or make one by cloning it"
        )
    check_project(Path(found).parent)
    return project_settings()


def open_project_store(*, upgrade: bool = False) -> Store:
    """The project's database. Raises ProjectError, StorageError or SchemaError."""
    return store_of(required_settings(), upgrade=upgrade)
