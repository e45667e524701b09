"""Simulates a fleet of news sites: what they publish when, and how their servers behave.

Times are hours since 1970, on a virtual clock that starts on a Monday. Everything is drawn from the seed. The numbers
are assumptions, stated here and in docs/measurements/freshness.md, not measurements; what each is for:

- rates of publication are log-normal over sites: a few publish hundreds of articles a day, many a handful;
- a third of the sites has no daily rhythm, the others a morning and an evening peak in their own time zone, a quiet
  night, and most of them a quieter weekend;
- bursts: something happens, and a site publishes a dozen more within the next hours; some sites publish in batches;
- a feed is made anew only every few minutes (a cache before it), and lists a limited number of entries;
- some sites have a news sitemap too (two days long, made more rarely), and then the feed lacks some articles;
- servers fail for a while, feeds die, ETags lie, hosts are slow.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

START: Final = datetime(2026, 1, 5, tzinfo=UTC).timestamp() / 3600
BEFORE: Final = 7 * 24.0
"""Hours of publishing before the clock starts: what the first answers list."""
AFTER: Final = 8.0
"""Hours for which the crawl goes on after the last article that counts."""

MEDIAN_RATE: Final = 12.0
RATE_SIGMA: Final = 1.4
"""Articles a day: the median site has 12, one in six more than 49, one in forty more than 190, one in forty less than
one."""
BURSTS_A_DAY: Final = 0.25
FEED_LENGTHS: Final = (10, 15, 20, 25, 30, 50, 100)
CACHES: Final = (0.0, 1 / 60, 5 / 60, 10 / 60, 15 / 60)
"""Hours between two makings of a feed; 0 is a feed made at each request."""
SITEMAP_HOURS: Final = 48.0
HEADERS: Final = ("exactly", "max-age", "nothing")


@dataclass(frozen=True, slots=True)
class Listing:
    """A source: entries in the order in which they appear, with the hours at which they come and go; `article` is the
    site's number of each. `cache` is how often it is made; `headers` say `exactly` when it is made
    anew (max-age and Age), only how long it may be kept (`max-age`), or `nothing`."""

    url: str
    kind: str
    listed: Floats
    gone: Floats
    article: Ints
    length: int
    cache: float
    headers: str
    validators: str
    """`good`, `stuck` (never change: every conditional request is answered 304) or `none`."""
    dies: float = np.inf


@dataclass(frozen=True, slots=True)
class Site:
    """A site: `published` are the hours of its articles, `down` pairs of hours between which it answers with errors."""

    name: str
    rhythm: bool
    published: Floats
    sources: tuple[Listing, ...]
    down: Floats
    latency: float
    delay: float


@dataclass(frozen=True, slots=True)
class World:
    """All sites, from `START` to `end`. Articles published between the two are counted."""

    seed: int
    sites: tuple[Site, ...]
    end: float


def make_world(seed: int, sites: int = 500, days: float = 30) -> World:
    """Returns the fleet of a seed. A site depends only on the seed and its own number."""
    end = START + days * 24
    return World(seed, tuple(_site(np.random.default_rng([seed, number]), number, end) for number in range(sites)), end)


def _site(rng: np.random.Generator, number: int, end: float) -> Site:
    rate = float(np.clip(np.exp(rng.normal(np.log(MEDIAN_RATE), RATE_SIGMA)), 0.3, 500.0)) / 24
    rhythm = number % 3 != 0
    published = _publish(rng, rate, end, rhythm=rhythm)
    down = _outages(rng, end)
    return Site(
        f"site{number:04}",
        rhythm,
        published,
        _sources(rng, number, published, end),
        down,
        latency=float(rng.choice([0.3, 0.8, 2.0, 8.0], p=[0.4, 0.4, 0.15, 0.05])) / 3600,
        delay=float(rng.choice([1.0, 2.0, 10.0, 30.0], p=[0.6, 0.3, 0.07, 0.03])) / 3600,
    )


def _publish(rng: np.random.Generator, rate: float, end: float, *, rhythm: bool) -> Floats:
    """Articles by thinning a Poisson process at the peak rate; bursts and batches are laid over it."""
    begin = START - BEFORE
    shape = _weekly_shape(rng) if rhythm else np.ones(7 * 24)
    peak = rate * float(shape.max())
    times = rng.uniform(begin, end, rng.poisson(peak * (end - begin)))
    times = times[rng.uniform(0, peak, len(times)) < rate * shape[_hour_of_week(times)]]
    bursts = rng.uniform(begin, end, rng.poisson(BURSTS_A_DAY / 24 * (end - begin)))
    sizes = rng.poisson(np.clip(rate * 24 * 0.25, 2, 25), len(bursts))
    extra = np.repeat(bursts, sizes) + rng.exponential(1.0, int(sizes.sum()))
    times = np.concatenate([times, extra[extra < end]])
    if rng.random() < 0.15:
        quarter = rng.choice([4, 2])  # batches on the quarter or the half hour
        times = np.ceil(times * quarter) / quarter + rng.uniform(0, 1 / 60, len(times))
    return np.sort(times[times < end])


def _weekly_shape(rng: np.random.Generator) -> Floats:
    """Relative rates of the 168 hours of a week (UTC, from Monday), with mean 1."""
    zone = int(rng.choice([-8, -6, -5, -3, 0, 1, 1, 1, 2, 3, 5, 8, 9]))
    hours = (np.arange(24) + zone) % 24
    morning, evening = rng.uniform(7, 10), rng.uniform(16, 20)
    day = (
        0.08 + np.exp(-(((hours - morning) / 2.5) ** 2)) + rng.uniform(0.4, 1) * np.exp(-(((hours - evening) / 3) ** 2))
    )
    day += 0.45 * ((hours >= 7) & (hours <= 22))
    week = np.array([1, 1, 1, 1, 1, *([rng.uniform(0.25, 0.9)] * 2)])
    shape = np.outer(week, day).ravel()
    return np.asarray(shape / shape.mean())


def _hour_of_week(times: Floats) -> Ints:
    return (np.floor(times - START).astype(np.int64)) % (7 * 24)


def _outages(rng: np.random.Generator, end: float) -> Floats:
    """Returns the times when the site does not answer: one in ten days, with a median of half an hour."""
    starts = np.sort(rng.uniform(START, end, rng.poisson((end - START) / 240)))
    spans = np.minimum(np.exp(rng.normal(np.log(0.5), 1.0, len(starts))), 12.0)
    pairs = [(a, b) for a, b in zip(starts, starts + spans, strict=True)]
    merged: list[tuple[float, float]] = []
    for a, b in pairs:
        if merged and a <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(b, merged[-1][1]))
        else:
            merged.append((float(a), float(b)))
    return np.array(merged).reshape(-1, 2)


def _sources(rng: np.random.Generator, number: int, published: Floats, end: float) -> tuple[Listing, ...]:
    every = np.arange(len(published))
    has_sitemap = rng.random() < 0.3
    in_feed = every[rng.random(len(every)) < 0.8] if has_sitemap else every
    name = f"https://site{number:04}.example"
    sources = [_feed(rng, f"{name}/feed", published, in_feed, end)]
    if has_sitemap:
        cache = float(rng.choice([0.25, 0.5, 1.0]))
        listed = np.ceil(published / cache) * cache
        sources.append(
            Listing(
                f"{name}/news.xml", "sitemap", listed, listed + SITEMAP_HOURS, every, 10**9, cache,
                headers=str(rng.choice(HEADERS, p=[0.3, 0.0, 0.7])), validators="good",
            )
        )  # fmt: skip
    if rng.random() < 0.08:
        nothing = np.array([])
        dead = float(rng.uniform(START - 100, end))
        feed = _feed(rng, f"{name}/old", published, every[:0] if dead < START else every, end)
        feed = feed if dead >= START else Listing(
            feed.url, "feed", nothing, nothing, every[:0], 10, 0.0, headers="nothing", validators="none"
        )  # fmt: skip
        sources.append(_dying(feed, dead))
    return tuple(sources)


def _feed(rng: np.random.Generator, url: str, published: Floats, articles: Ints, end: float) -> Listing:
    cache = float(rng.choice(CACHES, p=[0.3, 0.2, 0.25, 0.1, 0.15]))
    length = int(rng.choice(FEED_LENGTHS))
    listed = published[articles]
    if cache:
        phase = rng.uniform(0, cache)
        listed = np.ceil((listed - phase) / cache) * cache + phase
    gone = np.full(len(listed), np.inf)
    gone[:-length] = listed[length:]
    validators = str(rng.choice(["good", "stuck", "none"], p=[0.75, 0.05, 0.20]))
    headers = str(rng.choice(HEADERS, p=[0.4, 0.2, 0.4])) if cache else "nothing"
    return Listing(url, "feed", listed, gone, articles, length, cache, headers, validators)


def _dying(feed: Listing, dies: float) -> Listing:
    names = ("url", "kind", "listed", "gone", "article", "length", "cache", "headers", "validators")
    return Listing(**{name: getattr(feed, name) for name in names}, dies=dies)
