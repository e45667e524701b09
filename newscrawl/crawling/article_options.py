"""How the settings want pages extracted. Imports no part of a crawl."""

from __future__ import annotations

from scrapy.settings import BaseSettings

from newscrawl.article import ArticleOptions
from newscrawl.crawling.stores import text_setting
from newscrawl.extraction import Limits


def options_of(settings: BaseSettings) -> ArticleOptions:
    """How the settings want pages extracted. Raises UnknownChainError or ConfigurationError."""
    limits = Limits(settings.getint("NEWSCRAWL_MIN_WORDS"), settings.getint("NEWSCRAWL_MIN_CHARACTERS"))
    chains = settings.getdict("NEWSCRAWL_CHAINS")
    options = ArticleOptions(text_setting(settings, "NEWSCRAWL_CHAIN"), chains, limits)
    options.resolve()
    return options
