"""Bringing a database of an earlier release up to date, with what it holds."""

from __future__ import annotations

from datetime import datetime

import pytest
import sqlalchemy as sa
from alembic import command
from patience import PATIENCE

from newscrawl.identity import url_key
from newscrawl.storage import SourceAnswer, migrations, open_store, pages, sources
from newscrawl.storage.database import begin_write, make_engine, parse_url
from newscrawl.storage.types import UtcDateTime


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def first_release(request, tmp_path):
    """A database of revision 0001."""
    is_sqlite = request.param == "sqlite"
    url = f"sqlite:///{tmp_path / 'old.db'}" if is_sqlite else request.getfixturevalue("empty_postgresql")
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
        (source,) = store.run(sources.of_site, "harbour").result(timeout=PATIENCE)
        assert migrations.current_revision(first_release) == migrations.head()
    assert [page.url for page in due] == ["https://harbour.example/a", "https://harbour.example/b"]
    assert (source.etag, source.answers, source.new, source.lies) == ("v1", 3, 5, 0)


def test_the_sources_of_the_first_release_are_due_at_once(first_release, now):
    fill(first_release, now)
    with open_store(first_release, upgrade=True) as store:
        (source,) = store.run(sources.due, now).result(timeout=PATIENCE)
        answer = SourceAnswer("harbour", source.url, "feed", 200, now, etag='"v2"')
        store.run(sources.record_answer, answer, [], now).result(timeout=PATIENCE)
        (after,) = store.run(sources.of_site, "harbour").result(timeout=PATIENCE)
    assert after.next_due is not None
    assert after.next_due > now
    assert after.answers == 4
