"""The outbox on both databases: at least once and in order, growing pauses, what is kept, and what a kill may not
lose."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import warm
from patience import PATIENCE
from sqlalchemy import func, select

from newscrawl.publishing.deliver.http import Problem
from newscrawl.publishing.deliver.places import Notification
from newscrawl.publishing.deliver.sender import Sender
from newscrawl.storage import deliveries
from newscrawl.storage.deliveries import ALARMS, SEARCHES, Notice
from newscrawl.storage.feed import standing_searches
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.store import Store, open_store
from newscrawl.storage.tables.operations import notices
from newscrawl.testing.services.webhook import WebhookReceiver, serving
from newscrawl.workers.processes.failpoints import ALARM_SENT, SEARCH_SENT

NOW = datetime(2026, 3, 2, tzinfo=UTC)
SEND = Path(__file__).with_name("send_until_killed.py")
DOWN = Problem("down")


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, upgrade=False, max_wait=0.01) as opened:
        yield opened


class Receivers:
    """A receiver of alarms and one of searches, which keep what they accept; `problem` is the answer of both."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.problem: Problem | None = None
        self.asked = 0
        self.told: list[tuple[int, str]] = []
        self.found: list[list[int]] = []

    def alarm(self, values: Mapping[str, Any]) -> Problem | None:
        """A receiver of alarms."""
        self.asked += 1
        if self.problem is None:
            self.told.append((values["id"], values["event"]))
        return self.problem

    def search(self, _place: str, notification: Notification) -> Problem | None:
        """A webhook of searches."""
        if self.problem is None:
            self.found.append([event.id for event in notification.events])
        return self.problem

    def send(self, at: datetime = NOW) -> None:
        """Sends what is due at a time, as a new process does it."""
        Sender(self.store, {"webhook": self.alarm}, {"webhook": self.search}, lambda: at).send()


@pytest.fixture
def receivers(store: Store) -> Receivers:
    return Receivers(store)


def begin(store: Store, kind: str = "quiet", at: datetime = NOW) -> int:
    """Opens an alarm."""
    alarm = Alarm("harbour", kind, "warning", at, at, "no new article", {"seen": 0})
    number = store.run(alarms.begin, alarm).result(PATIENCE).id
    assert number is not None
    return number


def end(store: Store, number: int, at: datetime = NOW) -> None:
    """Closes an alarm."""
    store.run(alarms.end, number, at).result(PATIENCE)


def save(store: Store, name: str = "ferries", place: str = "webhook:https://desk.example/") -> None:
    """Saves a search."""
    assert store.run(standing_searches.save, name, "ferry", [place], 0, NOW).result(PATIENCE)


def find(store: Store, number: int, name: str = "ferries") -> None:
    """Appends as many hits of a search."""
    found = {"story_id": 1, "article_id": 1, "reason": "new"}
    new = [Notice(name, "hit", NOW, found) for _ in range(number)]
    store.run(deliveries.append, SEARCHES, new).result(PATIENCE)


def stored(store: Store) -> int:
    """How many notices are stored."""
    with store.reading() as connection:
        return connection.execute(select(func.count()).select_from(notices)).scalar_one()


def test_an_alarm_that_is_over_before_it_could_be_told_is_told_twice(store: Store, receivers: Receivers) -> None:
    number = begin(store)
    end(store, number)
    receivers.send()
    assert receivers.told == [(number, "opened"), (number, "closed")]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)  # its SQL is that of the others
def test_a_receiver_that_refuses_is_asked_less_and_less_and_then_no_more(store: Store, receivers: Receivers) -> None:
    number = begin(store)
    receivers.problem = DOWN
    asked: list[datetime] = []
    at = NOW
    while at < NOW + timedelta(hours=12):
        before = receivers.asked
        receivers.send(at)
        asked += [at] * (receivers.asked - before)
        at += timedelta(minutes=1 if len(asked) < 7 else 10)  # the seventh is asked after 63 minutes
    pauses = [later - earlier for earlier, later in pairwise(asked)]
    assert len(asked) == 12
    assert pauses[0] == timedelta(minutes=1)
    assert pauses == sorted(pauses)
    assert pauses[-1] == timedelta(hours=1)
    receivers.problem = None
    receivers.send(at + timedelta(days=30))
    assert receivers.told == []
    other = begin(store, "hints", at)  # a new alarm takes the one that was given up along
    receivers.send(at)
    assert receivers.told == [(number, "opened"), (other, "opened")]


def test_a_new_receiver_gets_what_another_one_lacks(store: Store) -> None:
    hook, post = Receivers(store), Receivers(store)
    first = begin(store)
    Sender(store, {"webhook": hook.alarm}, {}, lambda: NOW).send()
    hook.problem = DOWN
    second = begin(store, "hints")
    for _ in range(2):
        Sender(store, {"webhook": hook.alarm, "mail": post.alarm}, {}, lambda: NOW).send()
    assert hook.told == [(first, "opened")]
    assert post.told == [(second, "opened")]


def test_alarms_come_before_searches_and_numbers_of_each_are_its_own(store: Store) -> None:
    order: list[str] = []

    def alarm(_values: Mapping[str, Any]) -> None:
        order.append("alarm")

    def search(_place: str, notification: Notification) -> None:
        order.append(f"search {[event.id for event in notification.events]}")

    save(store)
    find(store, 2)
    begin(store)
    find(store, 1)
    Sender(store, {"webhook": alarm}, {"webhook": search}, lambda: NOW + timedelta(minutes=1)).send()
    assert order == ["alarm", "search [1, 2, 3]"]


def test_notices_are_kept_until_all_have_them_and_no_number_is_used_again(store: Store, receivers: Receivers) -> None:
    save(store)
    save(store, "other", "webhook:https://other.example/")
    find(store, 3)
    receivers.send()
    assert stored(store) == 1  # the newest one
    assert store.run(standing_searches.remove, "ferries", NOW).result(PATIENCE)
    save(store)
    receivers.send()
    find(store, 1)
    find(store, 2, "other")
    receivers.send()
    assert sorted(receivers.found) == [[1, 2, 3], [4], [5, 6]]
    assert stored(store) == 1


def test_a_destination_that_fails_for_long_keeps_the_newest_notices(
    store: Store, receivers: Receivers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "MAX_WAITING", 3)
    save(store)
    receivers.problem = DOWN
    for hour in range(3):
        find(store, 2)
        receivers.send(NOW + timedelta(hours=hour))
    assert stored(store) == 3
    receivers.problem = None
    receivers.send(NOW + timedelta(hours=5))
    assert receivers.found == [[4, 5, 6]]


@pytest.mark.process
@pytest.mark.parametrize(("stream", "failpoint"), [(ALARMS, ALARM_SENT), (SEARCHES, SEARCH_SENT)])
def test_what_was_sent_before_a_kill_is_sent_again_and_nothing_is_lost(
    database: str, store: Store, stream: str, failpoint: str
) -> None:
    def send(armed: str | None) -> int:
        environment = {name: value for name, value in os.environ.items() if name != "NEWSCRAWL_FAILPOINT"}
        if armed is not None:
            environment["NEWSCRAWL_FAILPOINT"] = armed
        command = [sys.executable, str(SEND), database, receiver.address]
        with warm.Popen(command, env=environment) as process:
            return process.wait(PATIENCE)

    receiver = WebhookReceiver()
    with serving(receiver):
        if stream == ALARMS:
            for kind in ("quiet", "hints", "extraction"):
                begin(store, kind)
        else:
            save(store, place=f"webhook:{receiver.address}")
            find(store, 3)
        assert send(f"{failpoint}:1") == -signal.SIGKILL
        if stream == ALARMS:
            assert send(f"{failpoint}:2") == -signal.SIGKILL
        assert [send(None), send(None)] == [0, 0]
    ids = [body["id"] if stream == ALARMS else body["events"][0]["id"] for body in receiver.posted]
    assert ids == ([1, 1, 2, 2, 3] if stream == ALARMS else [1, 1])
    assert receiver.posted[0] == receiver.posted[1]
    assert receiver.headers[0].get("Idempotency-Key") == receiver.headers[1].get("Idempotency-Key")


def test_an_alarm_that_a_receiver_refuses_holds_up_newer_ones_for_some_hours_only(store: Store) -> None:
    refused, told = begin(store, "first"), list[int]()

    def receiver(values: Mapping[str, Any]) -> Problem | None:
        if values["id"] == refused:
            return Problem("400 Bad Request")
        told.append(values["id"])
        return None

    hour = timedelta(hours=1)
    newer = [begin(store, f"kind{number}", NOW + number * 2 * hour) for number in range(1, 3)]
    for number in range(30):
        at = NOW + number * hour / 2
        Sender(store, {"webhook": receiver}, {}, lambda at=at: at).send()  # type: ignore[misc]
    assert told == newer


def test_an_error_of_newscrawl_in_one_message_is_logged_and_stops_no_other(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    save(store, "one")
    save(store, "two")
    find(store, 1, "one")
    find(store, 1, "two")
    told = []

    def search(_place: str, notification: Notification) -> None:
        if notification.search.name == "one":
            raise ValueError("odd")
        told.append(notification.search.name)

    Sender(store, {}, {"webhook": search}, lambda: NOW).send()
    assert told == ["two"]
    assert "could not be made or sent" in caplog.text
