"""Which page of a story is shown first: statements of a page can only put it behind others, on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from effort import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from patience import PATIENCE
from source_items import record_page_failure
from sqlalchemy import insert, text

from newscrawl import reports
from newscrawl.extraction.article.make import fingerprint
from newscrawl.model import Failure, PublishedDate
from newscrawl.reports.story import first_page
from newscrawl.storage import migrations
from newscrawl.storage.duplicates import story_pages
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write
from newscrawl.storage.feed import changes
from newscrawl.storage.frontier import sites
from newscrawl.storage.removal import forget
from newscrawl.storage.tables.articles import articles, urls, versions
from newscrawl.storage.tables.articles import pages as pages_table
from newscrawl.storage.tables.frontier import sites as sites_table

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
BODY = " ".join(f"ferry{number}" for number in range(90))
OTHER = " ".join(f"weather{number}" for number in range(90))
COPIER, ORIGINAL = "https://copier.example/fake", "https://original.example/story"


@pytest.fixture
def save(store, page):
    """Stores a page of a site; returns its article's id."""

    def save(url, site, minute, body=BODY, *, ingested=False, **said):
        whole = page(url, "x", site=site, fetched_at=NOW + timedelta(minutes=minute), **said)
        article = replace(whole.article, text=body, content_hash=None, identity_key=None)
        made = fingerprint(replace(whole, article=article))
        if ingested:
            return store.save_parts([made], [], NOW).result(PATIENCE)[0].article_id
        return store.save(made).result(PATIENCE).article_id

    return save


@pytest.fixture
def declare(store):
    """Stores the declared sites, each with whether it republishes."""

    def declare(**republishing):
        return store.run(sites.note_declared, republishing, all_of_them=True).result(PATIENCE)

    return declare


@pytest.fixture
def first(read):
    """The address and the rule of the first page of an article's story: what `why` says, and both views have it."""

    def first(number):
        found = read(first_page, number)
        query = text(
            "SELECT p.url FROM stories s JOIN pages p ON p.id = s.first_page_id WHERE s.story_id ="
            f" {found.story} UNION ALL SELECT url FROM story_pages WHERE story_id = {found.story} AND place = 1"
        )
        assert read(lambda connection: connection.execute(query).scalars().all()) == [found.url] * 2
        return found.url, found.rule

    return first


def test_a_copier_that_came_first_and_states_an_earlier_date_gives_way_to_a_declared_site(save, declare, first, read):
    earlier = PublishedDate(NOW - timedelta(days=3), "json-ld", "second")
    number = save(COPIER, "copier", 0, title="FAKE: ferry", authors=("Thief",), published=earlier)
    assert first(number) == (COPIER, "only")
    assert save(ORIGINAL, "original", 5, title="Ferry") == number
    assert first(number) == (COPIER, "first seen")
    assert declare(original=False) == {"original"}
    assert first(number) == (ORIGINAL, "declared")
    (exported,) = read(lambda connection: list(reports.articles(connection)))
    assert (exported.url, exported.title, exported.sites) == (ORIGINAL, "Ferry", ("copier", "original"))
    declare(original=True)
    assert first(number) == (COPIER, "republishes")
    declare()
    assert first(number) == (COPIER, "first seen")


def test_a_page_gives_way_to_the_page_of_another_site_that_its_canonical_names(save, first, read):
    number = save(COPIER, "copier", 0, title="Copied", canonical=f"{ORIGINAL}?utm_source=x")
    assert first(number) == (COPIER, "only")
    save(ORIGINAL, "original", 5, title="Ferry")
    assert first(number) == (ORIGINAL, "canonical")
    (exported,) = read(lambda connection: list(reports.articles(connection)))
    assert (exported.title, exported.canonical) == ("Ferry", None)


def test_two_pages_that_claim_each_other_and_claims_on_other_addresses_count_for_nothing(save, first):
    number = save(ORIGINAL, "original", 0, canonical=COPIER)
    save(COPIER, "copier", 5, canonical=ORIGINAL)
    assert first(number) == (ORIGINAL, "first seen")
    save("https://third.example/", "third", 9, canonical="https://third.example/other")
    assert first(number) == (ORIGINAL, "first seen")


def test_a_claim_that_a_page_makes_or_drops_later_counts_and_the_feed_has_it_with_the_next_change(save, first, read):
    number = save(COPIER, "copier", 0, title="Copied")
    save(ORIGINAL, "original", 5, title="Ferry")
    seq = read(changes.newest)
    save(COPIER, "copier", 9, title="Copied", canonical=ORIGINAL)
    assert first(number) == (ORIGINAL, "canonical")
    assert read(changes.newest) == seq
    save(COPIER, "copier", 12, title="Copied", canonical=ORIGINAL, authors=("Thief",))
    assert [(one.op, one.article_id) for one in read(changes.read, seq, 9)] == [("upsert", number)]
    assert read(reports.documents, [number])[number].url == ORIGINAL
    save(COPIER, "copier", 15, title="Copied")
    assert first(number) == (COPIER, "first seen")


def test_of_one_site_the_page_that_states_date_and_author_comes_first(save, first, read):
    number = save(ORIGINAL, "original", 5, f"{BODY} to print")
    save(COPIER, "copier", 6, published=PublishedDate(NOW, "meta", "minute"), authors=("Thief",))
    whole = save(f"{ORIGINAL}/whole", "original", 7, published=PublishedDate(NOW, "meta", "minute"), authors=("Ada",))
    save(f"{ORIGINAL}/dated", "original", 8, published=PublishedDate(NOW, "meta", "minute"))
    assert first(number) == (f"{ORIGINAL}/whole", "metadata")
    (story,) = read(story_pages.pages_by_story, [number]).values()
    assert [one.url for one in story.pages] == [f"{ORIGINAL}/whole", f"{ORIGINAL}/dated", ORIGINAL, COPIER]
    assert read(reports.documents, [whole])[whole].url == f"{ORIGINAL}/whole"


def test_a_correction_makes_nobodys_page_a_later_one(save, first):
    number = save(ORIGINAL, "original", 0, title="Ferry")
    save(COPIER, "copier", 5, title="FAKE")
    save(ORIGINAL, "original", 9, f"{BODY} in the end.", title="Ferry")
    assert first(number) == (ORIGINAL, "first seen")


def test_a_page_that_goes_or_is_gone_leaves_the_story_to_the_next(save, store, first, read):
    save(COPIER, "copier", 0, title="FAKE")
    number = save(ORIGINAL, "original", 5, title="Ferry")
    store.run(forget.forget_site, "copier", NOW).result(PATIENCE)
    assert first(number) == (ORIGINAL, "only")
    save(COPIER, "copier", -5, title="FAKE")
    assert first(number)[0] == COPIER
    store.run(record_page_failure, COPIER, "copier", Failure("fetch/status", "410"), 410, NOW).result(PATIENCE)
    assert first(number) == (ORIGINAL, "only")
    assert read(reports.documents, [number])[number].url == ORIGINAL


def test_an_older_capture_with_another_text_of_the_story_makes_its_page_the_first(save, first, read):
    save("https://wire.example/1", "wire", -9, f"{BODY} or so")
    save("https://wire.example/1", "wire", -8, OTHER)
    save(COPIER, "copier", 0, title="FAKE")
    number = save(ORIGINAL, "original", 5, f"{BODY} in the end", title="Ferry")
    assert first(number)[0] == COPIER
    seq = read(changes.newest)
    save(ORIGINAL, "original", -5, f"{BODY} or so", ingested=True, title="Ferry")
    assert first(number)[0] == ORIGINAL
    assert [(one.op, one.article_id) for one in read(changes.read, seq, 9)] == [("upsert", number)]


def test_a_canonical_that_comes_to_lead_to_a_page_of_the_story_counts(save, first):
    number = save(COPIER, "copier", 0, title="FAKE", canonical="https://original.example/old")
    save(ORIGINAL, "original", 5, title="Ferry")
    assert first(number) == (COPIER, "first seen")
    save("https://original.example/old", "original", 9, title="Ferry", final_url=ORIGINAL)
    assert first(number) == (ORIGINAL, "canonical")
    save("https://original.example/old", "original", 12, OTHER)
    assert first(number) == (COPIER, "first seen")


def test_an_article_of_several_pages_is_shown_by_the_first_of_them(save, declare, first, read):
    member = save(COPIER, "copier", 0, title="FAKE")
    assert save(ORIGINAL, "original", 5, title="Ferry") == member
    save("https://wire.example/1", "wire", 9, f"{BODY} in the end", title="Wire")
    declare(wire=False)
    assert first(member) == ("https://wire.example/1", "declared")
    assert read(reports.documents, [member])[member].url == COPIER
    declare(wire=False, original=False)
    assert first(member) == (ORIGINAL, "declared")
    assert read(reports.documents, [member])[member].url == ORIGINAL


def test_a_story_that_is_left_with_texts_of_no_page_has_no_first_page(save, store, read):
    number = save(ORIGINAL, "original", 0)
    save(ORIGINAL, "original", 5, OTHER)
    save(COPIER, "copier", 6, f"{BODY} or so")
    store.run(forget.forget_site, "copier", NOW).result(PATIENCE)
    assert read(first_page, number) is None
    query = text(f"SELECT first_page_id FROM stories WHERE story_id = {number}")
    assert read(lambda connection: connection.execute(query).scalar_one()) is None


@pytest.mark.parametrize(
    "name", ["SELECT * FROM stories WHERE story_id = 1", "SELECT * FROM story_pages WHERE story_id IN (1, 3)"]
)
def test_a_story_is_found_by_indexes(save, read, database, name):
    save(ORIGINAL, "original", 0)
    if database.startswith("postgresql"):

        def plan(connection):
            connection.execute(text("SET LOCAL enable_seqscan = off"))  # these few rows would be scanned
            return "\n".join(connection.execute(text(f"EXPLAIN {name}")).scalars())

        found = read(plan)
        assert "Seq Scan" not in found.replace("Seq Scan on sites", "")
        assert "ix_articles_story" in found
    else:
        rows = read(lambda connection: connection.execute(text(f"EXPLAIN QUERY PLAN {name}")).all())
        assert not [row.detail for row in rows if row.detail in {"SCAN a", "SCAN r", "SCAN p", "SCAN m", "SCAN v"}]
        assert [row.detail for row in rows if "ix_articles_story (<expr>=?)" in row.detail]


candidates = st.lists(
    st.fixed_dictionaries(
        {
            "minute": st.integers(0, 4),
            "claim": st.none() | st.integers(1, 6),
            "site": st.integers(0, 2),
            "stated": st.integers(0, 3),
        }
    ),
    min_size=1,
    max_size=6,
)


@pytest.fixture(scope="module")
def one_story(tmp_path_factory):
    """Orders pages of one story: page ids by place, for what each page states. Sites 1 and 2 are declared, 2
    republishes."""
    address = f"sqlite:///{tmp_path_factory.mktemp('one') / 'news.db'}"
    migrations.upgrade(address)
    engine = make_engine(parse_url(address))

    def order(stated):
        with begin_write(engine) as connection:
            text_row = {"id": 1, "identity_key": "a", "content_hash": "a", "text": BODY, "extractor": "x"}
            connection.execute(insert(articles), [text_row | {"first_seen": NOW}])
            declared = [{"site": f"site{one}", "republishes": one == 2} for one in (1, 2)]
            connection.execute(insert(sites_table), declared)
            for number, one in enumerate(stated, 1):
                seen = NOW + timedelta(minutes=one["minute"])
                own = {"id": number, "url_key": f"u{number}", "url": f"https://u{number}", "site": f"site{one['site']}"}
                own |= {"state": "fetched", "first_seen": seen, "failures": 0, "article_id": 1}
                claim = f"u{one['claim']}" if one["claim"] is not None else None
                connection.execute(insert(pages_table), [own | {"claimed_canonical_key": claim}])
                connection.execute(insert(urls), [{"url_key": f"u{number}", "url": own["url"], "page_id": number}])
                row = {"page_id": number, "article_id": 1, "seen_at": seen, "last_seen": seen, "change_class": "first"}
                row |= {"verdict": "article", "extractor": "x", "published": NOW if one["stated"] & 2 else None}
                connection.execute(insert(versions), [row | {"authors": ["Ada"] if one["stated"] & 1 else None}])
            (found,) = story_pages.pages_by_story(connection, [1]).values()
            first = connection.execute(text("SELECT first_page_id FROM stories")).scalar_one()
            connection.rollback()
        assert first == found.first.page_id
        return [one.page_id for one in found.pages], found.rule

    yield order
    engine.dispose()


@pytest.mark.parametrize(
    ("stated", "order", "rule"),
    [
        ([{}], [1], "only"),
        ([{}, {}], [1, 2], "first seen"),
        ([{}, {"site": 1}], [2, 1], "declared"),
        ([{"site": 2}, {}], [2, 1], "republishes"),
        ([{"claim": 2}, {}], [2, 1], "canonical"),
        ([{"claim": 2, "site": 1}, {}], [2, 1], "canonical"),
        ([{"claim": 9}, {}], [1, 2], "first seen"),
        ([{"claim": 1}, {}], [1, 2], "first seen"),
        ([{"claim": 2}, {"claim": 1}], [1, 2], "first seen"),
        ([{"claim": 2}, {"claim": 3}, {}], [3, 1, 2], "canonical"),
        ([{"claim": 2}, {"claim": 3}, {"claim": 2}], [2, 3, 1], "canonical"),
        ([{"claim": 2}, {"claim": 3}, {"claim": 1}], [1, 2, 3], "first seen"),
        ([{}, {"stated": 1}, {"stated": 2}], [3, 2, 1], "metadata"),
        ([{}, {"site": 3, "stated": 3}], [1, 2], "first seen"),
    ],
    ids=str,
)
def test_the_rules_come_one_after_the_other(one_story, stated, order, rule):
    rows = [{"minute": place, "claim": None, "site": 0, "stated": 0} | one for place, one in enumerate(stated)]
    assert one_story(rows) == (order, rule)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stated=candidates, claim=st.integers(1, 7))
def test_no_claim_puts_a_page_further_to_the_front(one_story, stated, claim):
    without, having = ([replaced | {"claim": one} for replaced in stated[:1]] + stated[1:] for one in (None, claim))
    places = [one_story(rows)[0].index(1) for rows in (without, having)]
    assert places[0] <= places[1]


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stated=candidates, date_and_author=st.integers(0, 3), more=candidates)
def test_what_pages_of_one_site_state_moves_no_page_of_another_before_or_behind(
    one_story, stated, date_and_author, more
):
    """Neither dates and authors, nor the number of a site's later pages."""
    own = [number for number, one in enumerate(stated, 1) if one["site"] != 0]
    changed = [one | {"stated": date_and_author} if one["site"] == 0 else one for one in stated]
    added = [one | {"site": 0, "minute": 9, "claim": None} for one in more]
    orders = [[number for number in one_story(rows)[0] if number in own] for rows in (stated, changed, changed + added)]
    assert orders[0] == orders[1]
    if all(one["claim"] is None or one["claim"] <= len(stated) for one in stated):  # else they lead to added pages
        assert orders[0] == orders[2]
