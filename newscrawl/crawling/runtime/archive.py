"""Builds the raw archive from the settings."""

from __future__ import annotations

import socket
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from newscrawl.config.catalogue import Config
from newscrawl.config.scrapy_cfg import closest_cfg
from newscrawl.config.version import version
from newscrawl.errors import ConfigurationError
from newscrawl.model import is_object_store

if TYPE_CHECKING:  # most commands only ask where the archive is
    from newscrawl.archive.writer import ArchiveSettings, ArchiveWriter
    from newscrawl.storage.store import Store

AUTO: Final = "auto"
OFF: Final = frozenset({"", "off", "none", "no"})
_MEGABYTE: Final = 10**6
_SQLITE: Final = "sqlite:///"


def archive_writer_of(config: Config, store: Store) -> ArchiveWriter | None:
    """Returns the archive, None if the settings turn it off. Raises ConfigurationError, UsageError if there is an
    object store without its client, and ArchiveError if its variables cannot be used."""
    from newscrawl.archive.writer import ArchiveWriter

    archive = archive_settings(config)
    return ArchiveWriter(archive, store) if archive is not None else None


def archive_settings(config: Config) -> ArchiveSettings | None:
    """Returns the settings of the archive, None for "off". Raises ConfigurationError."""
    folder, wanted = folder_of(config), config.archive
    if folder is None:
        return None
    from newscrawl.archive.objects import MAX_FILE_MB
    from newscrawl.archive.retention import GIGABYTE, ArchiveBudget
    from newscrawl.archive.writer import ArchiveSettings

    if store_address_of(config) is not None and wanted.file_mb > MAX_FILE_MB:
        problem = f"{wanted.file_mb:g} cannot be used: give at most {MAX_FILE_MB:,}, the largest object of one request"
        raise ConfigurationError("NEWSCRAWL_ARCHIVE_FILE_MB", problem)
    budget = ArchiveBudget(
        int(wanted.max_gb * GIGABYTE) if wanted.max_gb else None,
        timedelta(days=wanted.max_days) if wanted.max_days else None,
    )
    return ArchiveSettings(
        folder,
        int(wanted.file_mb * _MEGABYTE),
        budget,
        int(wanted.min_free_gb * GIGABYTE),
        f"newscrawl/{version()}",
        machine=machine_of(config),
        store_address=store_address_of(config),
    )


def machine_of(config: Config) -> str:
    """Returns the name of this machine: that of the settings, or the host name."""
    return config.storage.machine or socket.gethostname()


def folder_of(config: Config) -> Path | None:
    """Returns the folder in which the files of the archive grow, None if it is turned off. Without an object store they
    stay there. `auto` is beside a SQLite file (news.db has news.archive), else beside scrapy.cfg. Raises
    ConfigurationError."""
    value = config.archive.url
    if value.lower() in OFF:
        return None
    if is_object_store(value):
        value = config.archive.spool
    elif "://" in value:
        raise ConfigurationError(
            "NEWSCRAWL_ARCHIVE_URL", "only s3:// is an address of an object store: give that, or a folder"
        )
    if value != AUTO:
        return Path(value).expanduser().absolute()
    database = config.storage.database_url
    if database.startswith(_SQLITE):
        return Path(database.removeprefix(_SQLITE).partition("?")[0]).absolute().with_suffix(".archive")
    project = closest_cfg()
    return (project.parent if project else Path.cwd()) / "archive"


def store_address_of(config: Config) -> str | None:
    """Returns the address of the object store into which closed files are moved, None if they stay in the folder.
    Raises ConfigurationError."""
    if not is_object_store(config.archive.url):
        return None
    from newscrawl.archive.objects import object_address

    return object_address(config.archive.url)
