"""How the settings want pages extracted. Imports no part of a crawl, and the extractors only when it is asked."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from newscrawl.config.catalogue import Config, groups
from newscrawl.config.per_site import check_own_settings, own_settings
from newscrawl.config.reading import config_of
from newscrawl.errors import UsageError
from newscrawl.extensions import EXTRACTORS, of_setting

if TYPE_CHECKING:  # loaded by what crawls or extracts
    from scrapy import Spider
    from scrapy.settings import BaseSettings

    from newscrawl.article import ArticleOptions

logger = logging.getLogger(__name__)

OF_EXTRACTION: Final = frozenset(
    setting.name for group, _, declared in groups() if group == "extraction" for setting in declared.values()
)
"""The settings that `options_of` reads."""

IGNORED: Final = "%s; its pages are extracted as the project's settings say"


def options_of(config: Config) -> ArticleOptions:
    """Returns how the settings want pages extracted. Raises UnknownChainError, ConfigurationError or ExtensionError."""
    from newscrawl.article import ArticleOptions
    from newscrawl.extraction import Limits

    wanted = config.extraction
    for name, path in wanted.extractors.items():
        of_setting(EXTRACTORS, name, path)
    options = ArticleOptions(
        wanted.chain,
        dict(wanted.chains),
        Limits(wanted.min_words, wanted.min_characters),
        dict(wanted.extractors),
        wanted.verdict_rules,
    )
    options.resolve()
    return options


def options_of_sites(settings: BaseSettings, spiders: Mapping[str, type[Spider]]) -> dict[str, ArticleOptions]:
    """Returns how the pages of those sites are extracted that have settings for it of their own, by name: as a crawl of
    the site does it. A site whose own settings cannot work is logged: the others are not its fault."""
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
            found[name] = options_of(config_of(merged))
        except UsageError as error:
            logger.warning(IGNORED, f"{where}: custom_settings: {error}")
    return found
