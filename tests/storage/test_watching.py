"""What pages came to is stored with them and taken away once; an alarm is opened once, closed once, told once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from patience import PATIENCE

from newscrawl.errors import StorageError
from newscrawl.model import Failure, PublishedDate
from newscrawl.storage.monitoring import alarms, baselines
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.monitoring.baselines import Baseline

SITE = "https://harbour.example"


def wait(future):
    return future.result(timeout=PATIENCE)


def alarm(now, **changes):
    return replace(Alarm("harbour", "quiet", "warning", now, now, "no new article", {"seen": 0}), **changes)


def test_each_page_leaves_one_observation_in_the_transaction_of_its_batch(store, page, now):
    dated = PublishedDate(now - timedelta(hours=1), "json-ld", "second")
    done = [
        store.save(page(f"{SITE}/a", "One", published=dated, authors=("A. Writer",))),
        store.save(page(f"{SITE}/b", failure=Failure("verdict/listing", "links"))),
        store.save(page(f"{SITE}/c", "Two", site="generic")),
    ]
    for future in done:
        wait(future)
    wait(store.save(page(f"{SITE}/a", "One")))
    one, failed, again = wait(store.run(baselines.take, 100))
    assert (one.site, one.is_new, one.published, one.verdict) == ("harbour", True, dated.when, "article")
    assert (one.titled, one.authored, one.dated, one.failure) == (True, True, True, None)
    assert one.characters > 100
    assert (failed.failure, failed.is_new, failed.characters) == ("verdict/listing", False, 0)
    assert not again.is_new
    assert wait(store.run(baselines.take, 100)) == []


def test_where_no_watchdog_looks_what_waits_is_bounded(store, page, monkeypatch):
    monkeypatch.setattr(baselines, "MOST_WAITING", 6)
    monkeypatch.setattr(baselines, "TIDY_EVERY", 4)
    for number in range(20):
        wait(store.save(page(f"{SITE}/{number}", f"story {number}")))
    kept = wait(store.run(baselines.take, 100))
    assert 6 <= len(kept) < 6 + 4


def test_a_date_without_an_hour_does_not_say_when_an_article_appeared(store, page, now):
    wait(store.save(page(f"{SITE}/a", "One", published=PublishedDate(now, "text", "day"))))
    (one,) = wait(store.run(baselines.take, 100))
    assert one.dated
    assert one.published is None


def test_baselines_are_due_the_longest_waiting_first(store, now):
    rows = [Baseline(name, now - timedelta(minutes=n)) for n, name in enumerate(["a", "b", "c"])]
    wait(store.run(baselines.save, rows))
    assert wait(store.run(baselines.due, now, 2)) == ["c", "b"]
    wait(store.run(baselines.save, [replace(rows[2], next_check=now + timedelta(hours=1), base="7a1")]))
    assert wait(store.run(baselines.due, now, 9)) == ["b", "a"]
    assert wait(store.run(baselines.load, ["c", "x"])) == {
        "c": replace(rows[2], next_check=now + timedelta(hours=1), base="7a1")
    }


def test_two_open_alarms_of_a_site_and_kind_are_refused_and_a_later_one_is_not(store, now):
    first = wait(store.run(alarms.begin, alarm(now)))
    with pytest.raises(StorageError):
        wait(store.run(alarms.begin, alarm(now)))
    wait(store.run(alarms.end, first.id, now + timedelta(hours=1)))
    wait(store.run(alarms.end, first.id, now + timedelta(hours=9)))
    later = wait(store.run(alarms.begin, alarm(now)))
    assert [one.id for one in wait(store.run(alarms.open_alarms))] == [later.id]
    assert wait(store.run(alarms.open_alarms, "elsewhere")) == []


def test_an_alarm_is_told_when_it_opens_and_when_it_is_over(store, now):
    opened = wait(store.run(alarms.begin, alarm(now)))
    assert [one.id for one in wait(store.run(alarms.untold, now, 9))] == [opened.id]
    wait(store.run(alarms.told, opened.id, "opened", now))
    assert wait(store.run(alarms.untold, now + timedelta(days=9), 9)) == []
    wait(store.run(alarms.end, opened.id, now))
    (over,) = wait(store.run(alarms.untold, now, 9))
    assert over.closed_at == now
    wait(store.run(alarms.told, opened.id, "closed", now))
    assert wait(store.run(alarms.untold, now + timedelta(days=9), 9)) == []


def test_an_alarm_that_is_over_before_it_could_be_told_is_told_twice(store, now):
    opened = wait(store.run(alarms.begin, alarm(now)))
    wait(store.run(alarms.end, opened.id, now))
    wait(store.run(alarms.told, opened.id, "opened", now))
    (over,) = wait(store.run(alarms.untold, now, 9))
    assert over.told_opened


def test_a_webhook_that_refuses_is_asked_less_and_less_and_then_no_more(store, now):
    opened = wait(store.run(alarms.begin, alarm(now)))
    at, asked = now, []
    for _ in range(2_000):
        if wait(store.run(alarms.untold, at, 9)):
            asked.append(at)
            wait(store.run(alarms.not_told, opened.id, at))
        at += timedelta(minutes=1)
        if len(asked) == alarms.MOST_ATTEMPTS:
            break
    pauses = [b - a for a, b in pairwise(asked)]
    assert pauses[0] == timedelta(minutes=1)
    assert max(pauses) == timedelta(hours=1)
    assert wait(store.run(alarms.untold, at + timedelta(days=30), 9)) == []
