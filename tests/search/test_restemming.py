"""An index without stems, or with those of other stemmers, stays in use while its entries are made again in steps."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from functools import partial

import pytest
from sqlalchemy import text

from newscrawl.crawling.upkeep.database_upkeep import Upkeep
from newscrawl.search import Filters, open_index, parse_query, update_index
from newscrawl.search.index.protocol import Index
from newscrawl.search.index.read_only import has_index, old_entries, search_read_only
from newscrawl.search.index.restemming import restem_step, restem_steps
from newscrawl.storage import Store, open_reader
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.removal.retention import RetentionLimits

Save = Callable[..., int]
TEXT = "Two ferries sailed to the harbour on day"


def filled(save: Save, count: int) -> list[int]:
    """Ids of articles, the newest last."""
    return [save(f"https://paper.example/{number}", f"{TEXT} {number}.") for number in range(count)]


def found(index: Index, typed: str) -> list[int]:
    """Ids of the articles that match."""
    return sorted(match.article_id for match in index.matches(parse_query(typed), Filters(), 100))


def as_of_another_version(url: str, *, without_stems: bool) -> None:
    """Changes the index as an older newscrawl, or an older PyStemmer, has left it."""
    parsed = parse_url(url)
    schema = "" if parsed.get_backend_name() == "sqlite" else "newscrawl_search."
    target = parse_url(f"{url}-search") if not schema else parsed
    engine = make_engine(target, pooled=False)
    with engine.begin() as connection:
        if without_stems:
            for column in ("forms", "old_upto"):
                connection.execute(text(f"ALTER TABLE {schema}state DROP COLUMN {column}"))
            connection.execute(text(f"UPDATE {schema}state SET version = 4"))
        else:
            connection.execute(text(f"UPDATE {schema}state SET forms = 'snowball 2.0'"))
        if schema:
            connection.execute(text("UPDATE newscrawl_search.documents SET words = to_tsvector('simple', 'ferries')"))
        else:
            connection.execute(text("UPDATE texts SET title = '', text = 'ferries'"))
    engine.dispose()


@pytest.mark.parametrize("without_stems", [True, False])
def test_an_old_index_is_used_and_converted_the_newest_first(
    database: str, store: Store, save: Save, *, without_stems: bool
) -> None:
    ids = filled(save, 5)
    reading = partial(open_reader, database)
    with closing(open_index(database)) as index:
        update_index(index, reading)
        assert index.old_count() == 0
    as_of_another_version(database, without_stems=without_stems)
    with reading() as connection:
        seen = search_read_only(database, connection, parse_query('"ferries"'), Filters(), 10)
    assert seen is not None
    assert (len(seen.hits), seen.behind) == (5, 0)
    assert seen.old == (5 if without_stems else 0)  # a reader does not compare stemmers
    with closing(open_index(database)) as index:
        assert (found(index, "ferries"), found(index, "ferry")) == (ids, [])
        assert index.old_count() == old_entries(database) == 5
        assert restem_step(index, reading, 2) == 2
        assert found(index, "ferry") == ids[3:]
        newest = save("https://paper.example/new", f"{TEXT} nine.")
        update_index(index, reading)
        assert found(index, "ferry") == [*ids[3:], newest]
        assert [restem_step(index, reading, 2) for _ in range(3)] == [2, 1, 0]
        assert found(index, "ferry") == [*ids, newest]
        assert index.old_count() == old_entries(database) == 0


class Killed(BaseException):
    """Stands for the end of the process."""


def test_a_step_that_is_killed_is_done_again(
    database: str, store: Store, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = filled(save, 4)
    reading = partial(open_reader, database)
    with closing(open_index(database)) as index:
        update_index(index, reading)
    as_of_another_version(database, without_stems=True)

    def kill(_name: str) -> None:
        raise Killed

    with closing(open_index(database)) as index:
        restem_step(index, reading, 1)
        with monkeypatch.context() as patched:
            patched.setattr("newscrawl.search.index.restemming.hit", kill)
            with pytest.raises(Killed):
                restem_step(index, reading, 2)
        assert (index.old_count(), found(index, "ferry")) == (3, ids[3:])
    assert list(restem_steps(database, reading)) == [(3, 3)]
    with closing(open_index(database)) as index:
        assert found(index, "ferry") == ids
    assert list(restem_steps(database, reading)) == []


def test_upkeep_converts_an_index_and_makes_none(database: str, store: Store, save: Save) -> None:

    ids = filled(save, 3)
    upkeep = Upkeep(RetentionLimits(), None, datetime.now(UTC), search_url=database)
    assert upkeep.look(store.reading)["entries"] == upkeep.work(store)["entries"] == 0
    assert not has_index(database)
    with closing(open_index(database)) as index:
        update_index(index, partial(open_reader, database))
    as_of_another_version(database, without_stems=True)
    told: list[tuple[str, int, int]] = []
    upkeep = Upkeep(RetentionLimits(), None, datetime.now(UTC), lambda *step: told.append(step), search_url=database)
    assert upkeep.look(store.reading)["entries"] == 3
    assert upkeep.work(store)["entries"] == 3
    assert ("entries of the search index", 3, 3) in told
    with closing(open_index(database)) as index:
        assert found(index, "ferry") == ids
