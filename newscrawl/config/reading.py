"""Reads `Config` from Scrapy's settings, which come from the settings module, the environment, `-s` and
`custom_settings`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from newscrawl.config.catalogue import CATALOGUE, GROUPS, Config
from newscrawl.config.setting import Setting
from newscrawl.errors import ConfigurationError


class SettingsValues(Protocol):
    """The methods of settings that are used. Scrapy's `BaseSettings` has them."""

    def __iter__(self) -> Iterator[str]: ...

    def get(self, name: str, default: Any = None) -> Any:
        """Returns the value of a setting; `default` if it is not set or None."""

    def getpriority(self, name: str) -> int | None:
        """Returns Scrapy's priority of the place that set it; None if the place is not known."""


@dataclass(frozen=True, slots=True)
class WrittenSettings:
    """The settings that a settings module writes, and Scrapy's defaults for its other settings."""

    written: Mapping[str, Any]

    def __iter__(self) -> Iterator[str]:
        return iter(self.written)

    def get(self, name: str, default: Any = None) -> Any:
        """Returns a value as Scrapy's `get` does. Imports Scrapy only for a setting of Scrapy's that the module does
        not write."""
        if name in self.written or name in CATALOGUE:
            value = self.written.get(name)
        else:
            from scrapy.settings import default_settings

            value = getattr(default_settings, name, None)
        return default if value is None else value

    def getpriority(self, name: str) -> int | None:
        """Returns None, because only the settings module sets values here."""
        return None


def config_of(settings: SettingsValues, environment: Mapping[str, str] | None = None) -> Config:
    """Returns all settings with their types, the declared default where one is not set.

    Raises ConfigurationError for the first value that cannot be used; it names the setting as the operator wrote it,
    which for some is a variable of `environment` (by default the process's).
    """
    variables = os.environ if environment is None else environment
    read: dict[str, Any] = {}
    for attribute, group, declared in GROUPS:
        read[attribute] = group(**{name: _value(settings, one, variables) for name, one in declared.items()})
    return Config(**read)


def value_of(settings: SettingsValues, name: str) -> Any:
    """Returns a single setting without checking the others. Raises ConfigurationError as `config_of` does."""
    return _value(settings, CATALOGUE[name], os.environ)


def _value(settings: SettingsValues, setting: Setting, environment: Mapping[str, str]) -> Any:
    value = settings.get(setting.stored_as or setting.name)
    if value is None:
        return setting.default
    try:
        return setting.read(value)
    except ValueError as error:
        raise ConfigurationError(_as_written(settings, setting, environment), str(error)) from error


def _as_written(settings: SettingsValues, setting: Setting, environment: Mapping[str, str]) -> str:
    """Returns the name by which the operator set a setting: that in the environment, unless another place overrides
    it."""
    if not setting.stored_as:
        return setting.name
    from scrapy.settings import SETTINGS_PRIORITIES  # here, so that reading a good setting does not load Scrapy

    from_files = (settings.getpriority(setting.stored_as) or 0) <= SETTINGS_PRIORITIES["project"]
    return setting.name if setting.name in environment and from_files else setting.stored_as
