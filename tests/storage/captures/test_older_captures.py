"""Archives have captures in any order: only their times decide what a page shows, and its history. Epochs of
boilerplate are numbered, never changed, and the same for every reader."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from effort import examples
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from memory_database import empty_tables
from patience import PATIENCE
from sqlalchemy import select

from newscrawl import reports
from newscrawl.extraction.site_boilerplate import SiteBoilerplate
from newscrawl.storage.articles.apply import save_batch
from newscrawl.storage.articles.deciding.known import Incoming, Occasion
from newscrawl.storage.monitoring import site_models
from newscrawl.storage.records import no_further_visit
from newscrawl.storage.store import Store
from newscrawl.storage.tables.articles import articles, pages, versions

CRAWLED = Occasion("crawled", no_further_visit)
URL = "https://harbour.example/a"
OTHER = "https://harbour.example/b"


def capture(page, now, hour, text, url=URL):
    when = {"fetched_at": now + timedelta(hours=hour)}
    if text == "failed":
        return page(url, **when)
    if text == "short":
        return page(url, "More soon.", verdict="short", title=f"at {hour}", **when)
    return page(url, text, title=f"at {hour}", **when)


def stored(captures, size=1):
    """What stays of the captures; short texts are not compared but where they are what a page shows."""
    with empty_tables() as connection:
        for start in range(0, len(captures), size):
            save_batch(connection, [Incoming.of(one) for one in captures[start : start + size]], CRAWLED)
        texts = {row.id: row.text for row in connection.execute(select(articles))}
        keys = {row.id: row.url for row in connection.execute(select(pages))}
        return {
            "pages": {
                (row.url, texts.get(row.article_id), row.verdict, row.state, row.first_seen, row.last_fetched)
                for row in connection.execute(select(pages))
            },
            "versions": {
                (keys[row.page_id], texts[row.article_id], row.title, row.seen_at, row.last_seen, row.change_class)
                for row in connection.execute(select(versions))
                if row.verdict != "short"
            },
            "exported": {(one.title, one.text) for one in reports.articles(connection)},
        }


captures = st.lists(
    st.tuples(st.sampled_from([URL, URL, OTHER]), st.sampled_from(["one", "two", "three", "short", "failed"])),
    min_size=2,
    max_size=7,
)


@settings(
    max_examples=examples(30),
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(captures, st.randoms(use_true_random=False), st.sampled_from([1, 3, 50]))
def test_the_order_in_which_captures_arrive_does_not_matter(page, now, drawn, chance, size):
    in_order = [capture(page, now, hour, text, url) for hour, (url, text) in enumerate(drawn)]
    shuffled = list(in_order)
    chance.shuffle(shuffled)
    expected, found = stored(in_order), stored(shuffled, size)
    assert found["exported"] == expected["exported"]
    assert found["pages"] == expected["pages"]
    assert found["versions"] == expected["versions"]


NOW = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)


def epoch(number: int, lines: int = 3) -> SiteBoilerplate:
    return SiteBoilerplate.of(number, 20, {line: 5 + line for line in range(lines)})


def add(store: Store, site: str, learned: SiteBoilerplate, at: datetime = NOW) -> bool:
    return store.run(site_models.add_boilerplate, site, learned, at).result(PATIENCE)


def test_the_newest_epoch_is_current_and_a_number_is_given_once(store: Store) -> None:
    assert add(store, "town", epoch(1))
    assert not add(store, "town", epoch(1, lines=9))
    assert not add(store, "town", epoch(3))
    assert add(store, "town", epoch(2, lines=4))
    with store.reading() as connection:
        assert site_models.boilerplate(connection, "town") == epoch(2, lines=4)
        assert site_models.all_boilerplate(connection) == {"town": epoch(2, lines=4)}
        assert site_models.boilerplate_epoch(connection, "town", 1) == epoch(1)
        assert site_models.boilerplate(connection, "valley") == SiteBoilerplate()


def test_old_epochs_are_evicted_first_and_numbers_go_on(store: Store) -> None:
    for number in (1, 2):
        add(store, "town", epoch(number), NOW + timedelta(hours=number))
    add(store, "valley", epoch(1), NOW)
    size = len(epoch(1).lines)
    assert store.run(site_models.evict_boilerplate, NOW, 2 * size).result(PATIENCE) == 1
    with store.reading() as connection:
        assert site_models.all_boilerplate(connection) == {"town": epoch(2), "valley": epoch(1)}
    assert store.run(site_models.evict_boilerplate, NOW, size).result(PATIENCE) == 1
    with store.reading() as connection:
        assert site_models.all_boilerplate(connection) == {"town": epoch(2), "valley": SiteBoilerplate(2)}
