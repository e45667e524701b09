"""The simulated sources that announce edits, truly or falsely, with the functions of newscrawl."""

from __future__ import annotations

import pytest

from benchmarks.freshness import announced as freshness_announced
from benchmarks.freshness.announced import ALL, DATING, SILENT, STAMPING, TOUCHING, AnnouncedOutcome, follow_announced
from benchmarks.freshness.report import MAX_GROWTH
from benchmarks.freshness.world import World, make_world
from newscrawl.scheduling.announced_edits import SHARE


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(2, sites=10, days=8)


@pytest.fixture
def outcome(world: World, monkeypatch: pytest.MonkeyPatch):
    """The same sites, all of which announce in one way."""

    def measured(style: str) -> AnnouncedOutcome:
        monkeypatch.setattr(freshness_announced, "EVERY", 2)
        monkeypatch.setattr(freshness_announced, "STYLES", {style: 1.0})
        return next(row for row in follow_announced(world) if row.style == ALL)

    return measured


def test_announced_edits_are_seen_sooner_for_few_requests_more(outcome) -> None:
    honest = outcome(DATING)
    assert honest.following.stale < honest.without.stale / 2
    assert honest.following.seen > honest.without.seen
    assert honest.growth < 0.05


@pytest.mark.parametrize("style", [STAMPING, TOUCHING])
def test_sources_that_lie_cost_little(outcome, style: str) -> None:
    liar = outcome(style)
    assert liar.growth < MAX_GROWTH < SHARE
    assert liar.following.seen == pytest.approx(liar.without.seen, abs=0.02)


def test_sources_that_announce_nothing_change_nothing(outcome) -> None:
    silent = outcome(SILENT)
    assert silent.following == silent.without
    assert silent.edits > 0


def test_the_same_seed_gives_the_same_sites_and_styles(world: World) -> None:
    assert follow_announced(world) == follow_announced(make_world(2, sites=10, days=8))
