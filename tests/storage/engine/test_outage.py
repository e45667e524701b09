"""The lines about an outage of the database."""

from __future__ import annotations

import logging

import pytest

from newscrawl.storage.engine import outage
from newscrawl.storage.engine.outage import AT_ONCE, REPEATED, Outage


class Clock:
    """A monotonic clock that tests set."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(outage, "time", made)
    return made


def fail_for(seconds: float, state: Outage, clock: Clock) -> None:
    state.begin("the disk is full")
    clock.now += seconds
    state.begin("the disk is full")
    state.end()


def test_an_outage_has_one_line_at_its_beginning_and_one_at_its_end(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    state = Outage()
    with caplog.at_level(logging.WARNING):
        fail_for(5, state, clock)
        fail_for(0.5, state, clock)
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]
    assert caplog.messages[1] == "the database answers again, after 5 s"
    assert not state.lasts


def test_small_writes_that_succeed_on_a_full_disk_do_not_repeat_the_lines(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    state = Outage()
    with caplog.at_level(logging.WARNING):
        while clock.now < REPEATED - 5:
            fail_for(3, state, clock)
        assert len(caplog.records) == 2
        clock.now += AT_ONCE
        fail_for(3, state, clock)
    assert len(caplog.records) == 4


def test_an_outage_right_after_another_is_logged_if_it_lasts(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    state = Outage()
    with caplog.at_level(logging.WARNING):
        fail_for(3, state, clock)
        fail_for(2 * REPEATED, state, clock)
    assert len(caplog.records) == 4
