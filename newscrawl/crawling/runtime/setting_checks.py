"""Checks all newscrawl settings at the start; an error names the value and what is allowed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from newscrawl.config.catalogue import Config
from newscrawl.config.derived.article_options import options_of, review_chains_of
from newscrawl.config.derived.retention import retention_of
from newscrawl.config.names import DATABASE, check_names
from newscrawl.config.per_site import own_settings
from newscrawl.config.reading import SettingsValues, config_of
from newscrawl.errors import ConfigurationError, StorageError, UsageError
from newscrawl.storage.engine.database import parse_url

if TYPE_CHECKING:  # every command checks its settings, and few need Scrapy
    from scrapy import Spider
    from scrapy.settings import BaseSettings


def check_settings(settings: SettingsValues, environment: Mapping[str, str] | None = None) -> None:
    """Raises ConfigurationError for the first invalid value and for an unknown name.

    Chains, networks and ports are checked elsewhere (`options_of`, `address_guard.policy_of`).
    """
    variables = os.environ if environment is None else environment
    check_names(settings)
    config = config_of(settings, variables)
    _check_database(config)
    wanted = config.monitoring
    if wanted.alert_webhook or wanted.alert_mail_host or wanted.alert_mail_to or wanted.alert_mail_from:
        from newscrawl.publishing.deliver.sender import receivers_of  # loads HTTP and SMTP, only if wanted

        receivers_of(config)
    if config.scheduling.time_scale != 1.0:
        from newscrawl.config.derived.intervals import check_time_scale  # loads all of scheduling, for trials only

        check_time_scale(config.scheduling.time_scale, datetime.now(UTC))
    review_chains_of(config)
    retention_of(config)


def check_site_settings(settings: BaseSettings, spider: type[Spider]) -> None:
    """Raises UsageError for the first invalid value in a spider's `custom_settings`; `per_site` checks the names."""
    if not own_settings(spider):
        return
    merged = settings.copy()
    spider.update_settings(merged)
    try:
        check_settings(merged, {})
        options_of(config_of(merged, {}))
    except UsageError as error:
        raise UsageError(f"site {spider.name!r}: custom_settings: {error}") from error


def _check_database(config: Config) -> None:
    address = config.storage.database_url
    if address:
        try:
            parse_url(address)
        except StorageError as error:
            raise ConfigurationError(DATABASE, str(error)) from error
