"""Which machines crawl with a database, which are gone, and whether a living process prevents an upgrade."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from newscrawl.reports import fleet
from newscrawl.storage import machines, migrations
from newscrawl.storage.machines import GONE_AFTER, LIVING_FOR, CrawlingProcess
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.checks import check_machines

HEAD = migrations.HEAD
ANNA = CrawlingProcess("anna/1/boot.1", "anna", "run", "0.1.0", HEAD)
BERT = CrawlingProcess("bert/1/boot.1", "bert", "run", "0.1.0", HEAD)
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)


def names(processes):
    return [process.process for process in processes]


def test_a_process_that_starts_removes_those_that_are_dead(call, now):
    call(machines.register, ANNA, now=now)
    call(machines.register, BERT, now=now)
    again = replace(ANNA, process="anna/2/boot.9")
    call(machines.register, again, lambda owner: owner == ANNA.process, now)
    assert names(call(machines.living, now=now)) == [again.process, BERT.process]


def test_a_machine_is_gone_only_while_none_of_its_processes_is_seen(call, now):
    call(machines.register, ANNA, now=now)
    call(machines.register, replace(ANNA, process="anna/2/boot.9"), now=now)
    later = now + GONE_AFTER
    call(machines.register, BERT, now=later)
    assert call(machines.gone, now=later - SECOND) == {}
    assert call(machines.gone, now=later) == {"anna": now}
    call(machines.beat, ANNA, now=later)
    assert call(machines.gone, now=later) == {}


def test_one_alarm_names_the_machines_that_are_gone_until_they_are_back(call, now):
    call(machines.register, ANNA, now=now)
    call(machines.register, BERT, now=now + MINUTE)
    later = now + GONE_AFTER
    (opened,) = call(check_machines, now=later).opened
    assert (opened.severity, opened.since) == ("critical", now)
    assert "1 machine is gone: anna (last seen 2026-11-21 12:00 UTC)" in opened.message
    assert call(check_machines, now=later + SECOND).opened == ()
    call(check_machines, now=later + 2 * MINUTE)
    (alarm,) = call(alarms.open_alarms)
    assert "2 machines are gone: anna" in alarm.message
    call(machines.beat, ANNA, now=later + 3 * MINUTE)
    call(machines.beat, BERT, now=later + 3 * MINUTE)
    assert len(call(check_machines, now=later + 3 * MINUTE).closed) == 1
    assert call(alarms.open_alarms) == []


def test_a_removed_machine_is_not_gone_and_is_back_when_it_crawls(call, now):
    call(machines.register, ANNA, now=now)
    later = now + GONE_AFTER
    call(machines.remove, "anna", "olga", now=later)
    assert call(machines.gone, now=later) == {}
    (machine,) = call(fleet.machines)
    assert (machine.removed_at, machine.removed_by) == (later, "olga")
    call(machines.register, ANNA, now=later + MINUTE)
    (machine,) = call(fleet.machines)
    assert (machine.removed_at, machine.removed_by, machine.since) == (None, None, now)


def test_processes_that_are_dead_or_were_not_seen_lately_do_not_stop_an_upgrade(call, now):
    call(machines.register, replace(ANNA, revision="0023"), now=now)
    call(machines.register, BERT, now=now)

    def living(at, is_dead=lambda _owner: False):
        return names(call(machines.living_of_other_revisions, HEAD, is_dead, at))

    assert living(now) == [ANNA.process]
    assert living(now, lambda owner: owner == ANNA.process) == []
    assert living(now + LIVING_FOR) == []
