"""All settings together: `Config`, and what is derived from the declarations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Final

from newscrawl.config.catalogue.crawl import AllowedTargets, Extraction, Politeness, Workers
from newscrawl.config.catalogue.operation import AddOn, Monitoring, Process, Run, Scheduling
from newscrawl.config.catalogue.setting import METADATA, Setting
from newscrawl.config.catalogue.storage import Archive, Feed, Retention, Storage


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of a process, or of one site's crawl, with their types: read once and handed down."""

    politeness: Politeness = field(default_factory=Politeness)
    allowed: AllowedTargets = field(default_factory=AllowedTargets)
    extraction: Extraction = field(default_factory=Extraction)
    workers: Workers = field(default_factory=Workers)
    storage: Storage = field(default_factory=Storage)
    archive: Archive = field(default_factory=Archive)
    feed: Feed = field(default_factory=Feed)
    retention: Retention = field(default_factory=Retention)
    scheduling: Scheduling = field(default_factory=Scheduling)
    run: Run = field(default_factory=Run)
    monitoring: Monitoring = field(default_factory=Monitoring)
    process: Process = field(default_factory=Process)
    addon: AddOn = field(default_factory=AddOn)


def groups() -> Iterator[tuple[str, type, Mapping[str, Setting]]]:
    """The attribute of `Config`, the class of the group, and its settings by attribute, in their order."""
    for group in fields(Config):
        kind: Any = group.default_factory
        yield group.name, kind, {one.name: one.metadata[METADATA] for one in fields(kind)}


CATALOGUE: Final[Mapping[str, Setting]] = MappingProxyType(
    {setting.name: setting for _, _, declared in groups() for setting in declared.values()}
)
"""Every setting by its name."""
PER_SITE: Final = frozenset(setting.name for setting in CATALOGUE.values() if setting.is_per_site)
"""The settings of which a site may have its own value."""
