"""Samples of pages are stored with them and read once. An alarm is opened, closed and sent once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from kinds_of_databases import ON_SQLITE
from patience import PATIENCE

from newscrawl.model import Failure, PublishedDate
from newscrawl.monitoring.extraction import ExtractionBaseline
from newscrawl.monitoring.samples import PageSample
from newscrawl.monitoring.volume import VolumeBaseline
from newscrawl.storage.engine.sql import insert_all
from newscrawl.storage.monitoring import samples, site_models
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.monitoring.checks import WatchScope, check
from newscrawl.storage.tables import operations as tables

SITE = "https://harbour.example"
HOUR = timedelta(hours=1)


def wait(future):
    return future.result(timeout=PATIENCE)


def append(connection, found):
    """Stores samples as they wait for a check, each with the name of its site."""
    insert_all(connection, tables.page_samples, [{"site": site, "sample": samples.written(one)} for site, one in found])


def alarm(now, **changes):
    return replace(Alarm("harbour", "quiet", "warning", now, now, "no new article", {"seen": 0}), **changes)


def test_each_page_leaves_one_sample_in_the_transaction_of_its_batch(store, page, now):
    dated = PublishedDate(now - timedelta(hours=1), "json-ld", "second")
    done = [
        store.save(page(f"{SITE}/a", "One", published=dated, authors=("A. Writer",))),
        store.save(page(f"{SITE}/b", failure=Failure("verdict/listing", "links"))),
        store.save(page(f"{SITE}/c", "Two", site="generic")),
    ]
    for future in done:
        wait(future)
    wait(store.save(page(f"{SITE}/a", "One")))
    taken = wait(store.run(samples.take, 100))
    assert (set(taken.by_site), taken.number, taken.damaged) == ({"harbour"}, 3, 0)
    one, failed, again = taken.by_site["harbour"]
    assert (one.fetched_at, one.is_new, one.published, one.verdict) == (now, True, dated.when, "article")
    assert (one.has_title, one.has_authors, one.has_date, one.failure) == (True, True, True, None)
    assert one.characters > 100
    assert (failed.failure, failed.is_new, failed.characters) == ("verdict/listing", False, 0)
    assert not again.is_new
    assert wait(store.run(samples.take, 100)).number == 0


@ON_SQLITE
def test_where_no_watchdog_looks_what_waits_is_bounded(store, page, monkeypatch):
    monkeypatch.setattr(samples, "MAX_PENDING", 6)
    for number in range(20):
        wait(store.save(page(f"{SITE}/{number}", f"story {number}")))
    kept = wait(store.run(samples.take, 100))
    assert kept.number == 6


def volume(hours, now):
    found = VolumeBaseline()
    found.watched_until(now - hours * HOUR)
    found.watched_until(now)
    return found


def extraction(now):
    found = ExtractionBaseline()
    found.add(PageSample(now, characters=3000, page_hash="p", text_hash="t"), is_alarm=False)
    return found


def damage(connection, site, **documents):
    table = tables.site_models
    for kind, document in documents.items():
        of_site = (table.c.site == site) & (table.c.kind == kind)
        connection.execute(table.update().where(of_site).values(body=document.encode()))


def test_a_damaged_baseline_costs_only_itself_and_is_logged_counted_and_learned_anew(store, now, caplog):
    names = ("a", "b")
    kept = {name: volume(1, now) for name in names}, {name: extraction(now) for name in names}
    wait(store.run(site_models.save, now, *kept))
    wait(store.run(damage, "a", extraction='{"usual":[{"chars":-1}]}', volume="{"))
    assert wait(store.run(site_models.load, VolumeBaseline, names)).damaged == {"a"}
    found = wait(store.run(site_models.load, ExtractionBaseline, names))
    assert found == site_models.Loaded({"a": ExtractionBaseline(), "b": extraction(now)}, damaged=frozenset({"a"}))
    assert (
        "the extraction baseline of a is damaged and learned again: Expected `int` >= 0 - at `$.usual[0].chars`"
        in caplog.text
    )
    page = PageSample(now, characters=900, page_hash="q", text_hash="u")
    wait(store.run(append, [("a", page), ("b", page)]))
    assert wait(store.run(check, now, WatchScope(None, now))).damaged == 2
    assert wait(store.run(check, now + HOUR, WatchScope(None, now))).damaged == 0
    found = wait(store.run(site_models.load, ExtractionBaseline, names))
    assert found.damaged == frozenset()
    assert [len(found.by_site[name].latest) for name in names] == [1, 2]


def test_a_damaged_sample_is_left_out_logged_and_counted(store, now, caplog):
    page = PageSample(now, characters=900)
    wait(store.run(append, [("a", page), ("b", page)]))
    wait(store.run(spoil, "a"))
    assert wait(store.run(samples.pending, "a")).damaged == 1
    taken = wait(store.run(samples.take, 10))
    assert (taken.by_site["b"], taken.number, taken.damaged) == ([page], 2, 1)
    assert "a page sample of a is damaged and left out" in caplog.text
    assert wait(store.run(samples.take, 10)).number == 0


def spoil(connection, site):
    rows = tables.page_samples
    connection.execute(rows.update().where(rows.c.site == site).values(sample="no json"))


def test_hints_that_match_nothing_any_more_open_an_alarm_that_a_match_closes(store, now):
    def look(number, **hints):
        at = now + number * HOUR
        wait(store.run(append, [("harbour", PageSample(at, characters=3000, **hints))]))
        return wait(store.run(check, at, WatchScope("")))

    idle = [look(number, hints_matched=("title h1",), hints_idle=("drop .box",)) for number in range(30)]
    (opened,) = idle[-1].opened
    assert not any(changes.opened for changes in idle[:-1])
    assert (opened.site, opened.kind, opened.severity) == ("harbour", "hints", "warning")
    assert opened.message.startswith("1 hint matches nothing any more: 'drop .box'")
    assert opened.details == {"hints": ["drop .box"]}
    assert look(30, hints_matched=("title h1", "drop .box")).closed[0].kind == "hints"
