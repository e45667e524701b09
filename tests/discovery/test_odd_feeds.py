"""The table of odd feeds (tests/data/odd_feeds.toml). It was written before the reader handled them."""

from __future__ import annotations

import gzip
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from newscrawl.discovery.feeds.read_feed import read_feed
from newscrawl.discovery.reading import SourceContents

TABLE: Final = Path(__file__).parent.parent / "data" / "odd_feeds.toml"
FEEDS: Final[dict[str, dict[str, Any]]] = {
    feed["name"]: feed for feed in tomllib.loads(TABLE.read_text(encoding="utf-8"))["feed"]
}

NOT_RIGHT: Final = frozenset[str]()
"""Feeds of the table that are read wrong; each is named in docs/explanation/discovery.md with its reason."""

FLOOR: Final = 0.95
"""Share of the table that has to be right."""


def body_of(feed: dict[str, Any]) -> bytes:
    body = feed.get("bom", "").encode("latin-1") + feed["body"].encode(feed.get("encoding", "utf-8"))
    return gzip.compress(body) if feed.get("gzip") else body


def read(feed: dict[str, Any]) -> SourceContents:
    headers = {"content-type": feed.get("content_type", "application/rss+xml")}
    return read_feed(body_of(feed), feed.get("url", "https://news.example/feeds/main.xml"), headers)


def differences(feed: dict[str, Any]) -> list[str]:
    """What the reading has otherwise than the table says."""
    found = read(feed)
    got = [(c.url, c.discovery.title, c.discovery.published) for c in found.candidates]
    wanted = [(entry["link"], entry.get("title"), entry.get("date")) for entry in feed["entries"]]
    wrong = [f"entries: {got} instead of {wanted}"] if got != wanted else []
    if "problem" in feed and not any(feed["problem"] in problem for problem in found.problems):
        wrong.append(f"problems: {found.problems} without {feed['problem']!r}")
    if "ttl_minutes" in feed and found.update_hints.interval.total_seconds() != 60 * feed["ttl_minutes"]:
        wrong.append(f"interval: {found.update_hints.interval}")
    if "skip_hours" in feed and sorted(found.update_hints.skip_hours) != feed["skip_hours"]:
        wrong.append(f"skip hours: {found.update_hints.skip_hours}")
    if "skip_days" in feed and sorted(found.update_hints.skip_days) != feed["skip_days"]:
        wrong.append(f"skip days: {found.update_hints.skip_days}")
    if "feeds" in feed and list(found.announced) != feed["feeds"]:
        wrong.append(f"announced: {found.announced}")
    return wrong


@pytest.mark.parametrize("name", FEEDS)
def test_an_odd_feed_is_read_as_the_table_says(name: str) -> None:
    wrong = differences(FEEDS[name])
    assert bool(wrong) == (name in NOT_RIGHT), wrong or "right now: take it off the list"


def test_the_table_is_long_and_nearly_all_of_it_is_right() -> None:
    assert len(FEEDS) >= 60
    assert len(NOT_RIGHT) <= (1 - FLOOR) * len(FEEDS)
