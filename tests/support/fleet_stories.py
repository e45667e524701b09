"""Generates what the sites of a fleet publish, and when, from a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

WORDS: Final = (
    "harbour council bridge ferry market school river winter budget report engineer morning station library garden "
    "museum committee resident village mountain railway weather forecast teacher hospital theatre election summer "
    "project decision street festival company worker farmer island village opening closing plan question answer"
).split()
LISTED: Final = 30
FORBIDDEN: Final = "/private/"
SHARED: Final = "feeds"
"""Begins the name of a host that serves the feeds of several sites: feeds0.localhost those of site0 and site1."""
ANNOUNCES: Final = ("lastmod", "updated", "title", "nothing", "lies")
"""How the sites announce edits, in turns: by the sitemap's lastmod, by atom:updated in the feed, by another title in
both, not at all; the last stamps a third of its sitemap with the time of the build."""


@dataclass(frozen=True, slots=True)
class WorldOptions:
    """The parameters of the generated sites. `mean_gap` is the mean time in seconds between two articles of an
    average site."""

    sites: int = 200
    seed: int = 1
    log: str = ""
    seconds: float = 1200.0
    delay: float = 0.5
    mean_gap: float = 120.0
    initial: int = 3
    """Articles of a site at the start."""
    edited: float = 0.3
    pleas: float = 0.03
    """Part of the requests that are answered 429."""
    rests: tuple[int, ...] = (3, 5, 8)
    """Seconds of Retry-After, one of which such an answer has."""
    canary: str = ""
    """A word on all pages of site0."""
    hang: float = 0.0
    """Seconds that an article's answer takes; that it was asked for is then written down at once."""
    hangs: str = ".html"
    """How the paths end whose answers take so long: others than articles."""


@dataclass(frozen=True, slots=True)
class FleetArticle:
    """An article: `at` and `edited_at` are seconds since the start."""

    path: str
    title: str
    at: float
    edited_at: float | None


def stories_of(site: int, options: WorldOptions) -> list[FleetArticle]:
    """Returns what a site publishes until the end: the initial articles, then more at its own rate."""
    chance = random.Random(f"{options.seed} {site}")
    gap = options.mean_gap * chance.choice((0.4, 1.0, 1.0, 2.5))
    moments = [-10.0 * number for number in range(options.initial, 0, -1)]
    at = chance.expovariate(1 / gap)
    while at < options.seconds:
        moments.append(at)
        at += chance.expovariate(1 / gap)
    found = []
    for number, moment in enumerate(moments):
        edit = max(moment, 0.0) + chance.uniform(20, 200) if chance.random() < options.edited else None
        title = f"{' '.join(chance.sample(WORDS, 5)).capitalize()} {site}-{number}"
        found.append(
            FleetArticle(f"/2026/11/{number:04d}-{'-'.join(title.lower().split()[:4])}.html", title, moment, edit)
        )
    return found


def announces(host: str) -> str:
    """Returns how the site at `host` ("site7.localhost") announces edits."""
    return ANNOUNCES[int(host.partition(".")[0].removeprefix("site")) % len(ANNOUNCES)]


def text_of(host: str, story: FleetArticle, version: int) -> list[str]:
    """Returns four paragraphs. An edit replaces the last one."""
    paragraphs = []
    for part in range(4):
        chance = random.Random(f"{host} {story.path} {part} {version if part == 3 else 0}")
        sentences = [" ".join(chance.choices(WORDS, k=12)).capitalize() + "." for _ in range(4)]
        paragraphs.append(" ".join(sentences))
    return paragraphs
