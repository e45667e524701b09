"""How the settings want pages extracted. Imports no part of a crawl."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

from scrapy import Spider
from scrapy.settings import BaseSettings

from newscrawl.article import ArticleOptions
from newscrawl.config.per_site import check_own_settings, own_settings
from newscrawl.config.stores import text_setting
from newscrawl.errors import UsageError
from newscrawl.extraction import Limits

logger = logging.getLogger(__name__)

OF_EXTRACTION: Final = frozenset(
    {"NEWSCRAWL_CHAIN", "NEWSCRAWL_CHAINS", "NEWSCRAWL_MIN_CHARACTERS", "NEWSCRAWL_MIN_WORDS"}
)
"""The settings that `options_of` reads."""

IGNORED: Final = "%s; its pages are extracted as the project's settings say"


def options_of(settings: BaseSettings) -> ArticleOptions:
    """How the settings want pages extracted. Raises UnknownChainError or ConfigurationError."""
    limits = Limits(settings.getint("NEWSCRAWL_MIN_WORDS"), settings.getint("NEWSCRAWL_MIN_CHARACTERS"))
    chains = settings.getdict("NEWSCRAWL_CHAINS")
    options = ArticleOptions(text_setting(settings, "NEWSCRAWL_CHAIN"), chains, limits)
    options.resolve()
    return options


def options_of_sites(settings: BaseSettings, spiders: Mapping[str, type[Spider]]) -> dict[str, ArticleOptions]:
    """How the pages of those sites are extracted that have settings for it of their own, by name: as a crawl of the
    site does it. A site whose own settings cannot work is logged: the others are not its fault."""
    found: dict[str, ArticleOptions] = {}
    for name, spider in spiders.items():
        where = f"site {name!r}"
        try:
            check_own_settings(where, spider)
        except UsageError as error:
            logger.warning(IGNORED, error)
            continue
        if OF_EXTRACTION.isdisjoint(own_settings(spider)):
            continue
        merged = settings.copy()
        spider.update_settings(merged)
        try:
            found[name] = options_of(merged)
        except UsageError as error:
            logger.warning(IGNORED, f"{where}: custom_settings: {error}")
    return found
