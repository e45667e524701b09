"""Texts of nearly the same words become one cluster, in whatever order and batches they come, on both databases."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from memory_text_store import one_pass
from sqlalchemy import delete, func, select, update

from newscrawl.article import fingerprint
from newscrawl.identity.stories import StoryPlace
from newscrawl.model import PublishedDate
from newscrawl.storage import reports
from newscrawl.storage.articles.apply import save_batch
from newscrawl.storage.articles.deciding.known import Incoming
from newscrawl.storage.articles.deciding.occasions import Occasion
from newscrawl.storage.duplicates import containment_links, lsh_index, pending, story_members
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.feed import changes
from newscrawl.storage.records import never
from newscrawl.storage.removal.unused_texts import remove_unused
from newscrawl.storage.reports.copies import copies
from newscrawl.storage.tables.articles import articles, pages, versions
from newscrawl.storage.tables.duplicates import (
    cluster_members,
    pending_texts,
    rejected_members,
    signature_bands,
    signatures,
    text_links,
)

CRAWLED = Occasion("crawled", never)
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def words(seed, size=200):
    chance = random.Random(seed)
    return [f"{chance.choice('bcdfgh')}{chance.randrange(10**6)}" for _ in range(size)]


def text(*parts):
    return " ".join(word for part in parts for word in part)


@pytest.fixture
def made(page):
    """Makes a page with a text, hashed and signed as the workers do it."""

    def make(number, body, minute=0):
        at = NOW + timedelta(minutes=minute)
        whole = page(f"https://harbour.example/{number}", "x", fetched_at=at)
        article = replace(whole.article, text=body, content_hash=None, identity_key=None)
        return fingerprint(replace(whole, article=article))

    return make


@pytest.fixture
def connection(database):
    """A writing transaction that is rolled back."""
    engine = make_engine(parse_url(database))
    with engine.connect() as opened, opened.begin() as transaction:
        yield opened
        transaction.rollback()
    engine.dispose()


@pytest.fixture
def save(connection, made):
    """Stores texts as one batch, fetched in that order or at the minutes given; returns the ids of their articles."""
    counter = count(1)

    def store(*bodies, minutes=None):
        numbers = [next(counter) for _ in bodies]
        rows = zip(numbers, bodies, minutes or numbers, strict=True)
        batch = [Incoming.of(made(*row)) for row in rows]
        return [outcome.article_id for outcome in save_batch(connection, batch, CRAWLED)]

    return store


A, B = words("a"), words("b")


def test_a_copy_joins_the_article_it_copies(connection, save):
    (first,) = save(text(A))
    (second,) = save(text(A, B[:80]))
    members = story_members.members(connection, first)
    assert [(member.article_id, member.kind, member.representative_id) for member in members] == [
        (first, "same", first),
        (second, "copy", first),
    ]
    assert members[1].containment == 1
    assert members[1].resemblance == pytest.approx(197 / 277)


def test_copies_in_one_batch_find_each_other(connection, save):
    first, second, other = save(text(A), text(A, B[:10]), text(B))
    assert [member.article_id for member in story_members.members(connection, first)] == [first, second]
    assert story_members.by_article(connection, [other]) == {}


def test_other_articles_and_teasers_are_joined_with_nothing(connection, save):
    ids = save(text(A), text(B), text(A[:20]), text(A[:20], ["more"]))
    assert story_members.by_article(connection, ids) == {}
    assert connection.execute(select(func.count()).select_from(signatures)).scalar() == 2


def test_an_article_with_the_texts_of_two_others_joins_neither_and_is_linked_with_both(connection, save):
    first, second, both = save(text(A), text(B), text(A, B))
    assert story_members.by_article(connection, [first, second, both]) == {}
    assert containment_links.by_article(connection, [first, second, both]) == {
        first: containment_links.Contained({both: 1.0}),
        second: containment_links.Contained({both: 1.0}),
    }
    assert containment_links.parts_of(connection, both) == {first: 1.0, second: 1.0}
    assert containment_links.containers_by_story(connection, [first, second, both]) == {first: 1, second: 1}


def test_a_known_text_at_another_address_asks_nothing_of_the_bands(connection, save, monkeypatch):
    (first,) = save(text(A))
    monkeypatch.setattr(lsh_index, "find", None)
    assert save(text(A)) == [first]


def world(seed):
    """Stories as they go round, round-ups of them, a box that a site has on all its pages, and texts of nobody else."""
    made = []
    box = words(f"{seed} box", 30)
    for name in "pqr":
        body, own, more = (words(f"{seed} {name} {part}") for part in ("body", "own", "more"))
        edited = [word if place % 25 else own[place] for place, word in enumerate(body)]
        made += [
            text(body),
            text(body, own[:100]),
            text(more[:100], body),
            text(edited),
            text(edited[20:]),
            text(body[:110]),
            text(body[60:], more[:30]),
            text(body[:60], box),
            text(body[:60], box, own[:60]),
        ]
    bodies = [words(f"{seed} {name} body") for name in "pqr"]
    made += [text(bodies[0], bodies[1]), text(*bodies), text(bodies[1][:60], box, bodies[2][:60])]
    return made + [text(words(f"{seed} alone {place}")) for place in range(3)]


def decided(connection):
    """What the tables hold of every text with a signature: representative, links, and who keeps it out."""
    stories = {row.article_id: row.article_id for row in connection.execute(select(signatures.c.article_id))}
    rows = connection.execute(select(cluster_members)).all()
    stories |= {row.article_id: row.representative_id for row in rows}
    for row in rows:
        members = [other.article_id for other in rows if other.representative_id == row.representative_id]
        assert row.cluster_id == min(members)
        assert len(members) > 1
    found = connection.execute(select(text_links.c.article_id, text_links.c.container_id, text_links.c.found_by))
    return stories, set(map(tuple, found)), set(map(tuple, connection.execute(select(rejected_members))))


def expected(connection):
    """The same by one pass in memory over the texts that are stored."""
    rows = connection.execute(select(articles)).all()
    places = {row.id: StoryPlace(row.first_seen, row.content_hash, row.id) for row in rows}
    text_store = one_pass({row.id: row.text for row in rows}, places)
    links = {(link.part, link.whole, number) for number, one in text_store.decisions.items() for link in one.links}
    rejected = {(number, story) for number, one in text_store.decisions.items() for story in one.rejected}
    return text_store.representatives, links, rejected


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("at_once", [0, 3, 20])
def test_stories_are_those_of_one_pass_in_order_whatever_comes_turns_out_older_and_goes(
    connection, save, seed, at_once, monkeypatch
):
    monkeypatch.setattr(story_members, "AT_ONCE", at_once)
    monkeypatch.setattr(story_members, "STEP", 5)
    chance = random.Random(seed)
    texts = world(seed)
    minutes = {body: chance.randrange(20) for body in texts}
    chance.shuffle(texts)
    ids = []
    while texts:
        batch = [texts.pop() for _ in range(min(len(texts), chance.randint(1, 7)))]
        ids += save(*batch, minutes=[minutes[body] for body in batch])
        event, number = chance.random(), chance.choice(ids)
        if event < 0.3:
            pending.seen_since(connection, {number: NOW - timedelta(minutes=chance.randrange(5))})
        elif event < 0.5:
            ids.remove(number)
            take_away(connection, number)
        if event > 0.8:
            story_members.decide_again(connection, NOW, 4)
    steps = 0
    while story_members.decide_again(connection, NOW, 4):
        steps += 1
        assert steps < 500
    assert pending.count(connection) == 0
    assert decided(connection) == expected(connection)


def take_away(connection, number):
    connection.execute(delete(versions).where(versions.c.article_id == number))
    connection.execute(update(pages).where(pages.c.article_id == number).values(article_id=None))
    assert remove_unused(connection, [number], NOW, "forgotten") == {number}


def test_texts_of_a_batch_that_come_late_are_decided_at_once(connection, save):
    late, early = save(text(A, B[:40]), text(A), minutes=[5, 3])
    (first,) = save(text(A, B[:20]), minutes=[1])
    members = story_members.members(connection, late)
    assert {member.article_id: member.representative_id for member in members} == dict.fromkeys(
        (late, early, first), first
    )
    assert pending.count(connection) == 0


def told_since(connection, seq):
    return [(one.op, one.article_id, one.reason) for one in changes.read(connection, seq, 99)]


def test_a_story_that_grows_by_a_stored_story_is_told_with_every_article(connection, save):
    first, second = save(text(A[:100], B[:90]), text(A[:100]), minutes=[5, 6])
    seq = changes.newest(connection)
    (earlier,) = save(text(A[:100], ["word"]), minutes=[1])
    assert [member.article_id for member in story_members.members(connection, first)] == [first, second, earlier]
    assert told_since(connection, seq) == [
        ("upsert", earlier, "new"),
        ("upsert", first, "joined"),
        ("upsert", second, "joined"),
    ]


def test_a_story_that_parts_is_told_with_the_articles_that_stay_and_why(connection, save):
    box, own = words("box", 20), words("own", 40)
    stays, leaves = save(text(A[:60], box, B[:60]), text(A[:60], box, own), minutes=[1, 3])
    assert [member.article_id for member in story_members.members(connection, stays)] == [stays, leaves]
    seq = changes.newest(connection)
    (nearer,) = save(text(A[:30], box, own), minutes=[2])
    assert story_members.members(connection, stays) == []
    assert {one.article_id for one in story_members.members(connection, leaves)} == {leaves, nearer}
    assert told_since(connection, seq) == [
        ("upsert", nearer, "new"),
        ("upsert", stays, "parted"),
        ("upsert", leaves, "parted"),
    ]


def test_a_former_number_that_no_page_shows_is_told_so_that_no_document_stays_under_it(connection, save):
    box, own = words("box", 20), words("own", 40)
    stays, leaves = save(text(A[:60], box, B[:60]), text(A[:60], box, own), minutes=[1, 3])
    connection.execute(update(pages).where(pages.c.article_id == stays).values(article_id=None))
    seq = changes.newest(connection)
    (nearer,) = save(text(A[:30], box, own), minutes=[2])
    assert {one.cluster_id for one in story_members.members(connection, leaves)} == {leaves}
    assert told_since(connection, seq) == [
        ("upsert", nearer, "new"),
        ("upsert", leaves, "parted"),
        ("merge", -stays, "parted"),
    ]
    assert (changes.read(connection, seq, 9)[-1].story_id, changes.read(connection, seq, 9)[-1].into_story_id) == (
        stays,
        leaves,
    )


def test_more_than_a_batch_decides_again_is_left_to_upkeep(connection, save, monkeypatch):
    monkeypatch.setattr(story_members, "AT_ONCE", 1)
    ids = save(*(text(A, [f"word{number}"]) for number in range(5)), minutes=range(5, 10))
    save(text(A), minutes=[0])
    assert pending.earliest(connection, 9) == ids[1:]
    seq = changes.newest(connection)
    assert story_members.decide_again(connection, NOW, 3) == 3
    assert pending.earliest(connection, 9) == ids[4:]
    assert story_members.decide_again(connection, NOW, 3) == 1
    assert story_members.decide_again(connection, NOW, 3) == 0
    assert len(story_members.members(connection, ids[0])) == 6
    assert {abs(one[1]) for one in told_since(connection, seq)} == {*ids, ids[-1] + 1}


def test_at_most_twenty_links_of_a_text_are_stored_and_the_rest_counted(connection, save):
    (part,) = save(text(A[:100]))
    for number in range(23):
        save(text(words(f"round-up {number}"), A[:100]))
    found = containment_links.by_article(connection, [part])[part]
    assert (len(found.containers), found.more, found.count) == (containment_links.MAX_LINKS, 3, 23)
    assert containment_links.containers_by_story(connection, [part]) == {part: 23}


def test_a_value_has_a_limited_number_of_holders(connection, save, monkeypatch):
    monkeypatch.setattr(lsh_index, "MAX_ARTICLES", 3)
    first, *_ = save(*(text(A, [f"word{number}"]) for number in range(6)))
    (late,) = save(text(A, ["late"]))
    most = select(func.count()).select_from(signature_bands).group_by(signature_bands.c.value)
    assert max(connection.execute(most).scalars()) == 3
    assert story_members.by_article(connection, [late])[late].cluster_id == first


def test_copies_stay_one_story_when_all_that_hold_its_values_go(connection, save, monkeypatch, now):
    monkeypatch.setattr(lsh_index, "MAX_ARTICLES", 3)
    first = save(*(text(A, [f"word{number}"]) for number in range(3)))
    left = save(*(text(A, [f"word{number}"]) for number in range(3, 6)))
    story_members.forget(connection, first, now)
    assert [member.article_id for member in story_members.members(connection, left[0])] == left
    (late,) = save(text(A, ["late"]))
    assert story_members.by_article(connection, [late])[late].cluster_id == left[0]


def test_forgotten_articles_leave_nothing_behind(connection, save, now):
    first, second, last = save(text(A), text(A, B), text(B))
    seq = changes.newest(connection)
    story_members.forget(connection, [second], now)
    assert changes.read(connection, seq, 9) == []
    held = connection.execute(select(signature_bands.c.article_id).distinct()).scalars()
    assert sorted(held) == [first, last]
    for table in (text_links, pending_texts, rejected_members):
        assert connection.execute(select(table)).all() == []
    assert connection.execute(select(func.count()).select_from(articles)).scalar() == 3


def test_a_story_whose_representative_goes_is_decided_again_and_told(connection, save, now):
    rep, left, right, other = save(
        text(A[:120], B[:80]), text(A[:120]), text(A[:110], B[:80]), text(B[:80], A[100:120])
    )
    assert {one.representative_id for one in story_members.by_article(connection, [rep, left, right]).values()} == {rep}
    seq = changes.newest(connection)
    story_members.forget(connection, [rep], now)
    assert decided(connection)[0] == {left: left, right: left, other: other}
    assert told_since(connection, seq) == [
        ("upsert", left, "joined"),
        ("upsert", right, "joined"),
        ("merge", -rep, "joined"),
    ]


def test_a_cluster_that_loses_its_first_has_the_number_of_the_next_and_the_feed_is_told(connection, save, now):
    first, second, third = save(text(A), text(A, B[:10]), text(A, B[:20]))
    seq = changes.newest(connection)
    story_members.forget(connection, [first], now)
    assert [member.cluster_id for member in story_members.members(connection, second)] == [second, second]
    assert [(change.op, change.article_id) for change in changes.read(connection, seq, 9)] == [
        ("upsert", second),
        ("upsert", third),
        ("merge", -first),
    ]
    (again,) = save(text(A, B[:30]))
    assert story_members.by_article(connection, [again])[again].cluster_id == second


def test_a_member_that_is_left_alone_is_no_cluster(connection, save, now):
    first, second = save(text(A), text(A, B[:10]))
    seq = changes.newest(connection)
    story_members.forget(connection, [first], now)
    assert story_members.by_article(connection, [first, second]) == {}
    assert [(change.op, change.article_id) for change in changes.read(connection, seq, 9)] == [
        ("upsert", second),
        ("merge", -first),
    ]
    (again,) = save(text(A, B[:20]))
    assert story_members.by_article(connection, [again])[again].cluster_id == second


def test_a_stored_sketch_is_the_signatures(connection, save, made):
    (first,) = save(text(A))
    row = connection.execute(select(signatures)).one()
    expected = made(0, text(A)).article.signature
    assert (row.article_id, row.algorithm, row.shingles) == (first, expected.algorithm, expected.shingles)
    assert tuple(lsh_index.decode_sketch(row.sketch)) == expected.sketch
    held = connection.execute(select(signature_bands.c.value).order_by(signature_bands.c.value)).scalars()
    assert tuple(held) == expected.sketch


def test_the_export_names_the_cluster_and_counts_its_current_copies(connection, save):
    first, second, other = save(text(A), text(A, B[:10]), text(words("c")))
    exported = {article.id: (article.cluster, article.copies) for article in reports.articles(connection)}
    assert exported == {first: (first, 1), second: (first, 1), other: (other, 0)}
    connection.execute(update(pages).where(pages.c.article_id == second).values(state="gone"))
    assert {article.copies for article in reports.articles(connection) if article.id == first} == {0}


def test_the_first_publisher_is_whoever_was_seen_first_whatever_dates_pages_state(connection, made, now):
    def dated(number, body, published, minute):
        whole = made(number, body, minute)
        date = PublishedDate(published, "json-ld", "second") if published else None
        metadata = replace(whole.article.metadata, published=date)
        return Incoming.of(replace(whole, article=replace(whole.article, metadata=metadata)))

    batch = [
        dated(1, text(A), None, 2),
        dated(2, text(A, B[:10]), now - timedelta(days=2), 3),
        dated(3, text(A, B[:20]), now + timedelta(days=3), 1),
        dated(4, text(B), now - timedelta(days=1), 0),
    ]
    ids = [outcome.article_id for outcome in save_batch(connection, batch, CRAWLED)]
    # All are of one site, of which the page that states a date speaks for the story.
    found = copies(connection, ids[0])
    assert {copy.article_id: copy.since for copy in found} == {
        ids[2]: NOW + timedelta(minutes=1),
        ids[0]: NOW + timedelta(minutes=2),
        ids[1]: NOW + timedelta(minutes=3),
    }
    assert [copy.article_id for copy in found] == [ids[2], ids[0], ids[1]]
    assert found[0].url == "https://harbour.example/3"
    assert copies(connection, ids[3]) == []


def test_an_article_without_a_signature_is_stored_like_any_other(connection, made):
    unsigned = made(1, text(A))
    unsigned = replace(unsigned, article=replace(unsigned.article, signature=None))
    (outcome,) = save_batch(connection, [Incoming.of(unsigned)], CRAWLED)
    assert outcome.kind == "inserted"
    assert story_members.by_article(connection, [outcome.article_id]) == {}
