"""The settings of storage: the database, the raw archive, and how long data are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from newscrawl.config.catalogue.setting import mapping, number, text, whole


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Database"""

    database_url: str = text(
        "NEWSCRAWL_DATABASE_URL",
        "",
        "The database: sqlite:///FILE or postgresql://USER@HOST/NAME.",
        is_required=True,
        allowed_text="a name or an address",
        default_text="newscrawl.db in the project's folder",
    )
    machine: str = text(
        "NEWSCRAWL_MACHINE",
        "",
        "The name of this machine in the database; empty: its host name. It must stay the same as long as the archive "
        "of the machine does, also when a container with another host name takes its place.",
    )
    batch_size: int = whole(
        "NEWSCRAWL_BATCH_SIZE",
        50,
        "A transaction is committed when it has this many pages.",
        unit="pages",
        minimum=1,
        maximum=10_000,
    )
    batch_seconds: float = number(
        "NEWSCRAWL_BATCH_SECONDS",
        0.25,
        "A transaction is committed this long after its first page, even if it has fewer pages.",
        unit="seconds",
        maximum=60,
        is_minimum_excluded=True,
    )


@dataclass(frozen=True, slots=True)
class FeedSettings:
    """Change feed"""

    sinks: Mapping[str, Any] = mapping(
        "NEWSCRAWL_SINKS",
        'Sinks of your own for `newscrawl feed NAME:PLACE` by name, each an import path: {"folder": '
        '"house:FolderSink"}. '
        "Sinks of installed packages need no setting.",
    )


@dataclass(frozen=True, slots=True)
class ArchiveSettings:
    """Raw archive"""

    url: str = text(
        "NEWSCRAWL_ARCHIVE_URL",
        "auto",
        "Where the fetched pages are kept as WARC files: a folder, or s3://BUCKET/PREFIX for an object store. auto: "
        "beside the SQLite file, otherwise beside scrapy.cfg; off: no archive.",
        allowed_text="a folder, s3://BUCKET/PREFIX, auto or off",
    )
    spool: str = text(
        "NEWSCRAWL_ARCHIVE_SPOOL",
        "auto",
        "Folder in which the files grow until they are moved to an object store; auto: as in NEWSCRAWL_ARCHIVE_URL. "
        "Without an object store it is not used.",
        allowed_text="a folder or auto",
    )
    max_gb: float = number(
        "NEWSCRAWL_ARCHIVE_MAX_GB",
        20.0,
        "The oldest files are removed while the archive (the folder, or the object store) is larger; 0: no limit.",
        unit="GB",
        maximum=10**6,
    )
    max_days: float = number(
        "NEWSCRAWL_ARCHIVE_MAX_DAYS", 0.0, "Files that are older are removed; 0: no limit.", unit="days", maximum=36_500
    )
    min_free_gb: float = number(
        "NEWSCRAWL_ARCHIVE_MIN_FREE_GB",
        1.0,
        "Fetching pauses while the disk on which the files grow has less free space.",
        unit="GB",
        maximum=10**6,
    )
    file_mb: float = number(
        "NEWSCRAWL_ARCHIVE_FILE_MB",
        256.0,
        "Size at which a file is closed and the next one begins.",
        unit="MB",
        minimum=1,
        maximum=100_000,
    )


@dataclass(frozen=True, slots=True)
class RetentionSettings:
    """Retention"""

    days: Mapping[str, Any] = mapping(
        "NEWSCRAWL_RETENTION",
        'Days that articles, versions and events are kept, by site or "*" for all: {"*": {"versions": 365, "events": '
        '90}, "elpais": {"articles": 30}}. Everything else is kept forever.',
    )
    prune_interval_hours: float = number(
        "NEWSCRAWL_PRUNE_INTERVAL_HOURS",
        24.0,
        "How often `newscrawl run` does what `newscrawl db prune` does; 0: never.",
        unit="hours",
        maximum=8_760,
    )
