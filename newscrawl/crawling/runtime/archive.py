"""Builds the raw archive from the settings."""

from __future__ import annotations

import socket
from datetime import timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from newscrawl.archive.archive_thread import ArchiveSettings, ArchiveWriter
from newscrawl.archive.retention import GIGABYTE, ArchiveBudget
from newscrawl.config.catalogue import Config
from newscrawl.config.scrapy_cfg import closest_cfg
from newscrawl.processes.child_process import OFFLOAD_AFTER_PAGES
from newscrawl.storage import Store

AUTO: Final = "auto"
OFF: Final = frozenset({"", "off", "none", "no"})
_MEGABYTE: Final = 10**6
_SQLITE: Final = "sqlite:///"


def archive_writer_of(config: Config, store: Store) -> ArchiveWriter | None:
    """Returns the archive, None if the settings turn it off."""
    archive = archive_settings(config)
    return ArchiveWriter(archive, store, OFFLOAD_AFTER_PAGES) if archive is not None else None


def archive_settings(config: Config) -> ArchiveSettings | None:
    """Returns the settings of the archive, None for "off"."""
    folder, wanted = folder_of(config), config.archive
    if folder is None:
        return None
    budget = ArchiveBudget(
        int(wanted.max_gb * GIGABYTE) if wanted.max_gb else None,
        timedelta(days=wanted.max_days) if wanted.max_days else None,
    )
    return ArchiveSettings(
        folder,
        int(wanted.file_mb * _MEGABYTE),
        budget,
        int(wanted.min_free_gb * GIGABYTE),
        _software(),
        machine=machine_of(config),
    )


def machine_of(config: Config) -> str:
    """Returns the name of this machine: that of the settings, or the host name."""
    return config.storage.machine or socket.gethostname()


def folder_of(config: Config) -> Path | None:
    """Returns the folder of the archive, None if it is turned off. `auto` is beside a SQLite file (news.db has
    news.archive), else beside scrapy.cfg."""
    value = config.archive.directory
    if value.lower() in OFF:
        return None
    if value != AUTO:
        return Path(value).expanduser().absolute()
    database = config.storage.database_url
    if database.startswith(_SQLITE):
        return Path(database.removeprefix(_SQLITE).partition("?")[0]).absolute().with_suffix(".archive")
    project = closest_cfg()
    return (project.parent if project else Path.cwd()) / "archive"


def _software() -> str:
    try:
        return f"newscrawl/{version('newscrawl')}"
    except PackageNotFoundError:
        return "newscrawl"
