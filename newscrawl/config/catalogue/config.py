"""All settings together: `Config`, and what is derived from the declarations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Final

from newscrawl.config.catalogue.crawl import ExtractionSettings, PolitenessSettings, TargetSettings, WorkerSettings
from newscrawl.config.catalogue.operation import (
    AddOnSettings,
    MonitoringSettings,
    ProcessSettings,
    RunSettings,
    SchedulingSettings,
)
from newscrawl.config.catalogue.setting import METADATA, Setting
from newscrawl.config.catalogue.storage import ArchiveSettings, FeedSettings, RetentionSettings, StorageSettings


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of a process, or of one site's crawl, with their types. They are read once and passed on."""

    politeness: PolitenessSettings = field(default_factory=PolitenessSettings)
    allowed: TargetSettings = field(default_factory=TargetSettings)
    extraction: ExtractionSettings = field(default_factory=ExtractionSettings)
    workers: WorkerSettings = field(default_factory=WorkerSettings)
    storage: StorageSettings = field(default_factory=StorageSettings)
    archive: ArchiveSettings = field(default_factory=ArchiveSettings)
    feed: FeedSettings = field(default_factory=FeedSettings)
    retention: RetentionSettings = field(default_factory=RetentionSettings)
    scheduling: SchedulingSettings = field(default_factory=SchedulingSettings)
    run: RunSettings = field(default_factory=RunSettings)
    monitoring: MonitoringSettings = field(default_factory=MonitoringSettings)
    process: ProcessSettings = field(default_factory=ProcessSettings)
    addon: AddOnSettings = field(default_factory=AddOnSettings)


def groups() -> Iterator[tuple[str, type, Mapping[str, Setting]]]:
    """Yields the attribute of `Config`, the class of the group, and its settings by attribute, in their order."""
    for group in fields(Config):
        kind: Any = group.default_factory
        yield group.name, kind, {setting.name: setting.metadata[METADATA] for setting in fields(kind)}


CATALOGUE: Final[Mapping[str, Setting]] = MappingProxyType(
    {setting.name: setting for _, _, declared in groups() for setting in declared.values()}
)
"""Every setting by its name."""
PER_SITE: Final = frozenset(setting.name for setting in CATALOGUE.values() if setting.is_per_site)
"""The settings for which a site may have its own value."""
