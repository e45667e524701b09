"""How others decide when to read a source again, written from their public sources; and ours, the real functions.

Each policy says where it was read. Only the decision is theirs: the fleet asks all of them in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

import numpy as np

from benchmarks.freshness.run import Seen
from benchmarks.freshness.world import Listing
from newscrawl.scheduling.arrival_rate import Yield
from newscrawl.scheduling.sources import SourcePolicy, learn, next_wait, retry_pause

PROOF: Final = 3.5
"""Hours for which validators are believed (storage.records.PROOF)."""

MINUTE: Final = 1 / 60


@dataclass(slots=True)
class OurState:
    """What storage keeps of a source."""

    seen: Yield
    luck: np.random.Generator
    last_full: float = 0.0
    has_lied: bool = False
    retired: bool = False


@dataclass(frozen=True, slots=True)
class Ours:
    """newscrawl.scheduling.sources, with storage's distrust of validators (SourceRow.validators)."""

    policy: SourcePolicy = field(default_factory=SourcePolicy)
    seed: int = 0
    name: str = "newscrawl"
    conditional: bool = True

    def begin(self, source: Listing) -> OurState:
        """Returns a state without data."""
        number = int(source.url.split("//site")[1][:4])
        return OurState(Yield(), np.random.default_rng([self.seed, number, len(source.url)]))

    def proves(self, state: OurState, now: float) -> bool:
        """Whether validators that did not match, or were trusted for long, are left out of the next request."""
        return state.has_lied or now - state.last_full >= PROOF

    def wait(self, state: OurState, seen: Seen) -> float:
        """Decides with the functions of newscrawl, on the virtual clock."""
        if seen.status != 200:
            failing = timedelta(hours=seen.now - seen.failing_since)
            pause, state.retired = retry_pause(seen.failures, failing, seen.status, retired=state.retired)
            return pause.total_seconds() / 3600
        state.retired = False
        was_proof = self.proves(state, seen.now)
        if was_proof or not seen.unchanged:
            state.last_full = seen.now
        if was_proof and seen.same_validators and seen.fresh and seen.previous is not None:
            state.has_lied = True
        learn(state.seen, seen.previous, seen.now, seen.fresh, 0)
        wait = next_wait(state.seen, seen.now, self.policy, float(state.luck.random()))
        return min(max(wait, seen.not_before - seen.now), self.policy.longest.total_seconds() / 3600)


@dataclass(slots=True)
class MinifluxState:
    """Publication times of the entries of the last week."""

    times: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Miniflux:
    """Miniflux with POLLING_SCHEDULER=entry_frequency and its defaults: a week divided by the entries of the last week,
    between 5 minutes and 24 hours, not before the headers allow (miniflux/v2, internal/model/feed.go,
    ScheduleNextCheck; internal/config/options.go). A failing feed keeps its interval and is given up at the third error
    in a row (POLLING_PARSING_ERROR_LIMIT); here it is asked every 24 hours from then on, or every outage would end it.
    """

    name: str = "Miniflux entry_frequency"
    conditional: bool = True

    def begin(self, source: Listing) -> MinifluxState:
        """Returns a state without data."""
        return MinifluxState()

    def proves(self, state: MinifluxState, now: float) -> bool:
        """Returns False."""
        return False

    def wait(self, state: MinifluxState, seen: Seen) -> float:
        """Returns a week divided by the number of its entries."""
        if seen.status != 200 and seen.failures >= 3:
            return 24.0
        state.times = [time for time in state.times if seen.now - time < 168] + seen.fresh
        weekly = sum(1 for time in state.times if seen.now - time < 168)
        interval = min(max(168 / weekly, 5 * MINUTE), 24.0) if weekly else 24.0
        return min(max(interval, seen.not_before - seen.now), 24.0)


@dataclass(slots=True)
class MediaCloudState:
    """The feed's poll_minutes."""

    minutes: float = 360.0
    last_new: float = 0.0


@dataclass(frozen=True, slots=True)
class MediaCloud:
    """Media Cloud's rss-fetcher: ten minutes longer when two thirds and more of a feed are duplicates (sixty after a
    month without anything), an hour shorter when less than a third is, between 10 minutes and a day, from 6 hours
    (mediacloud/rss-fetcher, fetcher/tasks.py, _check_auto_adjust; fetcher/config.py). Failures lengthen it linearly."""

    name: str = "Media Cloud duplicate share"
    conditional: bool = False

    def begin(self, source: Listing) -> MediaCloudState:
        """Returns the default interval."""
        return MediaCloudState()

    def proves(self, state: MediaCloudState, now: float) -> bool:
        """Not conditional by default (HTTP_CONDITIONAL_FETCH)."""
        return False

    def wait(self, state: MediaCloudState, seen: Seen) -> float:
        """Makes the interval one step longer or shorter from the second answer on."""
        if seen.status != 200:
            return min(state.minutes * max(seen.failures, 1), 1440.0) / 60
        if seen.fresh:
            state.last_new = seen.now
        if seen.previous is not None:
            self._adjust(state, seen)
        return state.minutes / 60

    @staticmethod
    def _adjust(state: MediaCloudState, seen: Seen) -> None:
        share = 1.0 - len(seen.fresh) / seen.total if seen.total else 1.0
        if share >= 0.67:
            quiet = seen.now - state.last_new > 31 * 24 and share >= 1.0
            state.minutes = min(state.minutes + (60 if quiet else 10), 1440.0)
        elif share < 0.33:
            state.minutes = 360.0 if state.minutes > 360 else max(state.minutes - 60, 10.0)


@dataclass(frozen=True, slots=True)
class NewsPlease:
    """news-please: every round reads the feed and fetches all its entries again; whether an article is known is asked
    when it has been downloaded (fhamborg/news-please, newsplease/crawler/spiders/rss_crawler.py, rss_parse;
    newsplease/pipeline/pipelines.py, RSSCrawlCompare). How often a round is, its operator says; here every hour."""

    interval: float = 1.0
    name: str = "news-please, hourly rounds"
    conditional: bool = False

    def begin(self, source: Listing) -> None:
        """Returns None: nothing is stored."""

    def proves(self, state: None, now: float) -> bool:
        """Not conditional."""
        return False

    def wait(self, state: None, seen: Seen) -> float:
        """The next round."""
        return self.interval
