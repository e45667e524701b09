"""What is held back changes nothing that a page shows, and leaves by a good reading, a release, or with its page."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from patience import PATIENCE

from newscrawl.identity import url_key
from newscrawl.model import Doubt, Failure, RawPage, UsageRights
from newscrawl.storage.feed import changes
from newscrawl.storage.frontier import pages
from newscrawl.storage.monitoring import baselines, review_queue
from newscrawl.storage.removal import forget
from newscrawl.storage.reports import articles, story

URL = "https://harbour.example/ferry"
HOUR = timedelta(hours=1)


def held_back(page, *, reasons=("text collapsed",)):
    return replace(page, doubt=Doubt(reasons, page.article or page.failure, held=True))


@pytest.fixture
def save(store):
    def save(*given):
        futures = [store.save(one) for one in given]
        store.flush()
        return [future.result(timeout=PATIENCE) for future in futures]

    return save


def told(store, url=URL):
    with store.reading() as connection:
        return story(connection, url)


def shown(store):
    with store.reading() as connection:
        return [(article.url, article.text[:9]) for article in articles(connection)], changes.newest(connection)


def test_a_new_page_that_is_held_back_is_in_no_article_and_visited_again(store, save, page, now):
    [outcome] = save(held_back(page(URL, "the ferry")))
    assert (outcome.kind, outcome.article_id, outcome.first) == ("held", None, True)
    assert shown(store) == ([], 0)
    known = told(store)
    assert (known.page.page.state, known.page.page.failure_kind) == ("failed", "held/broken")
    assert known.page.versions == []
    assert [event.kind for event in known.events] == ["stored/held"]
    [kept] = known.held
    assert (kept.title, kept.reasons, kept.at) == ("About the ferry", ("text collapsed",), now)
    [again] = save(held_back(page(URL, "the ferry", fetched_at=now + HOUR)))
    assert (again.kind, again.first) == ("held", False)
    [kept] = told(store).held
    assert kept.at == now + HOUR
    [seen, _] = store.run(baselines.take, 10).result(timeout=PATIENCE)
    assert (seen.is_new, seen.doubted, seen.verdict) == (True, True, "article")


def test_a_good_version_stays_and_its_next_reading_ends_what_was_held(store, save, page, now):
    save(page(URL, "the ferry"))
    before = shown(store)
    [outcome] = save(held_back(page(URL, "a notice", fetched_at=now + HOUR)))
    assert outcome.kind == "held"
    assert shown(store) == before
    assert told(store).page.page.state == "fetched"
    assert len(told(store).held) == 1
    [outcome] = save(page(URL, "the ferry", fetched_at=now + 2 * HOUR))
    assert outcome.kind == "unchanged"
    assert told(store).held == []


@pytest.mark.parametrize("together", [True, False])
def test_within_a_batch_the_later_reading_counts(store, save, page, now, together):
    first, second = held_back(page(URL, "a notice")), page(URL, "the ferry", fetched_at=now + HOUR)
    if together:
        save(first, second)
    else:
        save(first)
        save(second)
    assert told(store).held == []
    save(held_back(page(URL, "a notice", fetched_at=now - HOUR)))  # an older capture
    assert told(store).held == []
    assert [text for _, text in shown(store)[0]] == ["the ferry"]


@pytest.mark.parametrize("released", [True, False])
def test_a_page_that_was_led_elsewhere_is_known_under_both_addresses(store, save, page, now, released):
    other = "https://harbour.example/moved"
    [outcome] = save(held_back(page(URL, "the ferry", final_url=other)))
    assert outcome.kind == "held"
    assert len(told(store).held) == 1
    assert told(store).held == told(store, other).held
    if released:
        assert store.release(now, url_keys=[url_key(other)]).result(timeout=PATIENCE).stored == 1
    else:
        save(page(URL, "the ferry", final_url=other, fetched_at=now + HOUR))
    assert told(store).held == told(store, other).held == []
    assert told(store).page.page == told(store, other).page.page
    assert [address for address, _ in shown(store)[0]] == [other]


def test_a_release_stores_what_was_held_with_all_it_said(store, save, page, now):
    use = UsageRights(noarchive=True)
    whole = page(URL, "the ferry", authors=("A. Writer",), tags=("sea",), section="Harbour")
    save(held_back(replace(whole, use=use)), held_back(page(f"{URL}/2")))
    released = store.release(now + HOUR, site="harbour").result(timeout=PATIENCE)
    assert (released.stored, released.kept, released.empty) == (1, 0, 1)
    assert [text for _, text in shown(store)[0]] == ["the ferry"]
    assert shown(store)[1] == 1
    known = told(store)
    assert known.held == []
    assert (known.page.page.failure_kind, known.page.page.use) == (None, use)
    [version] = known.page.versions
    assert (version.seen_at, version.authors, version.title) == (now, ["A. Writer"], "About the ferry")
    assert [event.kind for event in known.events] == ["stored/held", "stored/inserted", "stored/released"]
    with store.reading() as connection:
        [document] = articles(connection)
    assert document.text == whole.article.text


def test_pages_without_a_text_are_held_and_their_state_says_why(store, save, page, now):
    failed = page(URL, failure=Failure("extraction/empty", "nothing"))
    save(held_back(failed, reasons=("no text",)))
    [kept] = told(store).held
    assert (kept.failure, kept.characters) == ("extraction/empty", None)
    assert store.run(pages.due, "harbour", now, 10).result(timeout=PATIENCE) == []  # it is not asked for at once


def test_what_is_forgotten_is_not_held_either(store, save, page, now):
    save(held_back(page(URL, "the ferry")), held_back(page(f"{URL}/2", "another")))
    store.run(forget.forget_url, URL, now).result(timeout=PATIENCE)
    with store.reading() as connection:
        assert [one.url for one in review_queue.listed(connection)] == [f"{URL}/2"]
        assert review_queue.counts(connection) == {"harbour": 1}
        assert review_queue.listed(connection, "meadow") == []


def test_the_text_of_another_extractor_says_so_and_the_first_is_what_is_watched(store, save, page):
    first = page(URL, "a notice", verdict="short").article
    save(replace(page(URL, "the ferry"), doubt=Doubt(("text collapsed",), first, held=False)))
    assert [event.kind for event in told(store).events] == ["stored/inserted", "stored/other_extractor"]
    [seen] = store.run(baselines.take, 10).result(timeout=PATIENCE)
    assert (seen.doubted, seen.verdict, seen.characters) == (True, "short", len("a notice"))


def test_held_pages_of_other_sites_stay_when_one_is_released(store, save, page, now):
    save(held_back(page(URL, "the ferry")), held_back(page("https://meadow.example/a", "a cow", site="meadow")))
    assert store.release(now, site="meadow").result(timeout=PATIENCE).stored == 1
    raw = RawPage(URL, URL, 200, {}, None, now, "harbour")
    assert told(store).held[0].url == raw.url
