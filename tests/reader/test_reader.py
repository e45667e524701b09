"""`newscrawl.open` on both databases: what a program reads is what the commands show, and nothing is written."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from made_pages import NOW, made_page
from patience import PATIENCE

import newscrawl
from newscrawl.cli.main import main
from newscrawl.errors import InvalidUrl, MissingDatabase, SchemaError, StorageError, UsageError
from newscrawl.model import Failure, PublishedDate
from newscrawl.model.identity.signature import signature
from newscrawl.model.jsonable import to_text, view
from newscrawl.reports.views import EXPORT_KEYS
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.store import Store, open_store

HOUR = timedelta(hours=1)
FERRY = "The council of the harbour town met on Tuesday evening and spoke for hours about the new ferry."
WHALE = " ".join(f"Sentence number {n} of the story tells of the whale, and of bridge {n * 7}." for n in range(40))
FIRST, COPY, NEWER = "https://harbour.example/whale", "https://valley.example/whale", "https://harbour.example/ferry"
Save = Callable[..., int | None]
ReadOnly = tuple[str, dict[str, int | None]]


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, upgrade=False, max_wait=0.01) as opened:
        yield opened


@pytest.fixture(name="save")
def _save(store: Store) -> Save:
    return saves(store)


def saves(store: Store) -> Save:
    """Returns `save(url, text, site=..., title=...)`, which stores a page; `text` None stores a failure."""

    def save(url: str, text: str | None, **changes: Any) -> int | None:
        if text is None:
            page = made_page(url, failure=Failure("http/503", "no answer"))
        else:
            page = made_page(url, text, **{"signature": signature(text), "language": "en"} | changes)
        return store.save(page).result(PATIENCE).article_id

    return save


@pytest.fixture
def filled(save: Save) -> dict[str, int | None]:
    return fill(save)


@pytest.fixture(scope="module")
def read_only(shared_database: str) -> ReadOnly:
    """A database filled so, for tests that only read it, and the ids of its articles."""
    with open_store(shared_database, upgrade=False, max_wait=0.01) as store:
        return shared_database, fill(saves(store))


def fill(save: Save) -> dict[str, int | None]:
    """Stores a story on two sites, and a page that was corrected. Returns the ids of the articles."""
    published = PublishedDate(NOW - 30 * HOUR, "meta", "minute")
    ids = {
        "whale": save(FIRST, WHALE, title="A whale", authors=("A. Writer",), published=published),
        "copy": save(COPY, f"{WHALE} So says the valley.", site="valley", fetched_at=NOW + HOUR, language="en-GB"),
        "ferry": save(NEWER, FERRY, title="The ferry"),
    }
    ids["corrected"] = save(NEWER, FERRY.replace("Tuesday", "Monday"), title="The ferry", fetched_at=NOW + 2 * HOUR)
    return ids


def test_articles_are_those_of_the_export(read_only: ReadOnly) -> None:
    database, filled = read_only
    exported = CliRunner().invoke(main, ["export", "--database", database])
    assert exported.exit_code == 0, exported.output
    with newscrawl.open(database) as db:
        found = list(db.articles())
    rows = [json.loads(to_text(view(one, EXPORT_KEYS))) for one in found]
    assert rows == [json.loads(line) for line in exported.stdout.splitlines()]
    assert [one.id for one in found] == sorted(number for name, number in filled.items() if name != "ferry" and number)
    with pytest.raises(FrozenInstanceError):
        found[0].title = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        ({"site": "valley"}, ["copy"]),
        ({"language": "EN"}, ["whale", "copy", "corrected"]),
        ({"language": "en-gb"}, ["copy"]),
        ({"language": "de"}, []),
        ({"verdict": "article"}, ["whale", "copy", "corrected"]),
        ({"verdict": "live"}, []),
        ({"day": date(2026, 11, 20)}, ["whale"]),
        ({"day": date(2026, 11, 21)}, ["copy", "corrected"]),
        ({"day": date.max}, []),
        ({"since": date(2026, 11, 21)}, ["copy", "corrected"]),
        ({"until": date(2026, 11, 21)}, ["whale"]),
        ({"since": NOW + 2 * HOUR}, ["corrected"]),
        ({"since": NOW, "until": NOW + 2 * HOUR}, ["copy"]),
        ({"site": "harbour", "since": date(2026, 11, 21)}, ["corrected"]),
    ],
)
def test_articles_by_site_time_language_and_verdict(
    read_only: ReadOnly, chosen: dict[str, Any], found: list[str]
) -> None:
    database, filled = read_only
    with newscrawl.open(database) as db:
        assert [one.id for one in db.articles(**chosen)] == [filled[name] for name in found]


def test_the_day_that_readers_saw(database: str, save: Save) -> None:
    published = PublishedDate(datetime(2022, 5, 4, 1, 10, tzinfo=UTC), "meta", "second", offset=-180)
    save("https://rio.example/a", FERRY, site="rio", published=published)
    runner = CliRunner()
    with newscrawl.open(database) as db:
        for day, by_local_day, number in (
            (date(2022, 5, 3), True, 1),
            (date(2022, 5, 3), False, 0),
            (date(2022, 5, 4), True, 0),
            (date(2022, 5, 4), False, 1),
        ):
            assert len(list(db.articles(day=day, by_local_day=by_local_day))) == number
            by = ["--database", database, "--by", "local-day" if by_local_day else "utc-day"]
            span = ["--since", str(day), "--until", str(day + timedelta(days=1))]
            assert len(runner.invoke(main, ["export", *by, *span]).stdout.splitlines()) == number
            hits = db.search("ferry", since=day, by_local_day=by_local_day)
            assert len(hits) == (day.day == 3 or not by_local_day)
            lines = runner.invoke(main, ["search", *by, "--since", str(day), "ferry"]).stdout
            assert ("2022-05-03," if by_local_day else "2022-05-04,") in lines or not hits
        (article,) = db.articles()
        assert (article.published, article.published_offset) == (published.when, -180)
        assert hits[0].published_offset == -180
        story = db.story(article.id)
        assert story is not None
        assert story.members[0].pages[0].published_offset == -180


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"site": "harbor"}, "is harbour meant"),
        ({"day": NOW}, "is a time"),
        ({"day": NOW.date(), "since": NOW}, "either day"),
        ({"since": NOW.replace(tzinfo=None)}, "no time zone"),
        ({"since": "2026-11-21"}, "neither a date nor a time"),
        ({"since": NOW, "until": NOW}, "give a later end"),
        ({"verdict": "foo"}, "no verdict 'foo': give one of article, live"),
        ({"language": "german"}, "no language 'german': give a code"),
    ],
)
def test_what_cannot_be_meant_is_refused_at_once(read_only: ReadOnly, chosen: dict[str, Any], message: str) -> None:
    with newscrawl.open(read_only[0]) as db, pytest.raises(UsageError, match=message):
        db.articles(**chosen)


def test_one_article_by_its_id(read_only: ReadOnly) -> None:
    database, filled = read_only
    with newscrawl.open(database) as db:
        found = db.article(filled["whale"] or 0)
        assert found is not None
        assert (found.url, found.title, found.published) == (FIRST, "A whale", NOW - 30 * HOUR)
        assert [db.article(number) for number in (filled["ferry"] or 0, 0, -1, 999, 1 << 70)] == [None] * 5
        with pytest.raises(UsageError, match="an id is a number"):
            db.article("1")  # type: ignore[arg-type]


def test_a_page_with_its_state_and_article(database: str, filled: dict[str, int | None], save: Save) -> None:
    save("https://harbour.example/away", None)
    with newscrawl.open(database) as db:
        page = db.page(NEWER.upper().replace("/FERRY", "/ferry"))
        assert page is not None
        assert page.article is not None
        assert (page.url, page.state, page.article.id) == (NEWER, "fetched", filled["corrected"])
        away = db.page("https://harbour.example/away")
        assert away is not None
        assert (away.state, away.failure, away.article) == ("failed", "http/503", None)
        assert db.page("https://harbour.example/unknown") is None
        with pytest.raises(InvalidUrl):
            db.page("no address")


def test_the_history_has_every_version_with_its_kind_and_dates(read_only: ReadOnly) -> None:
    database, filled = read_only
    with newscrawl.open(database) as db:
        past = db.history(NEWER)
        assert db.history("https://harbour.example/unknown") is None
    assert past is not None
    assert [(version.article_id, version.change_class, version.seen_at) for version in past.versions] == [
        (filled["ferry"], "first", NOW),
        (filled["corrected"], "correction", NOW + 2 * HOUR),
    ]
    assert "{+Monday+}" in past.versions[1].diff[0]
    assert past.versions[0].published is None
    hash(past.versions[1])  # no list is in it


def test_a_story_has_its_members_in_order_and_what_contains_them(
    database: str, filled: dict[str, int | None], save: Save
) -> None:
    rest = " ".join(f"Report {n} is about roof {n * 13} and road {n * 11}." for n in range(60))
    round_up = save("https://valley.example/week", f"{WHALE} {rest}", site="valley", fetched_at=NOW + 5 * HOUR)
    with newscrawl.open(database) as db:
        story = db.story(filled["whale"] or 0)
        assert story is not None
        assert db.story(filled["copy"] or 0) == story
        assert db.story(12345) is None
        alone = db.story(filled["corrected"] or 0)
    assert (story.id, story.representative_id, story.first_seen) == (filled["whale"], filled["whale"], NOW)
    assert [(one.article_id, one.url, one.site, one.first_seen) for one in story.members] == [
        (filled["whale"], FIRST, "harbour", NOW),
        (filled["copy"], COPY, "valley", NOW + HOUR),
    ]
    assert story.members[1].resemblance > 0.8
    assert [page.title for page in story.members[0].pages] == ["A whale"]
    assert [(one.article_id, one.url) for one in story.contained_in] == [(round_up, "https://valley.example/week")]
    assert alone is not None
    assert ([one.article_id for one in alone.members], alone.rule) == ([filled["corrected"]], "only")
    hash(story)


def test_search_gives_what_the_command_gives(read_only: ReadOnly) -> None:
    database, _ = read_only
    for words, options, chosen in (
        ("whale", [], {}),
        ('"new ferry" -tuesday', [], {}),
        ("whale", ["--site", "valley", "--limit", "1"], {"site": "valley", "limit": 1}),
        ("ferry", ["--since", "2026-11-22"], {"since": date(2026, 11, 22)}),
    ):
        shown = CliRunner().invoke(main, ["search", "--database", database, "--json", *options, "--", words])
        with newscrawl.open(database) as db:
            hits = db.search(words, **chosen)  # type: ignore[arg-type]
        expected = [json.loads(line) for line in shown.stdout.splitlines()]
        assert [(hit.article_id, hit.url, hit.score, hit.snippet.text) for hit in hits] == [
            (row["article_id"], row["url"], row["score"], row["snippet"]) for row in expected
        ]
    with newscrawl.open(database) as db:
        assert len(db.search("whale")) == 1
        for wrong in ({"words": "-whale"}, {"words": "x", "limit": 0}, {"words": "x", "site": "none"}):
            with pytest.raises(UsageError):
                db.search(**wrong)  # type: ignore[arg-type]


def test_nothing_is_written_but_the_search_index(database: str, filled: dict[str, int | None], store: Store) -> None:
    store.flush()
    with newscrawl.open(database) as db:
        before = _contents(database)
        list(db.articles())
        db.article(1)
        db.page(FIRST)
        db.history(FIRST)
        db.story(1)
        assert db.search("whale")
        assert _contents(database) == before


def _contents(database: str) -> dict[str, list[Any]]:
    from stored_rows import metadata

    engine = make_engine(parse_url(database), pooled=False)
    with engine.connect() as connection:
        return {name: sorted(map(repr, connection.execute(table.select()))) for name, table in metadata.tables.items()}


def test_an_iterator_keeps_its_state_while_a_crawl_writes(
    database: str, filled: dict[str, int | None], save: Save
) -> None:
    with newscrawl.open(database) as db:
        found = db.articles()
        first = next(found)
        assert first.id == filled["whale"]
        new = save("https://harbour.example/new", f"{FERRY} Later more.")
        rest = [one.id for one in found]
        assert rest == [filled["copy"], filled["corrected"]]
        assert new in [one.id for one in db.articles()]


def test_a_closed_reader_reads_no_more(read_only: ReadOnly) -> None:
    database, _ = read_only
    with newscrawl.open(database) as db:
        found = db.articles()
        next(found)
    for reading in (db.sites, db.articles, lambda: db.article(1), lambda: db.search("whale"), lambda: next(found)):
        with pytest.raises(UsageError, match="the reader is closed"):
            reading()


def test_threads_may_use_one_reader(read_only: ReadOnly) -> None:
    database, filled = read_only
    results: list[object] = []

    def read(db: newscrawl.Reader) -> None:
        for _ in range(3):
            found = [one.id for one in db.articles()]
            results.append((found, db.history(NEWER), db.story(filled["copy"] or 0)))

    with newscrawl.open(database) as db:
        threads = [threading.Thread(target=read, args=(db,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
    assert len(results) == 12
    assert all(result == results[0] for result in results)


def test_an_address_without_a_database_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(MissingDatabase, match="no database at"):
        newscrawl.open(f"sqlite:///{tmp_path}/none.db")
    assert list(tmp_path.iterdir()) == []
    for wrong in ("news.db", "mysql://host/news", "sqlite://"):
        with pytest.raises(StorageError):
            newscrawl.open(wrong)
    with pytest.raises(UsageError, match="named by text"):
        newscrawl.open(tmp_path)  # type: ignore[arg-type]
    (tmp_path / "text.db").write_text("no database, although it has the name of one" * 100)
    with pytest.raises(StorageError, match="not a database"):
        newscrawl.open(f"sqlite:///{tmp_path}/text.db")
    with sqlite3.connect(tmp_path / "foreign.db") as connection:
        connection.execute("CREATE TABLE recipes (id INTEGER)")
    connection.close()
    with pytest.raises(SchemaError, match="tables of something else"):
        newscrawl.open(f"sqlite:///{tmp_path}/foreign.db")


@pytest.mark.parametrize(("revision", "message"), [("0041", "before the first release"), ("zzzz", "newer than this")])
def test_another_schema_is_refused_and_stays(database: str, revision: str, message: str) -> None:
    from sqlalchemy import text

    engine = make_engine(parse_url(database), pooled=False)
    with newscrawl.open(database) as db:
        with engine.begin() as connection:
            connection.execute(text(f"UPDATE alembic_version SET version_num = '{revision}'"))
        for reading in (db.sites, lambda: newscrawl.open(database)):
            with pytest.raises(SchemaError, match=message):
                reading()
    with engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == revision


def test_no_password_is_shown() -> None:
    shown = repr(newscrawl.Reader("postgresql://ann:secret@host/news"))
    assert "host/news" in shown
    assert "secret" not in shown


def test_memory_does_not_grow_with_the_number_of_articles(tmp_path: Path) -> None:
    import tracemalloc

    from newscrawl.storage import migrations

    migrations.upgrade(database := f"sqlite:///{tmp_path / 'many.db'}")

    def fill(numbers: range) -> None:
        rows = [(n, f"{n:064}", f"{n:064}", f"{n} {FERRY * 40}", "classic", "2026-11-21 12:00:00") for n in numbers]
        with sqlite3.connect(tmp_path / "many.db") as connection:
            insert = "INSERT INTO articles (id, identity_key, content_hash, text, extractor, first_seen)"
            connection.executemany(f"{insert} VALUES (?, ?, ?, ?, ?, ?)", rows)
            for n in numbers:
                connection.execute(
                    "INSERT INTO pages (id, url_key, url, site, state, first_seen, failures, article_id)"
                    " VALUES (?, ?, ?, 'harbour', 'fetched', '2026-11-21 12:00:00', 0, ?)",
                    (n, f"key{n}", f"https://harbour.example/{n}", n),
                )
                connection.execute(
                    "INSERT INTO versions (page_id, article_id, seen_at, last_seen, change_class, verdict, extractor)"
                    " VALUES (?, ?, '2026-11-21 12:00:00', '2026-11-21 12:00:00', 'first', 'article', 'classic')",
                    (n, n),
                )
        connection.close()

    def peak() -> int:
        tracemalloc.start()
        with newscrawl.open(database) as db:
            assert sum(1 for _ in db.articles(site="harbour", day=date(2026, 11, 21))) > 0
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    fill(range(1, 601))
    peak()  # loads what every run loads
    small = peak()
    fill(range(601, 2401))
    assert peak() < 1.3 * small + 500_000
