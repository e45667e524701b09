"""Says from when the alarms of a new site are reliable, and how much the watchdog has learned about it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from math import ceil

from newscrawl.monitoring.volume_baseline import EARLY_HOURS, MIN_ARTICLES, MIN_HOURS, VolumeBaseline, moment_of


@dataclass(frozen=True, slots=True)
class Learning:
    """The knowledge of the watchdog about a site that it does not judge fully yet.

    `hours` were watched and `articles` counted in them, without those of the first crawl. From `cautious_from` on a
    site is judged cautiously, from `full_from` on fully, if it is watched all the time and articles come as before;
    None while no article came.
    """

    hours: int
    articles: int
    cautious_from: datetime | None
    full_from: datetime | None

    @property
    def is_cautious(self) -> bool:
        """Returns whether the site is judged cautiously already."""
        return self.hours >= EARLY_HOURS and self.articles >= MIN_ARTICLES


def learning_of(volume: VolumeBaseline) -> Learning | None:
    """Returns what is known of a site; None if it is judged fully."""
    last = max((hour for hour in volume.counts if hour < volume.through), default=None)
    past = [hour for hour in volume.hours() if last is not None and hour <= last]  # as judge_volume counts them
    articles = sum(volume.counts.get(hour, 0) for hour in past)
    if len(past) >= MIN_HOURS and articles >= MIN_ARTICLES:
        return None
    return Learning(
        len(past),
        articles,
        _when(volume, len(past), articles, EARLY_HOURS),
        _when(volume, len(past), articles, MIN_HOURS),
    )


def _when(volume: VolumeBaseline, hours: int, articles: int, needed: int) -> datetime | None:
    """Returns when `needed` hours and `MIN_ARTICLES` articles are there."""
    if not articles:
        return None
    more = max(0, needed - hours, ceil((MIN_ARTICLES - articles) * hours / articles))
    return moment_of(volume.through + more)
