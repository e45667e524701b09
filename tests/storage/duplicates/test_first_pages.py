"""Which page of a story is shown first: by its own canonical address, by declarations and by times, on both
databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from newscrawl.article import fingerprint
from newscrawl.model import Failure, PublishedDate
from newscrawl.storage import reports
from newscrawl.storage.articles.apply import save_batch
from newscrawl.storage.articles.deciding.known import Incoming
from newscrawl.storage.articles.deciding.occasions import Occasion
from newscrawl.storage.duplicates import declared_sites, first_pages, story_members
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write
from newscrawl.storage.feed import changes
from newscrawl.storage.frontier import pages
from newscrawl.storage.records import never
from newscrawl.storage.removal.forget import forget_site
from newscrawl.storage.reports.copies import first_page
from newscrawl.storage.tables.articles import pages as pages_table
from newscrawl.storage.tables.duplicates import story_first_pages

CRAWLED, INGESTED = Occasion("crawled", never), Occasion("ingested", never)
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
BODY = " ".join(f"ferry{number}" for number in range(90))
OTHER = " ".join(f"weather{number}" for number in range(90))
COPIER, ORIGINAL = "https://copier.example/fake", "https://original.example/story"


@pytest.fixture
def connection(database):
    """A writing transaction that is rolled back."""
    engine = make_engine(parse_url(database))
    with begin_write(engine) as opened:
        yield opened
        opened.rollback()
    engine.dispose()


@pytest.fixture
def save(connection, page):
    """Stores a page of a site; returns its article's id."""

    def store(url, site, minute, body=BODY, occasion=CRAWLED, **said):
        whole = page(url, "x", site=site, fetched_at=NOW + timedelta(minutes=minute), **said)
        article = replace(whole.article, text=body, content_hash=None, identity_key=None)
        batch = [Incoming.of(fingerprint(replace(whole, article=article)))]
        return save_batch(connection, batch, occasion)[0].article_id

    return store


def shown(connection):
    """The URL, the title and the site of each exported article, the stored fronts' rules, and what `why` says."""
    (article,) = [one for one in reports.articles(connection) if one.cluster == one.id]
    rules = {row.cluster_id: row.rule for row in connection.execute(select(story_first_pages))}
    first = first_page(connection, article.id)
    assert (first.rule if first.pages > 1 else None) == rules.get(first.story)
    return article.url, article.title, article.site, first.rule


def test_a_copier_that_came_first_and_states_an_earlier_date_gives_way_to_a_declared_site(connection, save):
    earlier = PublishedDate(NOW - timedelta(days=3), "json-ld", "second")
    (number,) = {save(COPIER, "copier.example", 0, title="FAKE: ferry", authors=("Thief",), published=earlier)}
    assert save(ORIGINAL, "original", 5, title="Ferry") == number
    assert shown(connection) == (COPIER, "FAKE: ferry", "copier.example", "first seen")
    seq = changes.newest(connection)
    assert declared_sites.record(connection, {"original": False}) == {"original"}
    assert first_pages.count_pending(connection) == 1
    assert first_pages.choose_pending(connection, NOW, 9) == 1
    assert [(one.op, one.article_id) for one in changes.read(connection, seq, 9)] == [("upsert", number)]
    assert shown(connection) == (ORIGINAL, "Ferry", "original", "declared")
    declared_sites.record(connection, {"original": True})
    first_pages.choose_pending(connection, NOW, 9)
    assert shown(connection) == (COPIER, "FAKE: ferry", "copier.example", "republishes")
    declared_sites.record(connection, {}, all_of_them=True)
    first_pages.choose_pending(connection, NOW, 9)
    assert shown(connection)[3] == "first seen"


def test_a_page_gives_way_to_the_page_of_another_site_that_its_canonical_names(connection, save):
    save(COPIER, "copier.example", 0, title="Copied", canonical=f"{ORIGINAL}?utm_source=x")
    assert shown(connection)[3] == "only"
    save(ORIGINAL, "original.example", 5, title="Ferry")
    assert shown(connection) == (ORIGINAL, "Ferry", "original.example", "canonical")
    (article,) = reports.articles(connection)
    assert article.canonical is None
    assert article.sites == ("copier.example", "original.example")


def test_claims_in_a_circle_and_claims_on_others_count_for_nothing(connection, save):
    save(ORIGINAL, "original.example", 0, canonical=COPIER)
    save(COPIER, "copier.example", 5, canonical=ORIGINAL)
    assert shown(connection)[::3] == (ORIGINAL, "first seen")
    save("https://third.example/", "third.example", 9, canonical="https://third.example/other")
    assert shown(connection)[::3] == (ORIGINAL, "first seen")


def test_a_claim_that_a_page_makes_or_drops_later_changes_the_choice_and_the_feed_is_told(connection, save):
    number = save(COPIER, "copier.example", 0, title="Copied")
    save(ORIGINAL, "original.example", 5, title="Ferry")
    seq = changes.newest(connection)
    save(COPIER, "copier.example", 9, title="Copied", canonical=ORIGINAL)
    assert shown(connection)[::3] == (ORIGINAL, "canonical")
    assert [(one.op, one.article_id) for one in changes.read(connection, seq, 9)] == [("upsert", number)]
    save(COPIER, "copier.example", 12, title="Copied")
    assert shown(connection)[::3] == (COPIER, "first seen")


def test_of_near_copies_the_article_of_the_first_page_stands_for_the_story(connection, save):
    first = save(COPIER, "copier.example", 0, f"{BODY} and more", title="FAKE")
    second = save(ORIGINAL, "original", 5, title="Ferry")
    assert story_members.by_article(connection, [second])[second].cluster_id == first
    declared_sites.record(connection, {"original": False})
    assert first_pages.choose_pending(connection, NOW, 9) == 1
    assert first_pages.places_by_article(connection, [first])[first][0] == second
    save(ORIGINAL, "original", 30, f"{BODY} in the end", title="Ferry, corrected")
    assert first_page(connection, first).url == ORIGINAL


def test_a_correction_makes_nobodys_page_a_later_one(connection, save):
    first = save(ORIGINAL, "original.example", 0, title="Ferry")
    save(COPIER, "copier.example", 5, title="FAKE")
    save(ORIGINAL, "original.example", 9, f"{BODY} in the end.", title="Ferry")
    assert (first_page(connection, first).url, first_page(connection, first).rule) == (ORIGINAL, "first seen")


def test_a_page_that_goes_or_is_gone_leaves_the_story_to_the_next(connection, save):
    save(COPIER, "copier.example", 0, title="FAKE")
    number = save(ORIGINAL, "original.example", 5, title="Ferry")
    forget_site(connection, "copier.example", NOW)
    assert shown(connection)[::3] == (ORIGINAL, "only")
    assert connection.execute(select(story_first_pages)).all() == []
    save(COPIER, "copier.example", -5, title="FAKE")
    assert shown(connection)[0] == COPIER
    pages.record_failure(connection, COPIER, "copier.example", Failure("fetch/status", "410"), 410, NOW)
    assert first_page(connection, number).url == ORIGINAL


def stale(connection):
    """Rows of first pages that are not what would be chosen now."""
    stored = {row.cluster_id: (row.article_id, row.page_id) for row in connection.execute(select(story_first_pages))}
    numbers = first_pages.numbers_of(connection, connection.execute(select(pages_table.c.article_id)).scalars())
    fresh = {
        number: (story.front.first.article, story.front.first.page)
        for number, story in first_pages.pages_by_story(connection, set(numbers.values())).items()
        if len(story.pages) > 1
    }
    return stored.items() ^ fresh.items()


def test_an_older_capture_with_another_text_of_the_story_makes_its_page_the_first(connection, save):
    save("https://wire.example/1", "wire.example", -9, f"{BODY} or so")
    save("https://wire.example/1", "wire.example", -8, OTHER)
    save(COPIER, "copier.example", 0, title="FAKE")
    number = save(ORIGINAL, "original.example", 5, f"{BODY} in the end", title="Ferry")
    assert first_page(connection, number).url == COPIER
    seq = changes.newest(connection)
    save(ORIGINAL, "original.example", -5, f"{BODY} or so", occasion=INGESTED, title="Ferry")
    assert first_page(connection, number).url == ORIGINAL
    assert stale(connection) == set()
    assert [(one.op, one.article_id) for one in changes.read(connection, seq, 9)] == [("upsert", number)]


def test_a_canonical_that_comes_to_lead_to_a_page_of_the_story_counts(connection, save):
    number = save(COPIER, "copier.example", 0, title="FAKE", canonical="https://original.example/old")
    save(ORIGINAL, "original.example", 5, title="Ferry")
    assert first_page(connection, number).rule == "first seen"
    save("https://original.example/old", "original.example", 9, title="Ferry", final_url=ORIGINAL)
    assert (first_page(connection, number).url, first_page(connection, number).rule) == (ORIGINAL, "canonical")
    assert stale(connection) == set()
    save("https://original.example/old", "original.example", 12, OTHER)
    assert first_page(connection, number).rule == "first seen"
    assert stale(connection) == set()


def test_the_feed_is_told_of_a_member_whose_own_page_is_another_after_a_declaration(connection, save):
    member = save(COPIER, "copier.example", 0, title="FAKE")
    assert save(ORIGINAL, "original", 5, title="Ferry") == member
    first = save("https://wire.example/1", "wire", -9, f"{BODY} in the end", title="Wire")
    declared_sites.record(connection, {"wire": False})
    first_pages.choose_pending(connection, NOW, 9)
    assert reports.documents(connection, [member])[member].url == COPIER
    seq = changes.newest(connection)
    declared_sites.record(connection, {"wire": False, "original": False})
    first_pages.choose_pending(connection, NOW, 9)
    assert first_page(connection, member).url == "https://wire.example/1"
    assert reports.documents(connection, [member])[member].url == ORIGINAL
    assert [(one.op, one.article_id) for one in changes.read(connection, seq, 9)] == [("upsert", member)]
    assert first != member


def test_a_story_that_is_left_with_texts_of_no_page_has_no_first_page(connection, save):
    number = save(ORIGINAL, "original.example", 0)
    save(ORIGINAL, "original.example", 5, OTHER)
    for minute, url in enumerate((COPIER, f"{COPIER}/2")):
        shown = save(url, "copier.example", minute + 6, f"{BODY} or so")
    assert first_pages.places_by_article(connection, [number])[number][0] == shown
    forget_site(connection, "copier.example", NOW)
    assert connection.execute(select(story_first_pages)).all() == []
