"""The stored position of an ingest is that of its stored pages."""

from __future__ import annotations

from datetime import timedelta

from newscrawl.storage.captures import ingests
from newscrawl.storage.captures.ingests import InputProgress


def test_pages_and_how_far_they_reach_are_stored_together_and_the_first_sight_is_the_earliest(store, page, now):
    first, older = page("https://a.example/1", "one"), page("https://b.example/1", "one", fetched_at=now - timedelta(9))
    (outcome,) = store.save_parts([first], [InputProgress("input", 0, 70, 2)], now).result()
    assert outcome.kind == "inserted"
    (outcome,) = store.save_parts([older], [InputProgress("input", 0, 90, 0)], now).result()
    assert outcome.kind == "joined"
    assert store.run(ingests.done, "input").result() == {0: InputProgress("input", 0, 90, 0)}
    with store.reading() as connection:
        first_seen = connection.exec_driver_sql("SELECT first_seen FROM articles").scalar_one()
    assert str(first_seen).startswith(f"{now - timedelta(9):%Y-%m-%d}")


def test_a_bad_page_becomes_a_dead_letter_and_the_part_is_done_all_the_same(store, page, now):
    bad = page("https://a.example/2", "two", content_hash=None)
    outcomes = store.save_parts(
        [bad, page("https://a.example/3", "three")], [InputProgress("input", 5, 9, 0)], now
    ).result()
    assert [one.kind for one in outcomes] == ["dead_letter", "inserted"]
    store.run(ingests.forget, "input").result()
    assert store.run(ingests.done, "input").result() == {}
