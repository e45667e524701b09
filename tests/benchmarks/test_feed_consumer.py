"""The consumer of the benchmark, written from the reference, ends with the stories of the database."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from effort import examples
from json_schema import problems
from sqlalchemy import Connection

from benchmarks.feed_consumer import follow
from newscrawl.cli.feed import filter_of
from newscrawl.publishing.feed.reader import FeedFilter
from newscrawl.publishing.feed.sink import change_schema
from newscrawl.storage import migrations
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write

SCHEMA = json.loads(change_schema())


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    """A transaction on a database of this schema."""
    url = f"sqlite:///{tmp_path / 'news.db'}"
    migrations.upgrade(url)
    engine = make_engine(parse_url(url))
    with begin_write(engine) as opened:
        yield opened
    engine.dispose()


@pytest.mark.parametrize("seed", range(2))
def test_a_consumer_ends_with_the_stories_of_the_database_whatever_is_killed_and_repeated(
    connection: Connection, seed: int
) -> None:
    wrong: list[str] = []
    run = follow(
        connection, seed, examples(400, at_least=200), check=lambda change: wrong.extend(problems(change, SCHEMA))
    )
    assert run.wrong == []
    assert wrong == []
    assert run.kills > 3
    assert run.restarts > 0
    assert {told.split()[1] for told in run.consumer.reasons} >= {"new", "corrected", "superseded", "gone", "joined"}


@pytest.mark.parametrize(
    "wanted",
    [FeedFilter(sites=("site1", "site2")), FeedFilter(languages=("de",)), filter_of((), (), (), '"title 1" -council3')],
    ids=["sites", "language", "query"],
)
def test_a_consumer_with_a_filter_has_the_articles_that_match(connection: Connection, wanted: FeedFilter) -> None:
    run = follow(connection, 7, examples(250, at_least=100), wanted)
    assert run.wrong == []
    assert run.consumer.articles
