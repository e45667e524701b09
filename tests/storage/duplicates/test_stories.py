"""Texts of nearly the same words become one story when they are stored, whatever batches they come in, on both
databases."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from memory_stories import one_pass
from patience import PATIENCE
from sqlalchemy import delete, func, select, text, update

from newscrawl import reports
from newscrawl.extraction.article.make import fingerprint
from newscrawl.reports.story import copies, overlaps, story
from newscrawl.storage.duplicates import join
from newscrawl.storage.duplicates.join import remove_unused
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write
from newscrawl.storage.feed import changes
from newscrawl.storage.removal import forget
from newscrawl.storage.tables.articles import articles, pages, signature_bands, text_links, versions

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def words(seed, size=200):
    chance = random.Random(seed)
    return [f"{chance.choice('bcdfgh')}{chance.randrange(10**6)}" for _ in range(size)]


def body(*parts):
    return " ".join(word for part in parts for word in part)


A, B, C = words("a"), words("b"), words("c")


@pytest.fixture
def made(page):
    """Makes a page with a text, hashed and signed as the workers do it."""

    def make(number, words_of_text, minute):
        url = f"https://harbour.example/{number}"
        whole = page(url, "x", fetched_at=NOW + timedelta(minutes=minute))
        article = replace(whole.article, text=words_of_text, content_hash=None, identity_key=None)
        return fingerprint(replace(whole, article=article))

    return make


@pytest.fixture
def save(store, made):
    """Stores texts as one batch, fetched in that order or at the minutes given; returns the ids of their articles."""
    counter = count(1)

    def save(*bodies, minutes=None):
        numbers = [next(counter) for _ in bodies]
        pages = [made(*row) for row in zip(numbers, bodies, minutes or numbers, strict=True)]
        futures = [store.save(one) for one in pages]
        store.flush()
        return [future.result(PATIENCE).article_id for future in futures]

    return save


@pytest.fixture
def stories(read):
    """The articles of each story in the view `current_articles`."""

    def rows(connection):
        found = {}
        query = "SELECT story_id, article_id FROM current_articles ORDER BY article_id"
        for row in connection.execute(text(query)):
            found.setdefault(row.story_id, []).append(row.article_id)
        return found

    return lambda: read(rows)


@pytest.fixture
def told(read):
    """The changes of the feed after a number."""

    def told(seq):
        return [(one.op, one.article_id, one.reason) for one in read(changes.read, seq, 99)]

    return told


@pytest.fixture
def forget_page(store):
    """Forgets the page with a number."""

    def forget_page(number):
        store.run(forget.forget_url, f"https://harbour.example/{number}", NOW + timedelta(days=1)).result(PATIENCE)

    return forget_page


def test_a_copy_joins_the_article_it_copies(save, stories, read):
    (first,) = save(body(A))
    (second,) = save(body(A, B[:80]))
    assert stories() == {first: [first, second]}
    own, copy = read(copies, second)
    assert [(one.article_id, one.representative_id, one.kind) for one in (own, copy)] == [
        (first, first, "same"),
        (second, first, "copy"),
    ]
    assert (own.resemblance, own.containment, copy.containment) == (1, 1, 1)
    assert copy.resemblance == pytest.approx(197 / 277)


def test_other_articles_and_teasers_are_joined_with_nothing(save, stories):
    ids = save(body(A), body(B), body(A[:20]), body(A[:20], ["more"]))
    assert stories() == {number: [number] for number in ids}


def test_an_article_with_the_texts_of_two_others_joins_neither_and_is_linked_with_both(save, stories, read):
    first, second, both = save(body(A), body(B), body(A, B))
    assert stories() == {number: [number] for number in (first, second, both)}
    assert [(one.article_id, one.containment) for one in read(overlaps, both).contains] == [(first, 1), (second, 1)]
    assert [one.article_id for one in read(overlaps, second).contained_in] == [both]
    exported = {one.id: one.contained_in for one in read(lambda connection: list(reports.articles(connection)))}
    assert exported == {first: (both,), second: (both,), both: ()}


def test_a_story_keeps_its_number_and_articles_whatever_is_stored_or_seen_earlier(save, stories, told, read):
    box, own = words("box", 20), words("own", 40)
    stays, other = save(body(A[:60], box, B[:60]), body(A[:60], box, own), minutes=[5, 6])
    seq = read(changes.newest)
    (nearer,) = save(body(A[:30], box, own), minutes=[1])
    assert stories() == {stays: [stays, other], nearer: [nearer]}
    (copy,) = save(body(A[:60], box, B[:60], ["more"]), minutes=[0])
    assert stories() == {stays: [stays, other, copy], nearer: [nearer]}
    assert told(seq) == [("upsert", nearer, "new"), ("upsert", copy, "new")]


def test_an_older_capture_gives_a_story_an_earlier_time_and_nothing_else(save, stories, store, made, read):
    first, second = save(body(A), body(A, B[:10]), minutes=[5, 6])
    seq = read(changes.newest)
    older = made(2, body(A, B[:10]), minute=-30)
    store.save_parts([older], [], NOW).result(PATIENCE)
    assert stories() == {first: [first, second]}
    row = read(lambda connection: connection.execute(text("SELECT * FROM stories")).one())
    assert (row.story_id, row.representative_id, row.articles) == (first, first, 2)
    assert str(row.first_seen).startswith("2026-11-21 11:30")
    assert [one.op for one in read(changes.read, seq, 9)] in ([], ["upsert"])


def world(seed):
    """Stories as they go round, round-ups of them, a box that a site has on all its pages, and texts of nobody else."""
    made = []
    box = words(f"{seed} box", 30)
    for name in "pqr":
        whole, own, more = (words(f"{seed} {name} {part}") for part in ("body", "own", "more"))
        edited = [word if place % 25 else own[place] for place, word in enumerate(whole)]
        made += [
            body(whole),
            body(whole, own[:100]),
            body(more[:100], whole),
            body(edited),
            body(edited[20:]),
            body(whole[:110]),
            body(whole[60:], more[:30]),
            body(whole[:60], box),
            body(whole[:60], box, own[:60]),
        ]
    bodies = [words(f"{seed} {name} body") for name in "pqr"]
    made += [body(bodies[0], bodies[1]), body(*bodies), body(bodies[1][:60], box, bodies[2][:60])]
    return made + [body(words(f"{seed} alone {place}")) for place in range(3)]


@pytest.mark.parametrize("seed", range(3))
def test_stories_and_links_are_those_of_one_pass_whatever_order_and_batches_texts_come_in(save, read, stories, seed):
    chance = random.Random(seed)
    texts = world(seed)
    chance.shuffle(texts)
    of_article = {}
    rest = list(texts)
    while rest:
        batch = [rest.pop(0) for _ in range(min(len(rest), chance.randint(1, 9)))]
        minutes = [chance.randrange(90) for _ in batch]
        of_article |= dict(zip(save(*batch, minutes=minutes), batch, strict=True))
    expected = one_pass(of_article)
    found = {number: story for story, numbers in stories().items() for number in numbers}
    assert found == expected.representatives
    links = read(
        lambda connection: connection.execute(select(text_links.c.article_id, text_links.c.container_id)).all()
    )
    named = {(link.part, link.whole) for one in expected.decisions.values() for link in one.links}
    assert set(map(tuple, links)) == named


def test_larger_texts_beyond_twenty_are_counted(save, read):
    (part,) = save(body(A[:100]))
    save(*(body(words(f"round-up {number}"), A[:100]) for number in range(23)))
    (exported,) = [one for one in read(lambda connection: list(reports.articles(connection))) if one.id == part]
    assert (len(exported.contained_in), exported.contained_in_more) == (20, 3)
    shown = read(story, part)
    assert (len(shown.contained_in), shown.contained_in_more) == (20, 3)


def test_a_value_has_a_limited_number_of_articles(save, stories, read, monkeypatch):
    monkeypatch.setattr(join, "MAX_ARTICLES", 3)
    ids = save(*(body(A, [f"word{number}"]) for number in range(6)))
    ids += save(body(A, ["late"]))
    assert stories() == {ids[0]: ids}
    most = select(func.count()).select_from(signature_bands).group_by(signature_bands.c.value)
    assert max(read(lambda connection: connection.execute(most).scalars().all())) == 3


def test_a_page_that_goes_leaves_nothing_of_its_text_behind(save, read, forget_page, told):
    first, _, last = save(body(A), body(A, B), body(B))
    seq = read(changes.newest)
    forget_page(2)
    assert [row for row in told(seq) if row[0] != "remove"] == []
    held = read(lambda connection: connection.execute(select(signature_bands.c.article_id).distinct()).scalars().all())
    assert sorted(held) == [first, last]
    assert read(lambda connection: connection.execute(select(text_links)).all()) == []
    assert read(lambda connection: connection.execute(select(func.count()).select_from(articles)).scalar()) == 2


def test_when_the_first_text_of_a_story_goes_the_next_one_gives_the_number_and_the_feed_is_told(
    save, stories, read, forget_page, told
):
    first, second, third = save(body(A), body(A, B[:10]), body(A, B[:20]))
    seq = read(changes.newest)
    forget_page(1)
    assert stories() == {second: [second, third]}
    assert [one.representative_id for one in read(copies, third)] == [second, second]
    assert told(seq) == [
        ("upsert", second, "parted"),
        ("upsert", third, "parted"),
        ("merge", -first, "parted"),
        ("remove", first, "forgotten"),
    ]
    merge = read(changes.read, seq, 9)[2]
    assert (merge.story_id, merge.into_story_id) == (first, second)
    (again,) = save(body(A, B[:30]))
    assert stories() == {second: [second, third, again]}


def test_when_another_text_of_a_story_goes_its_number_stays_and_the_feed_is_told(
    save, stories, read, forget_page, told
):
    first, second = save(body(A), body(A, B[:10]))
    seq = read(changes.newest)
    forget_page(2)
    assert stories() == {first: [first]}
    assert read(copies, first) == []
    assert told(seq) == [("upsert", first, "parted"), ("remove", second, "forgotten")]


def test_a_story_of_which_no_page_is_left_ends_without_a_merge(save, store, made, stories, read, forget_page, told):
    first, second = save(body(A), body(A, B[:10]))
    corrected = made(2, body(C), minute=30)
    store.save(corrected).result(PATIENCE)
    seq = read(changes.newest)
    forget_page(1)
    assert [one for one in told(seq) if one[0] == "upsert"] == []
    assert first not in stories()
    rows = read(lambda connection: connection.execute(text("SELECT story_id, first_page_id FROM stories")).all())
    assert [row.story_id for row in rows if row.first_page_id is None] == [second]


def test_a_text_that_another_extraction_replaces_ends_its_story_once(save, database, read):
    first, second = save(body(A), body(A, B[:10]))
    seq = read(changes.newest)
    engine = make_engine(parse_url(database), pooled=False)
    with begin_write(engine) as connection:
        connection.execute(delete(versions).where(versions.c.article_id == first))
        connection.execute(update(pages).where(pages.c.article_id == first).values(article_id=second))
        remove_unused(connection, [first], NOW, "superseded", {first: second})
        told = [(one.op, one.article_id, one.reason) for one in changes.read(connection, seq, 9)]
        connection.rollback()
    assert told == [("upsert", second, "parted"), ("merge", -first, "parted"), ("remove", first, "superseded")]


def test_an_article_without_a_signature_is_stored_like_any_other(store, made, stories):
    unsigned = made(1, body(A), 0)
    unsigned = replace(unsigned, article=replace(unsigned.article, signature=None))
    outcome = store.save(unsigned).result(PATIENCE)
    assert outcome.kind == "inserted"
    assert stories() == {outcome.article_id: [outcome.article_id]}


@pytest.mark.parametrize("place", ["before", "between", "after"])
def test_no_number_of_pages_of_one_site_changes_the_stories_of_another(page, store, stories, read, place):
    """A site copies, mixes and floods: it joins no articles of others, takes none away, and hides none."""

    def of(site, number, words_of_text, minute):
        whole = page(f"https://{site}.example/{number}", "x", site=site, fetched_at=NOW + timedelta(minutes=minute))
        article = replace(whole.article, text=words_of_text, content_hash=None, identity_key=None)
        return fingerprint(replace(whole, article=article))

    own = [of("harbour", 0, body(A), 0), of("valley", 1, body(B), 1), of("tarn", 2, body(C), 2)]
    edited = [of("tarn", 3, body(A, ["and", "more"]), 200), of("harbour", 4, body(["new"], B), 201)]
    mixed = [body(*pair) for one in (A, B, C) for other in (A, B, C) for pair in [(one[:100], other[100:])]]
    mixed += [body(A[:90], B[:90]), body(A, B, C), body(B[60:], C[:140])]
    mixed += [body(A[:100], C[:80], [f"own{number}"]) for number in range(110)]
    theirs = [of("mixer", number, one, 10 + number) for number, one in enumerate(mixed)]
    every = {
        "before": [*theirs, *own, *edited],
        "between": [*own, *theirs, *edited],
        "after": [*own, *edited, *theirs],
    }[place]
    futures = [store.save(one) for one in every]
    store.flush()
    number_of = dict(zip(map(id, every), (future.result(PATIENCE).article_id for future in futures), strict=True))
    found = {number: story for story, numbers in stories().items() for number in numbers}
    first = [found[number_of[id(one)]] for one in own]
    assert len(set(first)) == 3, "unrelated articles are apart"
    if place != "before":
        assert first == [number_of[id(one)] for one in own], "each has the number that it had"
        assert [found[number_of[id(one)]] for one in edited] == first[:2], (
            "copies are found behind any number of others"
        )
        for number in first:
            assert read(story, number).members[0].site != "mixer", "the first stays the first"


def test_a_batch_is_decided_in_the_order_of_its_numbers(store, made, stories):
    """An archive is ingested from newest to oldest: the first text that is stored is the representative."""
    pages = [made(number, body(A, [f"word{number}"]), minute=-number) for number in range(5)]
    store.save_parts(pages, [], NOW).result(PATIENCE)
    ((number, numbers),) = stories().items()
    assert number == min(numbers)
    assert len(numbers) == 5
