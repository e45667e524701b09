"""Texts of nearly the same words become one cluster, in whatever order and batches they come, on both databases."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from newscrawl.article import fingerprint
from newscrawl.identity.resemblance import Tie
from newscrawl.model import PublishedDate
from newscrawl.storage import bands, changes, clusters, reports
from newscrawl.storage.apply import save_batch
from newscrawl.storage.database import make_engine, parse_url
from newscrawl.storage.known import Incoming
from newscrawl.storage.near_tables import signature_bands, signatures
from newscrawl.storage.records import never
from newscrawl.storage.reports.copies import copies
from newscrawl.storage.schema import articles, pages


def words(seed, size=200):
    chance = random.Random(seed)
    return [f"{chance.choice('bcdfgh')}{chance.randrange(10**6)}" for _ in range(size)]


def text(*parts):
    return " ".join(word for part in parts for word in part)


@pytest.fixture
def made(page):
    """Makes a page with a text, hashed and signed as the workers do it."""

    def make(number, body):
        whole = page(f"https://harbour.example/{number}", "x")
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
    """Stores texts as one batch; returns the ids of their articles."""
    counter = iter(range(10**6))

    def store(*bodies):
        batch = [Incoming.of(made(next(counter), body)) for body in bodies]
        return [outcome.article_id for outcome in save_batch(connection, batch, never)]

    return store


A, B = words("a"), words("b")


def test_a_copy_joins_the_article_it_copies(connection, save):
    (first,) = save(text(A))
    (second,) = save(text(A, B[:80]))
    members = clusters.of_cluster(connection, first)
    assert [(member.article_id, member.kind, member.nearest_id) for member in members] == [
        (first, "copy", second),
        (second, "copy", first),
    ]
    assert members[0].containment == 1
    assert members[0].resemblance == pytest.approx(197 / 277)


def test_copies_in_one_batch_find_each_other(connection, save):
    first, second, other = save(text(A), text(A, B[:10]), text(B))
    assert [member.article_id for member in clusters.of_cluster(connection, first)] == [first, second]
    assert clusters.of_articles(connection, [other]) == {}


def test_other_articles_and_teasers_are_joined_with_nothing(connection, save):
    ids = save(text(A), text(B), text(A[:20]), text(A[:20], ["more"]))
    assert clusters.of_articles(connection, ids) == {}
    assert connection.execute(select(func.count()).select_from(signatures)).scalar() == 2


def test_an_article_that_resembles_two_joins_their_clusters_and_tells_the_feed(connection, save):
    (first,) = save(text(A))
    copies = save(text(B), text(B, ["word"]))
    seq = changes.newest(connection)
    (both,) = save(text(A, B))
    members = clusters.of_cluster(connection, first)
    assert [member.article_id for member in members] == [first, *copies, both]
    told = [(change.op, change.article_id) for change in changes.read(connection, seq, 10)]
    assert told == [("upsert", both), ("merge", copies[0]), ("merge", copies[1])]


def test_a_member_keeps_its_strongest_tie(connection, save):
    weak, first = save(text(A, B[:100]), text(A))
    assert clusters.of_articles(connection, [first])[first].nearest_id == weak
    (strong,) = save(text(A, ["word"]))
    member = clusters.of_articles(connection, [first])[first]
    assert (member.nearest_id, member.kind) == (strong, "same")


def test_a_known_text_at_another_address_asks_nothing_of_the_bands(connection, save, monkeypatch):
    (first,) = save(text(A))
    monkeypatch.setattr(bands, "find", None)
    assert save(text(A)) == [first]


def family(seed):
    """A story as it goes round: copies with additions, edits, excerpts; some are tied only through others."""
    body, own, more = words(seed), words(f"{seed} own"), words(f"{seed} more")
    edited = [word if place % 25 else own[place] for place, word in enumerate(body)]
    return [
        text(body),
        text(body, own[:100]),
        text(more[:100], body),
        text(edited),
        text(edited[20:]),
        text(body[:110]),
        text(body[60:], more[:30]),
    ]


def partition(connection, ids_of):
    groups = defaultdict(set)
    members = clusters.of_articles(connection, ids_of)
    for number, name in ids_of.items():
        groups[members[number].cluster_id if number in members else number].add(name)
    for cluster, names in groups.items():
        assert cluster == min(number for number, name in ids_of.items() if name in names)
    return {frozenset(names) for names in groups.values()}


@pytest.mark.parametrize("seed", range(4))
def test_the_clusters_do_not_depend_on_the_order_of_arrival(connection, save, seed):
    named = {(name, place): body for name in "pqr" for place, body in enumerate(family(name))}
    named |= {("alone", place): text(words(f"alone {place}")) for place in range(5)}
    order = list(named)
    chance = random.Random(seed)
    chance.shuffle(order)
    ids_of = {}
    while order:
        batch = [order.pop() for _ in range(min(len(order), chance.randint(1, 9)))]
        ids_of.update(zip(save(*(named[name] for name in batch)), batch, strict=True))
    expected = {frozenset((name, place) for place in range(7)) for name in "pqr"}
    assert partition(connection, ids_of) == expected | {frozenset([("alone", place)]) for place in range(5)}
    strongest = {ids_of[number]: member.kind for number, member in clusters.of_articles(connection, ids_of).items()}
    assert strongest["p", 0] == strongest["q", 0] == "edit"


def test_a_value_has_a_limited_number_of_holders(connection, save, monkeypatch):
    monkeypatch.setattr(bands, "HOLDERS", 3)
    first, *_ = save(*(text(A, [f"word{number}"]) for number in range(6)))
    (late,) = save(text(A, ["late"]))
    most = select(func.count()).select_from(signature_bands).group_by(signature_bands.c.value)
    assert max(connection.execute(most).scalars()) == 3
    assert clusters.of_articles(connection, [late])[late].cluster_id == first


def test_the_texts_compared_are_those_that_share_most_and_few_of_each_cluster():
    shared = bands.Counter({number: 12 - number // 10 for number in range(1, 41)})
    members = {number: clusters.Membership(number, 1, 1, "edit", 0.6, 0.7) for number in range(1, 21)}
    found = clusters.chosen(shared, members)
    assert found == [1, 2, 3, *range(21, 34)]


def test_forgotten_articles_leave_nothing_behind_and_their_cluster_together(connection, save, now):
    first, bridge, last = save(text(A), text(A, B), text(B))
    seq = changes.newest(connection)
    clusters.forget(connection, [bridge], now)
    assert changes.read(connection, seq, 9) == []
    assert [member.article_id for member in clusters.of_cluster(connection, first)] == [first, last]
    held = connection.execute(select(signature_bands.c.article_id).distinct()).scalars()
    assert sorted(held) == [first, last]
    assert connection.execute(select(func.count()).select_from(articles)).scalar() == 3


def test_a_cluster_that_loses_its_first_has_the_number_of_the_next_and_the_feed_is_told(connection, save, now):
    first, second, third = save(text(A), text(A, B[:10]), text(A, B[:20]))
    seq = changes.newest(connection)
    clusters.forget(connection, [first], now)
    assert [member.cluster_id for member in clusters.of_cluster(connection, second)] == [second, second]
    assert [(change.op, change.article_id) for change in changes.read(connection, seq, 9)] == [
        ("merge", second),
        ("merge", third),
    ]
    (again,) = save(text(A, B[:30]))
    assert clusters.of_articles(connection, [again])[again].cluster_id == second


def test_a_member_that_is_left_alone_is_no_cluster(connection, save, now):
    first, second = save(text(A), text(A, B[:10]))
    seq = changes.newest(connection)
    clusters.forget(connection, [first], now)
    assert clusters.of_articles(connection, [first, second]) == {}
    assert [(change.op, change.article_id) for change in changes.read(connection, seq, 9)] == [("merge", second)]
    (again,) = save(text(A, B[:20]))
    assert clusters.of_articles(connection, [again])[again].cluster_id == second


def test_a_stored_sketch_is_the_signatures(connection, save, made):
    (first,) = save(text(A))
    row = connection.execute(select(signatures)).one()
    expected = made(0, text(A)).article.signature
    assert (row.article_id, row.algorithm, row.shingles) == (first, expected.algorithm, expected.shingles)
    assert tuple(bands.unpacked(row.sketch)) == expected.sketch
    held = connection.execute(select(signature_bands.c.value).order_by(signature_bands.c.value)).scalars()
    assert tuple(held) == expected.sketch


def test_the_export_names_the_cluster_and_counts_its_current_copies(connection, save):
    first, second, other = save(text(A), text(A, B[:10]), text(words("c")))
    exported = {article.id: (article.cluster, article.copies) for article in reports.articles(connection)}
    assert exported == {first: (first, 1), second: (first, 1), other: (other, 0)}
    connection.execute(update(pages).where(pages.c.article_id == second).values(state="gone"))
    assert {article.copies for article in reports.articles(connection) if article.id == first} == {0}


def test_the_first_publisher_is_whoever_published_first_not_whoever_was_stored_first(connection, made, now):
    def dated(number, body, published):
        whole = made(number, body)
        date = PublishedDate(published, "json-ld", "second") if published else None
        metadata = replace(whole.article.metadata, published=date)
        return Incoming.of(replace(whole, article=replace(whole.article, metadata=metadata)))

    batch = [
        dated(1, text(A), None),
        dated(2, text(A, B[:10]), now - timedelta(hours=2)),
        dated(3, text(A, B[:20]), now + timedelta(days=3)),
        dated(4, text(B), now - timedelta(days=1)),
    ]
    ids = [outcome.article_id for outcome in save_batch(connection, batch, never)]
    found = copies(connection, ids[0])
    assert [copy.article_id for copy in found] == [ids[1], ids[0], ids[2]]
    assert [copy.since for copy in found] == [now - timedelta(hours=2), now, now]
    assert found[0].url == "https://harbour.example/2"
    assert copies(connection, ids[3]) == []


def test_ties_among_clusters_join_them_under_their_smallest_number():
    tie = Tie("edit", 0.7, 0.8)
    members = {
        number: clusters.Membership(number, cluster, 0, "edit", 0.9, 0.9)
        for number, cluster in ((1, 1), (2, 1), (5, 4), (8, 7))
    }
    found = clusters.joined(members, [(10, 8, tie), (10, 5, tie), (11, 2, tie), (12, 11, tie)])
    assert found.renamed == {7: 4}
    assert {row.article_id: row.cluster_id for row in found.rows} == {2: 1, 5: 4, 8: 4, 10: 4, 11: 1, 12: 1}
    assert {row.article_id: row.nearest_id for row in found.rows} == {2: 0, 5: 0, 8: 0, 10: 5, 11: 2, 12: 11}


def test_an_article_without_a_signature_is_stored_like_any_other(connection, made):
    unsigned = made(1, text(A))
    unsigned = replace(unsigned, article=replace(unsigned.article, signature=None))
    (outcome,) = save_batch(connection, [Incoming.of(unsigned)], never)
    assert outcome.kind == "inserted"
    assert clusters.of_articles(connection, [outcome.article_id]) == {}
