"""Reads `Config` from Scrapy's settings, whatever wrote them: settings module, environment, `-s`, `custom_settings`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from newscrawl.config.catalogue import CATALOGUE, Config, Setting, groups
from newscrawl.errors import ConfigurationError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def config_of(settings: BaseSettings, environment: Mapping[str, str] | None = None) -> Config:
    """All settings with their types, the declared default where one is not set.

    Raises ConfigurationError for the first value that cannot be used; it names the setting as the operator wrote it,
    which for some is a variable of `environment` (by default the process's).
    """
    variables = os.environ if environment is None else environment
    read: dict[str, Any] = {}
    for attribute, group, declared in groups():
        read[attribute] = group(**{name: _value(settings, one, variables) for name, one in declared.items()})
    return Config(**read)


def value_of(settings: BaseSettings, name: str) -> Any:
    """One setting alone, where the others need not be right yet. Raises ConfigurationError as `config_of` does."""
    return _value(settings, CATALOGUE[name], os.environ)


def _value(settings: BaseSettings, setting: Setting, environment: Mapping[str, str]) -> Any:
    value = settings.get(setting.stored_as or setting.name)
    if value is None:
        return setting.default
    try:
        return setting.read(value)
    except ValueError as error:
        raise ConfigurationError(_as_written(settings, setting, environment), str(error)) from error


def _as_written(settings: BaseSettings, setting: Setting, environment: Mapping[str, str]) -> str:
    """The name by which the operator gave a setting: the environment's, unless something else won over it."""
    if not setting.stored_as:
        return setting.name
    from scrapy.settings import SETTINGS_PRIORITIES  # here, so that reading a good setting does not load Scrapy

    from_files = (settings.getpriority(setting.stored_as) or 0) <= SETTINGS_PRIORITIES["project"]
    return setting.name if setting.name in environment and from_files else setting.stored_as
