"""The raw archive as the settings want it."""

from __future__ import annotations

from datetime import timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from scrapy.settings import BaseSettings
from scrapy.utils.conf import closest_scrapy_cfg

from newscrawl.archive.archive_thread import ArchiveSettings, ArchiveWriter
from newscrawl.archive.retention import GIGABYTE, Budget
from newscrawl.errors import ConfigurationError
from newscrawl.processes.child_process import OFFLOAD_AFTER_PAGES
from newscrawl.storage import Store

AUTO: Final = "auto"
OFF: Final = frozenset({"", "off", "none", "no"})
_MEGABYTE: Final = 10**6
_SQLITE: Final = "sqlite:///"


def archive_writer_of(settings: BaseSettings, store: Store) -> ArchiveWriter | None:
    """The archive, None where the settings want none. Raises ConfigurationError."""
    archive = archive_settings(settings)
    return ArchiveWriter(archive, store, OFFLOAD_AFTER_PAGES) if archive is not None else None


def archive_settings(settings: BaseSettings) -> ArchiveSettings | None:
    """What the settings say of the archive, None for "off". Raises ConfigurationError."""
    folder = folder_of(settings)
    if folder is None:
        return None
    most = settings.getfloat("NEWSCRAWL_ARCHIVE_MAX_GB", 0.0)
    days = settings.getfloat("NEWSCRAWL_ARCHIVE_MAX_DAYS", 0.0)
    budget = Budget(int(most * GIGABYTE) if most else None, timedelta(days=days) if days else None)
    return ArchiveSettings(
        folder,
        int(settings.getfloat("NEWSCRAWL_ARCHIVE_FILE_MB", 256.0) * _MEGABYTE),
        budget,
        int(settings.getfloat("NEWSCRAWL_ARCHIVE_MIN_FREE_GB", 1.0) * GIGABYTE),
        _software(),
    )


def folder_of(settings: BaseSettings) -> Path | None:
    """Where the archive is: `auto` is beside a SQLite file (news.db has news.archive), else beside scrapy.cfg."""
    value = settings.get("NEWSCRAWL_ARCHIVE_DIR", AUTO)
    if not isinstance(value, str):
        raise ConfigurationError("NEWSCRAWL_ARCHIVE_DIR", f"{value!r} is no folder: name one, or say auto or off")
    if value.strip().lower() in OFF:
        return None
    if value != AUTO:
        return Path(value).expanduser().absolute()
    database = str(settings.get("NEWSCRAWL_DATABASE_URL") or "")
    if database.startswith(_SQLITE):
        return Path(database.removeprefix(_SQLITE).partition("?")[0]).absolute().with_suffix(".archive")
    root = closest_scrapy_cfg()
    return (Path(root).parent if root else Path.cwd()) / "archive"


def _software() -> str:
    try:
        return f"newscrawl/{version('newscrawl')}"
    except PackageNotFoundError:
        return "newscrawl"
