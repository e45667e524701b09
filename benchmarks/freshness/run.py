"""Runs a policy over a simulated fleet, and computes its figures.

Sites do not influence each other: each is run by itself, the sources of one in the order of their visits.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

import numpy as np

from benchmarks.freshness.world import AFTER, START, Bools, Floats, Listing, Site, World
from newscrawl.crawling.scheduling.sources import SourcePolicy, Yield, learn, next_wait, retry_pause

PROOF: Final = 3.5
"""Hours for which validators are believed (storage.records.PROOF)."""
LISTED_LONG: Final = 6.0
"""Hours: an article listed for longer by a source that answered must not be missed."""
FRESHEST: Final = 2.0 / 60
"""Hours. Where in the first two minutes the first visit of a source lies is drawn."""


@dataclass(slots=True)
class Seen:
    """What a visit of a source showed a policy. Hours throughout; `fresh` are the publication times of the entries that
    no source of the site had named, `not_before` when its headers end."""

    now: float
    previous: float | None
    fresh: list[float]
    unchanged: bool
    same_validators: bool
    not_before: float
    status: int = 200
    failures: int = 0
    failing_since: float = 0.0


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
    """newscrawl.crawling.scheduling.sources, with storage's distrust of validators (SourceRow.validators)."""

    policy: SourcePolicy = field(default_factory=SourcePolicy)
    seed: int = 0
    name: str = "newscrawl"
    conditional: bool = True

    def begin(self, source: Listing) -> OurState:
        """Returns a state without data."""
        number = int(source.url.split("//site")[1][:4])
        return OurState(Yield(), np.random.default_rng([self.seed, number, len(source.url)]))

    def proves(self, state: OurState, now: float) -> bool:
        """Returns whether validators that did not match, or were trusted for long, are left out of the next request."""
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
class SiteRun:
    """A site under a policy: when each article was found (inf: never) and the hour of each request for a source.
    `readings` are those in which a source, by its number, showed what it lists."""

    found: Floats
    visits: list[float] = field(default_factory=list)
    readings: tuple[list[float], ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """A policy over a world.

    Delays are in minutes, from publication to storage. `missed_long` are articles never found that a working source
    listed for six hours; `busiest` is the 95th percentile, over sites, of source requests in a site's worst hour.
    """

    policy: str
    articles: int
    median: float
    p95: float
    mean: float
    source_requests: int
    fetches: int
    missed: int
    missed_long: int
    per_host_day: float
    busiest: float

    @property
    def per_article(self) -> float:
        """Requests for sources for each article found."""
        return self.source_requests / max(1, self.articles - self.missed)

    @property
    def all_per_article(self) -> float:
        """Requests of all kinds for each article found."""
        return (self.source_requests + self.fetches) / max(1, self.articles - self.missed)


def run(world: World, policy: Ours) -> Outcome:
    """Runs the policy on every site of the world."""
    return outcome(world, policy.name, (run_site(site, policy, world.end) for site in world.sites))


def run_site(site: Site, policy: Ours, end: float) -> SiteRun:
    """One site, source by source in the order of their visits, until a while after the last article."""
    result = SiteRun(np.full(len(site.published), np.inf))
    known = bytearray(len(site.published))
    readers = [_Reader(source, policy, site, number) for number, source in enumerate(site.sources)]
    published = site.published.tolist()
    until = end + AFTER
    result.readings = tuple(reader.readings for reader in readers)
    while True:
        reader = min(readers, key=_due)
        now = reader.due
        if now > until:
            return result
        result.visits.append(now)
        fresh = reader.visit(now, known)
        for article in fresh:
            result.found[article] = now
        reader.settle(now, [published[article] for article in fresh])


def fixed(world: World, interval: float) -> Outcome:
    """Every source every `interval` hours, without validators: computed at once, not visit by visit."""
    return outcome(world, f"every {_words(interval)}", (_fixed_site(site, interval, world.end) for site in world.sites))


def _fixed_site(site: Site, interval: float, end: float) -> SiteRun:
    result = SiteRun(np.full(len(site.published), np.inf))
    for number, source in enumerate(site.sources):
        visits = np.arange(START + _phase(site, number) * interval, end + AFTER, interval)
        result.visits += visits.tolist()
        good = visits[~_down(site, visits) & (visits < source.dies)]
        at = np.searchsorted(good, np.maximum(source.listed, START))
        reached = at < len(good)
        found = np.full(len(at), np.inf)
        found[reached] = good[at[reached]]
        found[found >= source.gone] = np.inf
        np.minimum.at(result.found, source.article, found)
    return result


class _Reader:
    """One source of a site under a policy."""

    def __init__(self, source: Listing, policy: Ours, site: Site, number: int) -> None:
        self.source, self.policy = source, policy
        self.state = policy.begin(source)
        self.due = START + _phase(site, number) * FRESHEST
        self._listed: list[float] = source.listed.tolist()
        self._gone: list[float] = source.gone.tolist()
        self._article: list[int] = source.article.tolist()
        self._down: list[float] = site.down.ravel().tolist()
        self._next = 0
        self._read_at: float | None = None
        self._changed = True
        self._status = 200
        self._failures = 0
        self._failing_since = 0.0
        self.readings: list[float] = []

    def visit(self, now: float, known: bytearray) -> list[int]:
        """Returns the named articles that were not known."""
        self._status = 404 if now >= self.source.dies else 503 if bisect_right(self._down, now) % 2 else 200
        if self._status != 200:
            return []
        end = bisect_right(self._listed, now, self._next)
        self._changed = end > self._next
        stuck = self.source.validators == "stuck" and self.policy.conditional and self._read_at is not None
        if stuck and not self.policy.proves(self.state, now):
            self._changed = False
            return []
        self.readings.append(now)
        fresh = []
        for place in range(self._next, end):
            if self._gone[place] > now and not known[self._article[place]]:
                known[self._article[place]] = 1
                fresh.append(self._article[place])
        self._next = end
        return fresh

    def settle(self, now: float, fresh: list[float]) -> None:
        """Asks the policy for the next visit."""
        if self._status == 200:
            self._failures = 0
        else:
            self._failing_since = self._failing_since if self._failures else now
            self._failures += 1
        unchanged = not self._changed and self.source.validators != "none"
        same = unchanged or self.source.validators == "stuck"
        seen = Seen(
            now, self._read_at, fresh, unchanged, same, self._not_before(now), self._status, self._failures,
            self._failing_since,
        )  # fmt: skip
        if self._status == 200:
            self._read_at = now
        self.due = now + self.policy.wait(self.state, seen)

    def _not_before(self, now: float) -> float:
        """The end of what the headers say may be kept; `exactly`, the next making of the feed."""
        cache = self.source.cache
        if self.source.headers == "nothing" or not cache or not self._listed:
            return now
        if self.source.headers == "max-age":
            return now + cache
        phase = self._listed[0] % cache
        return float(np.floor((now - phase) / cache) * cache + cache + phase + 1e-3)


def _due(reader: _Reader) -> float:
    return reader.due


def _phase(site: Site, number: int) -> float:
    """A place in an interval, the same in every run: golden-ratio steps spread the sources evenly."""
    return (int(site.name[4:]) * 0.6180339887 + number * 0.381966) % 1.0


def _down(site: Site, times: Floats) -> Bools:
    return np.asarray(np.searchsorted(site.down.ravel(), times, side="right") % 2 == 1)


def outcome(world: World, name: str, runs: Iterable[SiteRun]) -> Outcome:
    """The figures of a policy, from its runs of the sites in their order."""
    delays: list[Floats] = []
    articles = missed = missed_long = requests = fetches = 0
    busiest = []
    for site, done in zip(world.sites, runs, strict=True):
        counts = (site.published >= START) & (site.published < world.end) & _was_listed(site)
        found = done.found[counts]
        stored = _stored(site, done.found)[counts]
        got = np.isfinite(found)
        delays.append((stored[got] - site.published[counts][got]) * 60)
        articles += len(found)
        missed += int((~got).sum())
        missed_long += int((~got & _listed_long(site)[counts]).sum())
        within = [visit for visit in done.visits if visit < world.end]
        requests += len(within)
        fetches += int(got.sum())
        busiest.append(int(np.bincount(np.floor(np.array(within) - START).astype(np.int64)).max()) if within else 0)
    every = np.concatenate(delays)
    days = (world.end - START) / 24 * len(world.sites)
    median, p95 = (float(n) for n in np.percentile(every, [50, 95]))
    return Outcome(
        name, articles, median, p95, float(every.mean()), requests, fetches, missed, missed_long,
        (requests + fetches) / days, float(np.percentile(busiest, 95)),
    )  # fmt: skip


def _stored(site: Site, found: Floats) -> Floats:
    """When each article is stored: what one visit found is fetched one after the other, the newest first."""
    order = np.lexsort((-site.published, found))
    ranks = np.zeros(len(found))
    sorted_found = found[order]
    first = np.searchsorted(sorted_found, sorted_found, side="left")
    ranks[order] = np.arange(len(found)) - first
    return found + site.latency * (ranks + 2) + site.delay * (ranks + 1)


def _was_listed(site: Site) -> Bools:
    """Returns the articles that a source named while it answered."""
    named = np.zeros(len(site.published), dtype=bool)
    for source in site.sources:
        named[source.article[source.listed < source.dies]] = True
    return named


def _listed_long(site: Site) -> Bools:
    """Returns the articles that a source listed for six hours without interruption while it answered."""
    long = np.zeros(len(site.published), dtype=bool)
    answers = np.concatenate([[-np.inf], site.down.ravel(), [np.inf]]).reshape(-1, 2)
    for source in site.sources:
        stop = np.minimum(source.gone, source.dies)
        for begin, end in answers:
            spans = np.minimum(stop, end) - np.maximum(source.listed, begin)
            long[source.article[spans >= LISTED_LONG]] = True
    return long


def _words(hours: float) -> str:
    minutes = round(hours * 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes / 60:g} h"
