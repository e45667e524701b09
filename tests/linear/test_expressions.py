"""All compiled expressions of the package need linear time on the longest text that they can get."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest
from expressions import LARGEST, Expression, find_slow, package_expressions, package_modules

import newscrawl
from newscrawl.discovery.feeds.read_feed import read_feed
from newscrawl.extraction.article.extracted import Extracted
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.extraction.metadata import author_names, dates, nearby, text
from newscrawl.model.written_dates import parse_date
from newscrawl.page import head, parse

ROOMS: Final = sorted(path.stem for path in Path(newscrawl.__file__).parent.iterdir() if path.name[0] not in "_.")

BOUNDED: Final = {
    "extraction.article.signals:_STATUS_WORDS": head.MAX_TITLE,
    "extraction.metadata.authors:_NAME_AND_DAY": nearby.MAX_LINE,
    "model.written_dates.calendars:_NAME": parse_date.MAX_RAW,
    "extraction.metadata.date_labels:BARE": nearby.MAX_LINE + dates.MAX_LABEL + 1,
    "model.written_dates.parse_date:_DAY_FIRST": 2 * parse_date.MAX_RAW,
    "extraction.metadata.author_names:_AND": text.MAX_TITLE,
    "extraction.metadata.author_names:_TRAILER": text.MAX_TITLE,
    "extraction.metadata.titles:_LABEL": text.MAX_TITLE,
    "extraction.metadata.titles:PARTS": text.MAX_TITLE,
    "extraction.metadata.titles:SEPARATOR": text.MAX_TITLE,
}
"""Expressions that are not linear, and the length of the longest text that they are given."""


def test_the_expressions_are_found() -> None:
    found = package_expressions().keys()
    assert len(found) > 200
    assert {
        "extraction.metadata.titles:SEPARATOR",
        "extraction.boilerpipe.filters:_SPACED_SEPARATORS[0][1]",
    } <= found
    assert set(BOUNDED) <= found
    assert {place.partition(":")[0].partition(".")[0] for place in found} <= set(ROOMS)


@pytest.mark.parametrize(
    "pattern", [r"\s+$", r"(a+)+b", r"x*y", r"<a[^>]*>", r"a.*b.*c", r"(?:\w+\s?)+:", r"1(?:\W+[\d:.]{1,8}\W*)*$"]
)
def test_a_slow_expression_is_found(pattern: str) -> None:
    """Of twice the length: the matcher's quickest quadratic loop takes just FLOOR_SECONDS for LARGEST characters."""
    assert find_slow(Expression("", re.compile(pattern)), 2 * LARGEST) is not None


@pytest.mark.parametrize("pattern", [r"(?<!\s)\s++$", r"<a[^<>]*+>", r"\w+", r"(?:a|b)+c?"])
def test_a_linear_expression_is_not(pattern: str) -> None:
    assert find_slow(Expression("", re.compile(pattern))) is None


@pytest.mark.parametrize("room", ROOMS)
def test_every_expression_takes_linear_time(room: str) -> None:
    slow = {}
    for place, expression in package_expressions().items():
        if place.startswith((f"{room}.", f"{room}:")):
            bound = BOUNDED.get(place)
            if found := find_slow(expression, bound) if bound else find_slow(expression):
                slow[place] = found
    assert slow == {}


@dataclass(slots=True)
class Recorder:
    """An expression that remembers how long the longest text was that it was given."""

    pattern: Any
    longest: dict[str, int] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        asked = getattr(self.pattern, name)
        if not callable(asked):
            return asked

        def ask(*arguments: Any, **options: Any) -> Any:
            given = arguments[1 if name in ("sub", "subn") else 0]
            self.longest[name] = max(self.longest.get(name, 0), len(given))
            return asked(*arguments, **options)

        return ask


@pytest.fixture(name="recorders")
def _recorders(monkeypatch: pytest.MonkeyPatch) -> dict[str, Recorder]:
    """The bounded expressions, wherever a module has them, in recorders."""
    recorders = {place: Recorder(package_expressions()[place].pattern) for place in BOUNDED}
    by_pattern = {id(recorder.pattern): recorder for recorder in recorders.values()}
    for module in package_modules():
        for name, value in list(vars(module).items()):
            if recorder := by_pattern.get(id(value)):
                monkeypatch.setattr(module, name, recorder)
            elif isinstance(value, tuple) and any(id(member) in by_pattern for member in value):
                monkeypatch.setattr(module, name, tuple(by_pattern.get(id(member), member) for member in value))
    return recorders


def test_bounds_are_applied(recorders: dict[str, Recorder]) -> None:
    """Everything that a page or a feed may say is long here, beyond each of the bounds."""
    chain = ArticleOptions().resolve()
    for long in ("By Ada Example, 2. Mai 2026 " * 200, "5 May 2026 " * 400, "Réunion 5 mai 2026 | " * 300):
        author_names._names_in.cache_clear()
        page = parse(page_saying(long).encode(), url="https://news.example/2026/05/02/a-story-of-rain")
        extracted = Extracted(page, chain, datetime(2026, 5, 3, tzinfo=UTC))
        assert extracted.verdict
        assert extracted.metadata
        assert extracted.signals.titles
        for day in (long, "Sat, 02 May 2026 10:00:00 +0200"):
            feed = f"<rss version='2.0'><channel><item><link>/a</link><pubDate>{day}</pubDate></item></channel></rss>"
            assert read_feed(feed.encode(), "https://news.example/feed").candidates
    for place, recorder in recorders.items():
        assert recorder.longest, f"{place} was given nothing"
        assert max(recorder.longest.values()) <= BOUNDED[place], place


def page_saying(value: str) -> str:
    """A page that says `value` wherever titles, names and dates are read."""
    keys = ("og:title", "twitter:title", "og:site_name", "author", "date", "article:published_time", "keywords")
    metas = "".join(f'<meta property="{key}" content="{value}">' for key in keys)
    thing = dict.fromkeys(("headline", "author", "datePublished", "dateModified", "publisher"), value)
    script = json.dumps({"@type": "NewsArticle", **thing})
    prose = "<p>It rains on the hills, and the river rises by a metre until the evening comes.</p>" * 9
    joined = value.replace(" ", "")
    return (
        f"<html><head><title>{value}</title>{metas}<script type='application/ld+json'>{script}</script></head><body>"
        f"<h1>It rains on the hills</h1><div class=byline>{value}</div><p>Ada {joined} May 5, 2026</p><p>5/5/2026</p>"
        f"<p>{joined}</p><time class=date>{value}</time><time datetime='{value}'>x</time>"
        f"<article>{prose}</article></body></html>"
    )
