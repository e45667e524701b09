"""Epochs are numbered, never changed, and the same for every reader."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from patience import PATIENCE

from newscrawl.extraction.site_boilerplate import SiteBoilerplate
from newscrawl.storage.monitoring import site_models
from newscrawl.storage.store import Store

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
