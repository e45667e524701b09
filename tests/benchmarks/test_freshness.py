"""The simulation of freshness: fleets by seed, policies on a virtual clock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.freshness import edits as freshness_edits
from benchmarks.freshness.__main__ import main
from benchmarks.freshness.edits import (
    ALL,
    DATING,
    SILENT,
    STAMPING,
    TOUCHING,
    AnnouncedOutcome,
    follow,
    follow_announced,
)
from benchmarks.freshness.report import INTERVALS, MAX_GROWTH, compare, markdown, mean, measure, missed_goals
from benchmarks.freshness.run import Ours, fixed, run, run_site
from benchmarks.freshness.world import START, World, make_world
from newscrawl.crawling.scheduling.announced_edits import SHARE
from newscrawl.crawling.scheduling.sources import SourcePolicy, plan
from newscrawl.model import SourceVisit


class Trusting(Ours):
    """Believes each 304."""

    def proves(self, state, now):
        return False


@dataclass(frozen=True)
class Fixed(Ours):
    """Comes back after a fixed time, without validators."""

    interval: float = 1.0
    conditional: bool = False

    def wait(self, state, seen):
        return self.interval


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(3, sites=12, days=6)


@pytest.fixture(scope="module")
def result():
    return measure(3, 12, 6)


def test_the_same_seed_gives_the_same_result_and_another_one_another():
    result = measure(3, 6, 3)
    assert measure(3, 6, 3) == result
    assert measure(4, 6, 3).ours != result.ours


def test_a_fixed_interval_computed_at_once_is_what_visit_by_visit_gives(world):
    for interval in (0.25, 2.0):
        at_once = fixed(world, interval)
        stepwise = run(world, Fixed(interval=interval))
        assert stepwise.articles == at_once.articles
        assert stepwise.median == pytest.approx(at_once.median, rel=0.15)
        assert stepwise.source_requests == pytest.approx(at_once.source_requests, rel=0.01)


def test_shorter_intervals_cost_more_and_find_sooner(result):
    medians = [outcome.median for outcome in result.curve]
    requests = [outcome.source_requests for outcome in result.curve]
    assert medians[0] < medians[4] < medians[-1]
    assert requests == sorted(requests, reverse=True)
    assert len(result.curve) == len(INTERVALS)


def test_our_scheduler_misses_nothing_that_stays_listed_and_beats_fixed_intervals(result):
    assert result.ours.missed_long == 0
    assert result.comparison.requests_at_median < 0.7
    assert result.comparison.median_at_requests < 0.7


def test_stuck_validators_cost_us_hours_once_and_those_who_trust_them_everything():
    world = make_world(8, sites=30, days=5)
    lying = [site for site in world.sites if site.sources[0].validators == "stuck"]
    assert lying
    for site in lying:
        counts = (site.published > START + 24) & (site.published < world.end - 24)
        distrusting = run_site(site, Ours(), world.end).found[counts]
        trusting = run_site(replace(site, sources=site.sources[:1]), Trusting(), world.end).found[counts]
        assert np.isfinite(distrusting).mean() > 0.99
        assert not np.isfinite(trusting).any()


def test_the_laboratory_runs_the_very_functions_the_fleet_runs(world):
    """Visit by visit through `plan`, with its memory as storage keeps it, as through the laboratory's short cut."""
    site = next(s for s in world.sites if len(s.sources) == 1 and not len(s.down) and s.sources[0].cache == 0)
    site = replace(site, sources=(replace(site.sources[0], validators="none"),))
    policy = SourcePolicy(jitter=0.0)
    lab = run_site(site, Ours(policy), world.end).visits
    listed, at, previous, memory, visits = site.sources[0].listed, lab[0], None, None, []
    while at <= lab[50]:
        visits.append(at)
        since = previous if previous is not None else -np.inf
        window = (listed > since) & (listed <= at) & (site.sources[0].gone > at)
        fresh = tuple(_moment(time) for time in listed[window])
        before = _moment(previous) if previous is not None else None
        planned = plan(memory, SourceVisit(site.sources[0].url, _moment(at), before, 200, fresh), policy)
        memory, previous, at = planned.arrival_state, at, planned.next_due.timestamp() / 3600
    assert visits == pytest.approx(lab[: len(visits)], abs=0.05)


def _moment(hours):
    return datetime.fromtimestamp(0, UTC) + timedelta(hours=float(hours))


def test_edits_are_seen_by_scheduled_revisits(world):
    own = follow(world)
    assert own.seen > 0.7
    assert own.per_article < 40


@pytest.fixture
def outcome(monkeypatch: pytest.MonkeyPatch):
    """Some sites, all of which announce edits in one way."""

    def measured(style: str) -> AnnouncedOutcome:
        monkeypatch.setattr(freshness_edits, "EVERY", 2)
        monkeypatch.setattr(freshness_edits, "STYLES", {style: 1.0})
        return next(row for row in follow_announced(make_world(2, sites=10, days=8)) if row.style == ALL)

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


def test_the_report_names_what_was_missed(result):
    tables = markdown([result], 12, 6)
    assert "| **newscrawl** |" in tables
    assert tables.count("\n| every ") == len(INTERVALS)
    worse = replace(result, comparison=compare(result.curve[0], result.curve), ours=replace(result.ours, missed_long=2))
    assert len(missed_goals([worse])) == 3
    assert mean([result.ours, result.ours]) == replace(result.ours, busiest=mean([result.ours]).busiest)


def test_the_command_prints_tables_and_refuses_what_cannot_be_read(tmp_path):
    small = ["--sites", "4", "--days", "2", "--seeds", "3", "--jobs", "1"]
    done = CliRunner().invoke(main, [*small, "--json", str(tmp_path / "x.json")])
    assert done.exit_code == 0, done.output
    assert "4 sites, 2 days, seeds 3" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]
    refused = CliRunner().invoke(main, [*small, "--seeds", "many"])
    assert refused.exit_code == 2
    assert "Traceback" not in refused.output
