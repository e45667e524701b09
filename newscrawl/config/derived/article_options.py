"""The options of extraction and the chains of the review, from the settings. The module imports no part of a crawl, and
the extractors only when they are needed."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from newscrawl.config.catalogue import GROUPS, Config, MonitoringSettings
from newscrawl.config.extensions import EXTRACTORS, from_setting
from newscrawl.config.per_site import check_own_settings, hints_of, own_settings
from newscrawl.config.reading import config_of
from newscrawl.errors import ConfigurationError, UnknownChainError, UsageError

if TYPE_CHECKING:  # loaded by what crawls or extracts
    from scrapy import Spider
    from scrapy.settings import BaseSettings

    from newscrawl.extraction.article.make import ArticleOptions
    from newscrawl.extraction.site_boilerplate import SiteBoilerplate

logger = logging.getLogger(__name__)

OF_EXTRACTION: Final = frozenset(
    setting.name for group, _, declared in GROUPS if group == "extraction" for setting in declared.values()
)
"""The settings that `options_of` reads."""

REVIEW_CHAINS: Final = "NEWSCRAWL_REVIEW_CHAINS"
DEFAULT_CHAINS: Final = MonitoringSettings().review_chains
"""The default of NEWSCRAWL_REVIEW_CHAINS: built-in chains, which need no check."""

IGNORED: Final = "%s; its pages are extracted as the project's settings say"


def options_of(config: Config) -> ArticleOptions:
    """Returns the options of extraction from the settings. Raises UnknownChainError, ConfigurationError or
    ExtensionError."""
    from newscrawl.extraction.article.make import ArticleOptions
    from newscrawl.extraction.limits import Limits

    wanted = config.extraction
    for name, path in wanted.extractors.items():
        from_setting(EXTRACTORS, name, path)
    options = ArticleOptions(
        wanted.chain,
        dict(wanted.chains),
        Limits(wanted.min_words, wanted.min_characters),
        dict(wanted.extractors),
        wanted.verdict_rules,
        wanted.kinds,
        leaves_out_boilerplate=wanted.leave_out_boilerplate,
    )
    options.check()
    return options


def options_of_site(settings: BaseSettings, name: str, spider: type[Spider]) -> ArticleOptions:
    """Returns the options of a site, from its own settings and its hints. A crawl of the site uses the same. Raises
    UsageError for a declaration that cannot be used, and the errors of `options_of`."""
    where = f"site {name!r}"
    check_own_settings(where, spider)
    hints = hints_of(where, spider)
    merged = settings
    if not OF_EXTRACTION.isdisjoint(own_settings(spider)):
        merged = settings.copy()
        spider.update_settings(merged)
    try:
        options = options_of(config_of(merged))
    except UsageError as error:
        raise UsageError(f"{where}: custom_settings: {error}") from error
    return replace(options, hints=hints) if hints is not None else options


def with_boilerplate(
    options: ArticleOptions, of_sites: Mapping[str, ArticleOptions], epochs: Mapping[str, SiteBoilerplate]
) -> dict[str, ArticleOptions]:
    """Returns the options of sites, with the epoch of its boilerplate for each site that has one. `options` are those
    of sites without options of their own."""
    learned = {site: of_sites.get(site, options).with_boilerplate(epoch) for site, epoch in epochs.items() if epoch}
    return {**of_sites, **{site: own for site, own in learned.items() if own.boilerplate}}


def options_of_sites(settings: BaseSettings, spiders: Mapping[str, type[Spider]]) -> dict[str, ArticleOptions]:
    """Returns the options of the sites whose spiders have hints or their own settings for extraction, by name of the
    site. A crawl of such a site uses the same options. A site with settings or hints that cannot work is logged and
    left out, so that it does not stop the others."""
    found: dict[str, ArticleOptions] = {}
    for name, spider in spiders.items():
        try:
            check_own_settings(f"site {name!r}", spider)
            if not OF_EXTRACTION.isdisjoint(own_settings(spider)) or getattr(spider, "hints", None) is not None:
                found[name] = options_of_site(settings, name, spider)
        except UsageError as error:
            logger.warning(IGNORED, error)
    return found


def review_chains_of(config: Config) -> tuple[str, ...]:
    """Returns the chains that are tried in turn on pages of a site that looks broken, without the one in use. Raises
    ConfigurationError."""
    names, own = config.monitoring.review_chains, config.extraction.chains
    for name in names:
        if name in DEFAULT_CHAINS and not own:
            continue  # every command checks its settings, and need not load all extractors for it
        from newscrawl.extraction.chain import resolve

        try:
            resolve(name, own, extractors=config.extraction.extractors)
        except UnknownChainError as error:
            raise ConfigurationError(REVIEW_CHAINS, str(error)) from error
    return tuple(dict.fromkeys(name for name in names if name != config.extraction.chain))
