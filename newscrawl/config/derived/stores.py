"""The database that the settings name: its store, its reader, its address. The module imports no part of a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newscrawl.config.catalogue import Config
from newscrawl.errors import ConfigurationError

if TYPE_CHECKING:  # loaded by what opens the one or the other
    from newscrawl.storage.engine.errors import RetryPolicy
    from newscrawl.storage.reader import Reader
    from newscrawl.storage.store import Store


def store_of(
    config: Config, *, upgrade: bool = False, patience: RetryPolicy | None = None, crawls: bool = False
) -> Store:
    """Returns the store that the settings name; `patience` says how long it waits for a database that is unreachable.
    With `crawls`, the log says that no request is made meanwhile.

    Raises StorageError or ConfigurationError.
    """
    from newscrawl.config.derived.intervals import next_due_of
    from newscrawl.storage.store import open_store

    return open_store(
        database_of(config),
        upgrade=upgrade,
        batch_size=config.storage.batch_size,
        max_wait=config.storage.batch_seconds,
        next_due=next_due_of(config),
        retry=patience,
        crawls=crawls,
    )


def reader_of(config: Config) -> Reader:
    """Returns the database of the settings, read-only. Entering it raises StorageError or SchemaError."""
    from newscrawl.storage.reader import open_reader

    return open_reader(database_of(config))


def database_of(config: Config) -> str:
    """Returns the URL of the database. Raises ConfigurationError if the settings name none."""
    url = config.storage.database_url
    if not url:
        raise ConfigurationError("NEWSCRAWL_DATABASE_URL", "is not set: give the address of a database")
    return url
