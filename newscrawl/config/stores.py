"""The database that the settings name: to write, to read, its address. Imports no part of a crawl."""

from __future__ import annotations

from scrapy.settings import BaseSettings

from newscrawl.config.intervals import revisits
from newscrawl.errors import ConfigurationError
from newscrawl.processes.child_process import OFFLOAD_AFTER_PAGES
from newscrawl.storage import Reader, Store, open_reader, open_store
from newscrawl.storage.engine.retry import Retry


def store_of(settings: BaseSettings, *, upgrade: bool = False, patience: Retry | None = None) -> Store:
    """The store that the settings name; `patience` says how long it waits for a database that is away.

    Raises StorageError or ConfigurationError.
    """
    for name in ("NEWSCRAWL_BATCH_SIZE", "NEWSCRAWL_BATCH_SECONDS"):
        if settings.getfloat(name) <= 0:
            raise ConfigurationError(name, f"{settings[name]} is too small: give a number above 0")
    return open_store(
        database_of(settings),
        upgrade=upgrade,
        batch_size=settings.getint("NEWSCRAWL_BATCH_SIZE"),
        max_wait=settings.getfloat("NEWSCRAWL_BATCH_SECONDS"),
        next_due=revisits(settings),
        retry=patience,
        aside_after=OFFLOAD_AFTER_PAGES,
    )


def reader_of(settings: BaseSettings) -> Reader:
    """The database that the settings name, to look at only. Entering raises StorageError or SchemaError."""
    return open_reader(database_of(settings))


def database_of(settings: BaseSettings) -> str:
    """The database's URL. Raises ConfigurationError."""
    return text_setting(settings, "NEWSCRAWL_DATABASE_URL")


def text_setting(settings: BaseSettings, name: str) -> str:
    """A setting that must be a text. Raises ConfigurationError."""
    value = settings.get(name)
    if not isinstance(value, str) or not value:
        raise ConfigurationError(name, f"{value!r} is no name or address")
    return value
