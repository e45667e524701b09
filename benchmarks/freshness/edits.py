"""Simulates edits of articles: how many of them scheduled revisits see, and how much sooner they are seen, for which
additional requests, if visits are brought forward for the edits that sources announce, truly or falsely.

Announced edits are followed on a sample of the fleet's sites with all their articles, because the limit belongs to a
site. Each site announces in one way, drawn from the seed. Like the rest of the fleet these are assumptions, not
measurements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from heapq import heapify, heappop, heappush
from typing import Final

import numpy as np

from benchmarks.freshness.run import Ours, run_site
from benchmarks.freshness.world import START, Ints, Listing, Site, World
from newscrawl.crawling.scheduling.announced_edits import (
    EarlierVisit,
    ListedEntry,
    SourceReading,
    earlier_visits,
    most_a_day,
)
from newscrawl.crawling.scheduling.revisit import next_due

SAMPLE: Final = 50
"""One article in so many is followed."""
FIRST_FETCH: Final = 10 / 60
"""Hours from publication to the first fetch, the same for all schedules."""
FOLLOWED: Final = 30 * 24.0
"""Hours for which an article is followed."""

EVERY: Final = 20
"""One site in so many is followed."""
DATING, TITLING, SILENT = "the date of each edit", "new headlines only", "nothing"
STAMPING, TOUCHING = "a new date of all at every build", "dates that are no edits"
ALL: Final = "all sites"
STYLES: Final = {DATING: 0.35, TITLING: 0.15, SILENT: 0.30, STAMPING: 0.12, TOUCHING: 0.08}
"""How a site's source announces, and how many of the sites do so."""
HEADLINE: Final = 0.3
"""Part of the edits that change the headline."""
TOUCHES: Final = 2.0
"""Dates without an edit, an article, of the last style: comments, counters, related links."""

Follow = Callable[[SourceReading], Sequence[EarlierVisit]]


@dataclass(frozen=True, slots=True)
class EditOutcome:
    """The scheduled revisits: the part of the edits of which they saw the text, how long after (minutes, median), and
    the requests an article besides the first."""

    edits: int
    seen: float
    delay: float | None
    per_article: float


def ours(first: float, changed: float, now: float, visits: int, edits: int) -> float | None:
    """newscrawl.crawling.scheduling.revisit.next_due, the real function."""
    due = next_due(_moment(first), None, _moment(changed) if changed else None, _moment(now), visits, edits)
    return due.timestamp() / 3600 if due is not None else None


def follow(world: World) -> EditOutcome:
    """Simulates the scheduled revisits on a sample of the world's articles."""
    edits = seen = articles = requests = 0
    delays: list[float] = []
    for number, site in enumerate(world.sites):
        for article, times in _edits(np.random.default_rng([world.seed, number, 1]), site, world.end):
            articles += 1
            visits, waits = _watch(article + FIRST_FETCH, times)
            edits += sum(1 for time in times if time > article + FIRST_FETCH)
            seen += len(waits)
            requests += visits
            delays += waits
    share = seen / edits if edits else 0.0
    delay = float(np.median(delays)) * 60 if delays else None
    return EditOutcome(edits, share, delay, requests / max(1, articles))


def _edits(rng: np.random.Generator, site: Site, end: float) -> list[tuple[float, list[float]]]:
    """Sampled articles with the hours of their edits: two in seven are edited, by site more or less, half of the edits
    within an hour and a half."""
    often = rng.beta(2, 5)
    counted = site.published[(site.published >= START) & (site.published < end)][::SAMPLE]
    made = []
    for published in counted.tolist():
        number = int(rng.geometric(0.6)) if rng.random() < often else 0
        after = np.minimum(np.exp(rng.normal(np.log(1.5), 1.3, number)), 14 * 24)
        made.append((published, sorted((published + after).tolist())))
    return made


def _watch(first: float, edits: list[float]) -> tuple[int, list[float]]:
    """The number of visits after the first, and how old each edit was when its text was seen."""
    now, changed, visits = first, 0.0, 1
    waits: list[float] = []
    shown = sum(1 for edit in edits if edit <= first)
    while True:
        due = ours(first, changed, now, visits, len(waits))
        if due is None or due - first > FOLLOWED:
            return visits - 1, waits
        now = due
        visits += 1
        version = sum(1 for edit in edits if edit <= now)
        if version > shown:
            waits.append(now - edits[version - 1])
            shown, changed = version, now


@dataclass(frozen=True, slots=True)
class Followed:
    """What a crawler saw of the edits: the part of them whose text it had, how long after (minutes, median), the hours
    for which an edited article's stored text was out of date (mean), and its requests an article besides the first."""

    seen: float
    delay: float
    stale: float
    per_article: float


@dataclass(frozen=True, slots=True)
class AnnouncedOutcome:
    """The sites of one style, visited by schedule alone and with announcements. `sources` are the requests for sources
    and first fetches, which are the same for both, an article."""

    style: str
    articles: int
    edits: int
    sources: float
    without: Followed
    following: Followed

    @property
    def growth(self) -> float:
        """The additional share of requests that announcements cause."""
        extra = self.following.per_article - self.without.per_article
        return extra / (self.sources + self.without.per_article)


@dataclass(slots=True)
class _Tally:
    articles: int = 0
    edited: int = 0
    edits: int = 0
    visits: int = 0
    readings: int = 0
    stale: float = 0.0
    waits: list[float] = field(default_factory=list)

    def __add__(self, other: _Tally) -> _Tally:
        return _Tally(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(_Tally)))

    def followed(self) -> Followed:
        """The figures."""
        delay = float(np.median(self.waits)) * 60 if self.waits else 0.0
        seen = len(self.waits) / max(1, self.edits)
        return Followed(seen, delay, self.stale / max(1, self.edited), self.visits / max(1, self.articles))


def follow_announced(world: World) -> tuple[AnnouncedOutcome, ...]:
    """Every style over the sample, and all of them together."""
    tallies = {style: (_Tally(), _Tally()) for style in STYLES}
    for number, site in list(enumerate(world.sites))[::EVERY]:
        rng = np.random.default_rng([world.seed, number, 2])
        style = str(rng.choice(list(STYLES), p=list(STYLES.values())))
        runs = run_site(site, Ours(seed=world.seed), world.end).readings
        place = next((n for n, source in enumerate(site.sources) if source.kind == "sitemap"), 0)
        updates = _updates(rng, site, style, world.end)
        before, after = (
            _Crawl(site, site.sources[place], updates, style, world.end, bring_forward).run(runs[place])
            for bring_forward in (None, earlier_visits)
        )
        before.readings = after.readings = sum(map(len, runs))
        tallies[style] = tallies[style][0] + before, tallies[style][1] + after
    pairs = {**tallies, ALL: tuple(sum(side, _Tally()) for side in zip(*tallies.values(), strict=True))}
    return tuple(_outcome(style, before, after) for style, (before, after) in pairs.items() if before.articles)


def _outcome(style: str, before: _Tally, after: _Tally) -> AnnouncedOutcome:
    articles = max(1, before.articles)
    sources = 1 + before.readings / articles
    return AnnouncedOutcome(style, before.articles, before.edits, sources, before.followed(), after.followed())


@dataclass(frozen=True, slots=True)
class _Update:
    """An event that a source may announce: an edit of the text, perhaps of the headline, or only a new date."""

    at: float
    article: int
    is_edit: bool
    new_headline: bool


def _updates(rng: np.random.Generator, site: Site, style: str, end: float) -> list[_Update]:
    """Draws the edits of all articles of the site as `follow` does, and new dates without edits."""
    often = rng.beta(2, 5)
    made: list[_Update] = []
    for article, published in enumerate(site.published.tolist()):
        if not START <= published < end:
            continue
        edits = int(rng.geometric(0.6)) if rng.random() < often else 0
        after = np.minimum(np.exp(rng.normal(np.log(1.5), 1.3, edits)), 14 * 24).tolist()
        made += [_Update(published + at, article, True, bool(rng.random() < HEADLINE)) for at in after]
        if style == TOUCHING:
            touches = rng.exponential(8.0, rng.poisson(TOUCHES)).tolist()
            made += [_Update(published + at, article, False, False) for at in touches]
    return sorted(made, key=lambda update: update.at)


class _Crawl:
    """One site, crawled by schedule and, with `bring_forward`, also when its source announces an edit."""

    def __init__(
        self, site: Site, source: Listing, updates: Sequence[_Update], style: str, end: float, follow: Follow | None
    ) -> None:
        number = len(site.published)
        self.source, self.updates, self.style, self.follow = source, updates, style, follow
        self.published = site.published
        self.edits: dict[int, list[_Update]] = {}
        for update in updates:
            if update.is_edit:
                self.edits.setdefault(update.article, []).append(update)
        counted = np.nonzero((site.published >= START) & (site.published < end))[0].tolist()
        self.first = site.published + FIRST_FETCH
        self.due = np.full(number, np.inf)
        self.due[counted] = self.first[counted]
        self.queue = [(float(self.first[article]), int(article)) for article in counted]
        heapify(self.queue)
        self.fetched = np.full(number, np.nan)
        self.changed, self.visits = np.zeros(number), np.zeros(number, dtype=np.int64)
        self.shown, self.seen, self.shown_headline = (np.zeros(number, dtype=np.int64) for _ in range(3))
        self.stated, self.headline = site.published.copy(), np.zeros(number, dtype=np.int64)
        self.said: dict[int, ListedEntry] = {}
        self.noted_date, self.noted_headline = np.full(number, -np.inf), np.zeros(number, dtype=np.int64)
        self.fetched_in: Counter[int] = Counter()
        self.brought_in: Counter[int] = Counter()
        self.next_update = 0
        edited = sum(1 for article in self.edits if self._edits_after(article, self.first[article]))
        self.tally = _Tally(len(counted), edited)
        self.tally.edits = sum(self._edits_after(article, self.first[article]) for article in self.edits)

    def run(self, readings: Sequence[float]) -> _Tally:
        """Simulates the whole time."""
        previous: float | None = None
        for now in readings:
            self._visit_until(now)
            if self.follow is not None:
                self._read(now, previous, self.follow)
            previous = now
        self._visit_until(np.inf)
        for article, edits in self.edits.items():
            unseen = [edit.at for edit in edits[self.shown[article] :]]
            stop = self.first[article] + FOLLOWED
            self.tally.stale += sum(stop - at for at in unseen[:1] if at < stop)
        return self.tally

    def _edits_after(self, article: int, time: float) -> int:
        return sum(1 for edit in self.edits[article] if edit.at > time)

    def _visit_until(self, until: float) -> None:
        while self.queue and self.queue[0][0] <= until:
            now, article = heappop(self.queue)
            if now == self.due[article]:
                self._visit(article, now)

    def _visit(self, article: int, now: float) -> None:
        """Fetches the page, and schedules its next visit with the function of newscrawl."""
        is_first = bool(np.isnan(self.fetched[article]))
        edits = self.edits.get(article, [])
        version = sum(1 for edit in edits if edit.at <= now)
        is_new = version > self.shown[article] and not is_first
        if is_new:
            self.tally.waits.append(now - edits[version - 1].at)
            self.tally.stale += now - edits[self.shown[article]].at
            self.seen[article] += 1
            self.changed[article] = now
        self.tally.visits += not is_first
        self.fetched_in[int(now)] += 1
        self.fetched[article], self.shown[article] = now, version
        self.visits[article] += 1
        self.shown_headline[article] = sum(edit.new_headline for edit in edits[:version])
        seen = int(self.visits[article]), int(self.seen[article])
        due = ours(float(self.first[article]), float(self.changed[article]), now, *seen)
        self._schedule(article, np.inf if due is None or due - self.first[article] > FOLLOWED else due)

    def _schedule(self, article: int, due: float) -> None:
        self.due[article] = due
        if np.isfinite(due):
            heappush(self.queue, (due, article))

    def _read(self, now: float, previous: float | None, follow: Follow) -> None:
        """Reads the source, with the functions of newscrawl for the results."""
        listed = self.source.article[self._span(now)]
        self._build(now, listed)
        listed = listed[~np.isnan(self.fetched[listed])]
        date, headline = self.stated[listed], self.headline[listed]
        differs = (date > self.noted_date[listed]) | (headline != self.noted_headline[listed])
        entries = [self._entry(article) for article in listed[differs].tolist()]
        before = _moment(previous) if previous is not None else None
        for visit in follow(SourceReading(_moment(now), before, len(listed), entries)):
            article, due = int(visit.key), max(now, visit.due.timestamp() / 3600)
            if due < self.due[article] and self._visits_left(now) > 0:
                self.brought_in[int(now)] += 1
                self._schedule(article, due)
        for entry in entries:
            article = int(entry.key)
            self.said[article] = entry
            self.noted_date[article], self.noted_headline[article] = self.stated[article], self.headline[article]

    def _visits_left(self, now: float) -> int:
        """Returns how many visits may still be brought forward (storage.monitoring.hours.earlier_visits_left)."""
        hours = range(int(now) - 23, int(now) + 1)
        return most_a_day(sum(self.fetched_in[hour] for hour in hours)) - sum(self.brought_in[hour] for hour in hours)

    def _span(self, now: float) -> slice:
        """Returns the indexes of the listed articles. Entries come and go in order."""
        gone = np.searchsorted(self.source.gone, now, side="right")
        return slice(int(gone), int(np.searchsorted(self.source.listed, now, side="right")))

    def _build(self, now: float, listed: Ints) -> None:
        """Updates what the source states to the time when it was last generated before `now`."""
        cache = self.source.cache
        phase = self.source.listed[0] % cache if cache and len(self.source.listed) else 0.0
        built = np.floor((now - phase) / cache) * cache + phase if cache else now
        while self.next_update < len(self.updates) and self.updates[self.next_update].at <= built:
            update = self.updates[self.next_update]
            self.next_update += 1
            if self.style in (DATING, TOUCHING):
                self.stated[update.article] = update.at
            if self.style in (DATING, TITLING) and update.new_headline:
                self.headline[update.article] += 1
        if self.style == STAMPING:
            self.stated[listed] = built

    def _entry(self, article: int) -> ListedEntry:
        before = self.said.get(article)
        return ListedEntry(
            str(article),
            _moment(self.fetched[article]),
            f"headline {self.headline[article]}",
            _moment(self.published[article]),
            _moment(self.stated[article]) if self.stated[article] > self.published[article] else None,
            before.title if before is not None else None,
            before.modified or before.published if before is not None else None,
            before is not None,
            f"headline {self.shown_headline[article]}",
        )


def _moment(hours: float) -> datetime:
    return datetime.fromtimestamp(0, UTC) + timedelta(hours=float(hours))
