"""The chains that are tried on pages of a site that looks broken, from the settings."""

from __future__ import annotations

from typing import Final

from newscrawl.config.catalogue import Config
from newscrawl.config.catalogue.operation import MonitoringSettings
from newscrawl.errors import ConfigurationError, UnknownChainError

CHAINS_SETTING: Final = "NEWSCRAWL_REVIEW_CHAINS"
DEFAULT_CHAINS: Final = MonitoringSettings().review_chains


def chains_of(config: Config) -> tuple[str, ...]:
    """Returns the chains that are tried in turn, without the one in use. Raises ConfigurationError."""
    names, own = config.monitoring.review_chains, config.extraction.chains
    for name in names:
        if name in DEFAULT_CHAINS and not own:
            continue  # always there; every command checks its settings, and need not load all extractors for it
        from newscrawl.extraction import resolve

        try:
            resolve(name, own, extractors=config.extraction.extractors)
        except UnknownChainError as error:
            raise ConfigurationError(CHAINS_SETTING, str(error)) from error
    return tuple(dict.fromkeys(name for name in names if name != config.extraction.chain))
