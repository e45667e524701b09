"""The upgrade of a database of an earlier release keeps its content."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import schema
import sqlalchemy as sa
from alembic import command
from patience import PATIENCE

from newscrawl.edit_signals import NotedEntry
from newscrawl.errors import StorageError
from newscrawl.feed.webhook import address_id, default_consumer
from newscrawl.identity import url_key
from newscrawl.identity.signature import signature
from newscrawl.model import Candidate, Discovery
from newscrawl.scheduling.announced_edits import earlier_visits
from newscrawl.storage import SourceAnswer, migrations, open_store
from newscrawl.storage.captures import ingests
from newscrawl.storage.duplicates import containment_links, lsh_index, pending, story_members
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write
from newscrawl.storage.engine.types import UtcDateTime
from newscrawl.storage.feed import changes, cursors
from newscrawl.storage.frontier import pages, sightings, site_days, sources


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def first_release(request, tmp_path):
    """A database of revision 0001."""
    is_sqlite = request.param == "sqlite"
    url = f"sqlite:///{tmp_path / 'old.db'}" if is_sqlite else request.getfixturevalue("empty_postgresql")
    if is_sqlite:
        (tmp_path / "old.db").write_bytes(schema.of_revision("0001"))
        return url
    with begin_write(make_engine(parse_url(url), foreign_keys=False, pooled=False)) as connection:
        config = migrations._config()
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    return url


SITE = "https://harbour.example"


def fill(url, now):
    """A page that was found, one that shows an article, and a source, a host and a run as 0001 knew them."""
    page = {"site": "harbour", "first_seen": now, "failures": 0}
    counts = {"failures": 0, "answers": 3, "named": 30, "new": 5, "unusable": 0}
    article = {"identity_key": "i", "content_hash": "h", "text": "words", "extractor": "classic", "first_seen": now}
    feed = {"url_key": url_key(f"{SITE}/feed"), "url": f"{SITE}/feed", "kind": "feed", "etag": "v1"}
    with begin_write(make_engine(parse_url(url), pooled=False)) as connection:
        connection.execute(table("articles", id=101, **article))
        shown = {"state": "fetched", "article_id": 101, "next_due": now}
        connection.execute(table("pages", url_key=url_key(f"{SITE}/a"), url=f"{SITE}/a", state="found", **page))
        connection.execute(table("pages", url_key=url_key(f"{SITE}/b"), url=f"{SITE}/b", **shown, **page))
        connection.execute(table("sources", site="harbour", last_fetched=now, **feed, **counts))
        connection.execute(table("hosts", key="domain:harbour.example", delay=4.0, failures=2, requests_today=0))
        connection.execute(table("runs", site="harbour", started=now))


def table(name, **values):
    """An INSERT that knows nothing of today's schema."""
    columns = [sa.column(key, UtcDateTime() if isinstance(value, datetime) else None) for key, value in values.items()]
    return sa.table(name, *columns).insert().values(values)


def test_a_database_of_the_first_release_keeps_what_it_holds(first_release, now):
    fill(first_release, now)
    with open_store(first_release, upgrade=True) as store:
        due = store.run(pages.due, "harbour", now, 10).result(timeout=PATIENCE)
        (source,) = store.run(sources.load_site, "harbour").result(timeout=PATIENCE)
        assert migrations.current_revision(first_release) == migrations.head()
    assert [page.url for page in due] == ["https://harbour.example/a", "https://harbour.example/b"]
    assert (source.etag, source.answers, source.new, source.validator_mismatches) == ("v1", 3, 5, 0)


def test_the_sources_of_the_first_release_are_due_at_once(first_release, now):
    fill(first_release, now)
    with open_store(first_release, upgrade=True) as store:
        (source,) = store.run(sources.due, now).result(timeout=PATIENCE)
        answer = SourceAnswer("harbour", source.url, "feed", 200, now, etag='"v2"')
        store.run(sources.record_answer, answer, [], now).result(timeout=PATIENCE)
        (after,) = store.run(sources.load_site, "harbour").result(timeout=PATIENCE)
    assert after.next_due is not None
    assert after.next_due > now
    assert after.answers == 4


def test_marks_of_webhooks_become_hashes_and_nothing_is_sent_again(first_release, now):
    upgrade_to(first_release, "0008")
    slow = {"seq": 5, "updated": now}
    fast = {"seq": 9, "updated": now}
    old = "https://hooks.example/services/T1"
    with begin_write(make_engine(parse_url(first_release), pooled=False)) as connection:
        rows = [
            ("webhook:https://plain.example/hook?key=a", "https://plain.example/hook?key=a", fast),
            ("mine", f"https://ann:secret@hooks.example/services/T1?token=b{'c' * 300}"[:200], fast),
            (f"webhook:{old}?token=first", f"{old}?token=first", fast),
            (f"webhook:{old}?token=second", f"{old}?token=second", slow),
            ("webhook:http://127.0.0.1:9/" + "p" * 173, ("http://127.0.0.1:9/" + "p" * 300)[:200], slow),
            ("jsonl:changes.jsonl", "8-15", slow),
        ]
        for consumer, index_id, read in rows:
            connection.execute(table("cursors", consumer=consumer, index_id=index_id, **read))
    long = "http://127.0.0.1:9/" + "p" * 300
    with open_store(first_release, upgrade=True) as store:
        known = {one.consumer: one for one in store.run(cursors.everybody).result(timeout=PATIENCE)}
    assert {(name, one.index_id, one.seq) for name, one in known.items()} == {
        (default_consumer("https://plain.example/hook?key=z"), address_id("https://plain.example/hook"), 9),
        ("mine", address_id(f"{old}?token=new"), 9),
        (default_consumer(old), address_id(old), 5),
        (default_consumer(long), address_id(long), 5),
        ("jsonl:changes.jsonl", "8-15", 5),
    }


def upgrade_to(url, revision):
    with begin_write(make_engine(parse_url(url), foreign_keys=False, pooled=False)) as connection:
        config = migrations._config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def test_spans_that_were_ingested_before_count_as_whole(first_release, now):
    with begin_write(make_engine(parse_url(first_release), foreign_keys=False, pooled=False)) as connection:
        config = migrations._config()
        config.attributes["connection"] = connection
        command.upgrade(config, "0008")
        connection.execute(table("ingests", input_key="file", origin=0, reached=9, number=0, updated=now))
    with open_store(first_release, upgrade=True) as store:
        marks = store.run(ingests.done, "file").result(timeout=PATIENCE)
    assert marks == {0: ingests.InputProgress("file", 0, 9, 0, broken=0, future=0, file_mtime_ns=None)}


def test_what_sources_said_before_is_kept_and_their_next_reading_announces_nothing(first_release, now):
    """A database of revision 0008 knows who named what, and not what they said last."""
    with begin_write(make_engine(parse_url(first_release), foreign_keys=False, pooled=False)) as connection:
        config = migrations._config()
        config.attributes["connection"] = connection
        command.upgrade(config, "0008")
    fill(first_release, now)
    sighting = {"url_key": url_key(f"{SITE}/b"), "at": now, "title": "Old", "published": now}
    with begin_write(make_engine(parse_url(first_release), pooled=False)) as connection:
        source_id = connection.execute(sa.text("SELECT id FROM sources")).scalar_one()
        connection.execute(table("sightings", source_id=source_id, **sighting))
        connection.execute(
            sa.text("UPDATE pages SET last_fetched = :at WHERE state = 'fetched'").bindparams(
                sa.bindparam("at", now, UtcDateTime())
            )
        )
    later = now + timedelta(hours=1)
    with open_store(first_release, upgrade=True) as store:
        named = [Candidate(f"{SITE}/b", Discovery("feed", f"{SITE}/feed", "New", later))]
        answer = SourceAnswer("harbour", f"{SITE}/feed", "feed", 200, later)
        told = {"bring_forward": earlier_visits}
        store.run(sources.record_answer, answer, named, later, **told).result(timeout=PATIENCE)
        (seen,) = store.run(sightings.load_urls, [url_key(f"{SITE}/b")]).result(timeout=PATIENCE)
        noted = store.run(sightings.noted, source_id, [url_key(f"{SITE}/b")]).result(timeout=PATIENCE)
    assert (seen.title, seen.published) == ("Old", now)
    assert noted[url_key(f"{SITE}/b")] == NotedEntry("New", later, listed=True)


def test_the_articles_of_the_last_weeks_are_counted_by_day(first_release):
    """A large site must not be taken for a new one, which may ask for less."""
    seen = datetime.now(UTC) - timedelta(days=3)
    fill(first_release, seen)
    with open_store(first_release, upgrade=True) as store:
        (day,) = store.run(site_days.load_site, "harbour").result(timeout=PATIENCE)
    assert (day.day, day.new_pages_requested, day.new_articles, day.limit_reached) == (seen.date(), 0, 1, None)


def test_the_glued_clusters_of_earlier_releases_are_decided_again(first_release, now):
    with begin_write(make_engine(parse_url(first_release), foreign_keys=False, pooled=False)) as connection:
        config = migrations._config()
        config.attributes["connection"] = connection
        command.upgrade(config, "0008")
    bodies = [" ".join(f"{name}{number}" for number in range(60)) for name in ("ferry", "council")]
    texts = [*bodies, " ".join(bodies), f"{bodies[0]} more"]
    with begin_write(make_engine(parse_url(first_release), pooled=False)) as connection:
        page = {"site": "harbour", "first_seen": now, "failures": 0, "state": "fetched"}
        for number, text in enumerate(texts, 1):
            seen = now + timedelta(minutes=number)
            article = {"identity_key": str(number), "content_hash": str(number), "text": text, "extractor": "classic"}
            connection.execute(table("articles", id=number, first_seen=seen, **article))
            address = f"{SITE}/{number}"
            connection.execute(table("pages", url_key=url_key(address), url=address, article_id=number, **page))
            one = signature(text)
            sketch = {
                "algorithm": one.algorithm,
                "shingles": one.shingles,
                "sketch": lsh_index.encode_sketch(one.sketch),
            }
            connection.execute(table("signatures", article_id=number, **sketch))
            lsh_index.add(connection, [(value, number) for value in one.sketch])
            tied = {"cluster_id": 1, "nearest_id": 3, "kind": "copy", "resemblance": 0.5, "containment": 1.0}
            connection.execute(table("cluster_members", article_id=number, **tied))
    with open_store(first_release, upgrade=True) as store:
        assert store.run(pending.count).result(timeout=PATIENCE) == 4
        assert len(store.run(story_members.members, 1).result(timeout=PATIENCE)) == 4
        while store.run(story_members.decide_again, now, 1).result(timeout=PATIENCE):
            pass
        found = store.run(story_members.by_article, range(5)).result(timeout=PATIENCE)
        told = store.run(changes.read, 0, 99).result(timeout=PATIENCE)
        contained = store.run(containment_links.by_article, [1, 2]).result(timeout=PATIENCE)
    assert {number: (one.cluster_id, one.representative_id) for number, one in found.items()} == {1: (1, 1), 4: (1, 1)}
    assert {(one.op, one.article_id, one.reason) for one in told} >= {("upsert", n, "parted") for n in (1, 2, 3, 4)}
    assert [set(contained[number].containers) for number in (1, 2)] == [{3}, {3}]


def test_the_former_operations_of_the_feed_become_upserts_with_a_reason(first_release, now):
    """What the other rows were about is not known: their reason is empty."""
    rows = [("upsert", None), ("version", None), ("merge", None), ("merge", "parted"), ("remove", None)]
    with begin_write(make_engine(parse_url(first_release), foreign_keys=False, pooled=False)) as connection:
        config = migrations._config()
        config.attributes["connection"] = connection
        command.upgrade(config, "0018")
        for number, (op, reason) in enumerate(rows, 1):
            connection.execute(table("changes", article_id=number, op=op, at=now, reason=reason))
    with open_store(first_release, upgrade=True) as store:
        told = store.run(changes.read, 0, 99).result(timeout=PATIENCE)
    assert [(one.op, one.reason) for one in told] == [
        ("upsert", None),
        ("upsert", "corrected"),
        ("upsert", "joined"),
        ("upsert", "parted"),
        ("remove", None),
    ]


def test_an_upgrade_ends_at_an_error_that_a_library_would_pass_over(tmp_path, now):
    """SQLAlchemy asks once more without temporary tables; SQLite may have rolled the transaction back by then."""
    url = f"sqlite:///{tmp_path / 'old.db'}"
    with begin_write(make_engine(parse_url(url), foreign_keys=False, pooled=False)) as connection:
        config = migrations._config()
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")

    def refuse(connection, cursor, statement, parameters, *_):
        asks_both = "UNION ALL" in statement and "sqlite_temp_master" in statement
        return ("SELECT ? FROM no_such_table" if asks_both else statement), parameters

    sa.event.listen(sa.Engine, "before_cursor_execute", refuse, retval=True)
    try:
        with pytest.raises(StorageError, match="cannot upgrade database"):
            migrations.upgrade(url)
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", refuse)
    assert migrations.current_revision(url) == "0001"
    migrations.upgrade(url)
    assert migrations.current_revision(url) == migrations.head()
