"""The settings of the project around the working directory. Imports what reading them needs, and no part of a crawl."""

from __future__ import annotations

from scrapy.settings import Settings
from scrapy.utils.project import get_project_settings

from newscrawl.config import scrapy_defaults
from newscrawl.config.named_project import check_named_project


def safe_settings() -> Settings:
    """Scrapy settings outside of any project: newscrawl.config.scrapy_defaults, and what the environment says of
    them."""
    settings = Settings()
    settings.setmodule(scrapy_defaults, priority="project")
    return settings


def project_settings() -> Settings:
    """The settings of the project around the working directory; outside of one, `safe_settings`. Raises ProjectError
    when SCRAPY_PROJECT names no settings."""
    check_named_project()
    settings = get_project_settings()
    return settings if settings.get("DOWNLOADER") == scrapy_defaults.DOWNLOADER else safe_settings()
