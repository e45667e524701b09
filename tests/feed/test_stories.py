"""A consumer that keeps a document for each story has the stories of the database after any changes of stories."""

from __future__ import annotations

import random
from collections import defaultdict
from datetime import UTC, datetime, timedelta

import pytest
from effort import examples
from sqlalchemy import delete, update

from newscrawl.extraction.article.make import fingerprint
from newscrawl.model import Article, Metadata, ProcessedPage, RawPage
from newscrawl.publishing.feed import search_mapping
from newscrawl.publishing.feed.reader import changed_articles, entries
from newscrawl.reports import documents
from newscrawl.storage import migrations
from newscrawl.storage.articles.apply import save_batch
from newscrawl.storage.articles.deciding.known import Incoming, Occasion
from newscrawl.storage.duplicates.join import remove_unused
from newscrawl.storage.duplicates.story_pages import numbers_of
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write
from newscrawl.storage.feed import changes
from newscrawl.storage.records import no_further_visit
from newscrawl.storage.tables.articles import pages, versions

CRAWLED = Occasion("crawled", no_further_visit)
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture
def connection(tmp_path):
    """A transaction on a database of this schema."""
    url = f"sqlite:///{tmp_path / 'news.db'}"
    migrations.upgrade(url)
    engine = make_engine(parse_url(url))
    with begin_write(engine) as opened:
        yield opened
    engine.dispose()


class Documents:
    """What a search server's sink keeps: the articles of each document."""

    def __init__(self, connection):
        self.connection, self.seq, self.members = connection, 0, {}

    def catch_up(self):
        read = changes.read(self.connection, self.seq, 10_000)
        found = changed_articles(self.connection, read)
        told = entries(read, found, found.documents, None)
        for story in search_mapping.touched(self.connection, told, self._holding):
            self.members.pop(story.number, None)
            if story.article is not None:
                self.members[story.number] = set(story.members)
        self.seq = changes.newest(self.connection)

    def _holding(self, lost):
        held = defaultdict(list)
        for number, members in self.members.items():
            for article_id in members.intersection(lost):
                held[article_id].append(number)
        return held


def in_database(connection):
    found = defaultdict(set)
    for article in documents(connection, range(1, 100)).values():
        found[article.cluster].add(article.id)
    return dict(found)


def save(connection, number, words, minute):
    url, at = f"https://harbour.example/{number}", NOW + timedelta(minutes=minute)
    article = Article(url, "harbour", Metadata(title=f"Page {number}"), " ".join(words), "classic", "article")
    page = fingerprint(ProcessedPage(RawPage(url, url, 200, {}, None, at, "harbour", None), article))
    return save_batch(connection, [Incoming.of(page)], CRAWLED)[0].article_id


def take_away(connection, number, ids):
    ids.remove(number)
    connection.execute(delete(versions).where(versions.c.article_id == number))
    connection.execute(update(pages).where(pages.c.article_id == number).values(article_id=None))
    remove_unused(connection, [number], NOW, "forgotten")


@pytest.mark.parametrize("seed", range(4))
def test_documents_follow_stories_that_join_part_and_go(connection, seed):
    chance = random.Random(seed)
    blocks = [[f"{name}{number}" for number in range(40)] for name in ("ferry", "council", "whale", "bridge")]
    kept = Documents(connection)
    ids = []
    for number in range(examples(40, at_least=20)):
        words = [word for block in chance.choices(blocks, k=chance.randint(1, 3)) for word in block]
        ids.append(save(connection, number, [*words, f"own{number}"], chance.randrange(60)))
        if chance.random() < 0.3:
            first_texts = [one for one in ids if numbers_of(connection, [one])[one] == one]
            take_away(connection, chance.choice(first_texts if chance.random() < 0.5 else ids), ids)
        if chance.random() < 0.5:
            kept.catch_up()
            assert kept.members == in_database(connection)
    kept.catch_up()
    assert kept.members == in_database(connection)
    assert any(len(members) > 2 for members in kept.members.values())


def test_six_articles_and_a_site_that_publishes_pairs_of_them_are_six_stories(connection):
    articles = [[f"site{site}word{number}" for number in range(60)] for site in range(6)]
    ids = [save(connection, number, words, number) for number, words in enumerate(articles)]
    for number in range(5):
        save(connection, 10 + number, articles[number] + articles[number + 1], 10 + number)
    assert len(in_database(connection)) == 11
    assert {number: {number} for number in ids}.items() <= in_database(connection).items()
