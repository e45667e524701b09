"""The numbers of a site's last 24 hours, with the reason codes apart that count as failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime

from newscrawl.model import group_of
from newscrawl.storage.monitoring.site_hours import Activity


@dataclass(frozen=True, slots=True)
class DayResults:
    """The numbers of a site in 24 hours. `failures` counts by reason code the results that `failed` counts;
    `other_results` those that are gone, refused, no article or in review. The most frequent codes come first."""

    found: int
    fetched: int
    not_modified: int
    stored: int
    duplicates: int
    new_versions: int
    in_review: int
    failed: int
    gone: int
    refused: int
    no_article: int
    newest_article: datetime | None
    failures: Mapping[str, int]
    other_results: Mapping[str, int]


def day_results(activity: Activity) -> DayResults:
    """Returns the numbers with their reason codes apart."""
    kinds = sorted(activity.failures.items(), key=lambda pair: (-pair[1], pair[0]))
    same = {field.name: getattr(activity, field.name) for field in fields(Activity) if field.name != "failures"}
    return DayResults(
        **same,
        failures={kind: number for kind, number in kinds if group_of(kind) == "failure"},
        other_results={kind: number for kind, number in kinds if group_of(kind) != "failure"},
    )
