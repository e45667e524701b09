"""The chains that are tried on pages of a site that looks broken: what the settings say of them."""

from __future__ import annotations

from typing import Final

from scrapy.settings import BaseSettings

from newscrawl.errors import ConfigurationError, UnknownChainError

CHAINS_SETTING: Final = "NEWSCRAWL_HOLD_CHAINS"
DEFAULT_CHAINS: Final = ("best", "danag", "boilerpipe-article")


def chains_of(settings: BaseSettings) -> tuple[str, ...]:
    """The chains that are tried in turn, without the one in use. Raises ConfigurationError."""
    names = settings.getlist(CHAINS_SETTING, list(DEFAULT_CHAINS))
    own = settings.getdict("NEWSCRAWL_CHAINS")
    for name in names:
        if name in DEFAULT_CHAINS and not own:
            continue  # always there; every command checks its settings, and need not load all extractors for it
        from newscrawl.extraction import resolve

        try:
            resolve(name, own)
        except UnknownChainError as error:
            raise ConfigurationError(CHAINS_SETTING, str(error)) from error
    return tuple(dict.fromkeys(name for name in names if name != settings.get("NEWSCRAWL_CHAIN")))
