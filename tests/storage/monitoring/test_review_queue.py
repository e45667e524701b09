"""A page in review changes nothing that readers see. A credible reading, a release or the end of its page removes
it."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import timedelta

import pytest
from patience import PATIENCE
from sqlalchemy import update

from newscrawl.model import Doubt, Image, LiveEntry, UsageRights
from newscrawl.model.identity import url_key
from newscrawl.reports import articles, url_report
from newscrawl.reports.review import in_review
from newscrawl.storage.feed import changes
from newscrawl.storage.monitoring import review_queue, samples
from newscrawl.storage.monitoring.release import Released
from newscrawl.storage.removal import blocklist, forget
from newscrawl.storage.tables.operations import review_queue as review_table

URL = "https://harbour.example/ferry"
HOUR = timedelta(hours=1)


def doubted(page, *, reasons=("text collapsed",)):
    return replace(page, doubt=Doubt(reasons, page.article or page.failure, needs_review=True))


def told(store, url=URL):
    with store.reading() as connection:
        return url_report(connection, url)


def shown(store):
    with store.reading() as connection:
        return [(article.url, article.text[:9]) for article in articles(connection)], changes.newest(connection)


@pytest.mark.parametrize("together", [True, False])
def test_within_a_batch_the_later_reading_counts(store, save, page, now, together):
    first, second = doubted(page(URL, "a notice")), page(URL, "the ferry", fetched_at=now + HOUR)
    if together:
        save(first, second)
    else:
        save(first)
        save(second)
    assert told(store).in_review == []
    save(doubted(page(URL, "a notice", fetched_at=now - HOUR)))  # an older capture
    assert told(store).in_review == []
    assert [text for _, text in shown(store)[0]] == ["the ferry"]


@pytest.mark.parametrize("released", [True, False])
def test_a_page_that_was_led_elsewhere_is_known_under_both_addresses(store, save, page, now, released):
    other = "https://harbour.example/moved"
    [outcome] = save(doubted(page(URL, "the ferry", final_url=other)))
    assert outcome.kind == "held_for_review"
    assert len(told(store).in_review) == 1
    assert told(store).in_review == told(store, other).in_review
    if released:
        assert store.release(now, url_keys=[url_key(other)]).result(timeout=PATIENCE).stored == 1
    else:
        save(page(URL, "the ferry", final_url=other, fetched_at=now + HOUR))
    assert told(store).in_review == told(store, other).in_review == []
    assert told(store).page.page == told(store, other).page.page
    assert [address for address, _ in shown(store)[0]] == [other]


def test_a_release_stores_what_was_in_review_with_all_it_said(store, save, page, now):
    use = UsageRights(noarchive=True)
    image = Image("https://harbour.example/a.jpg", "Noon", width=640)
    entry = LiveEntry(now, 60, "Ferries stop", "The last ferry has left.", "e1")
    stated = {"images": (image,), "live_entries": (entry,)}
    whole = page(URL, "the ferry", authors=("A. Writer",), tags=("sea",), section="Harbour", **stated)
    save(doubted(replace(whole, use=use)), doubted(page(f"{URL}/2")))
    released = store.release(now + HOUR, site="harbour").result(timeout=PATIENCE)
    assert (released.stored, released.kept, released.empty) == (1, 0, 1)
    assert [text for _, text in shown(store)[0]] == ["the ferry"]
    assert shown(store)[1] == 1
    known = told(store)
    assert known.in_review == []
    assert (known.page.page.failure_kind, known.page.page.use) == (None, use)
    [version] = known.page.versions
    assert (version.seen_at, version.authors, version.title) == (now, ("A. Writer",), "About the ferry")
    assert [event.kind for event in known.events] == ["stored/held_for_review", "stored/inserted", "stored/released"]
    with store.reading() as connection:
        [document] = articles(connection)
    assert document.text == whole.article.text
    assert [Image(**stored) for stored in document.images] == [image]
    assert document.live_entries == ({**asdict(entry), "at": now.isoformat()},)


def test_a_release_counts_pages_that_were_blocked_or_refused_apart_from_those_that_changed_nothing(
    store, save, page, now
):
    same, blocked, bad = page(URL, "the ferry"), page(f"{URL}/2", "another"), page(f"{URL}/3", "bad")
    save(same)
    save(doubted(same), doubted(blocked), doubted(bad))
    store.run(blocklist.add, [blocklist.key_of_url(url_key(f"{URL}/2"))], now).result(timeout=PATIENCE)
    of_bad = review_table.c.url_key == url_key(f"{URL}/3")
    unreadable = update(review_table).where(of_bad).values(content_hash=None)
    store.run(lambda connection: connection.execute(unreadable)).result(timeout=PATIENCE)
    released = store.release(now + HOUR, site="harbour").result(timeout=PATIENCE)
    assert released == Released(stored=0, kept=1, empty=0, blocked=1, refused=1)
    assert released.pages == 3
    assert released + Released(stored=2, refused=1) == Released(stored=2, kept=1, blocked=1, refused=2)


def test_what_is_forgotten_is_not_in_review_either(store, save, page, now):
    save(doubted(page(URL, "the ferry")), doubted(page(f"{URL}/2", "another")))
    store.run(forget.forget_url, URL, now).result(timeout=PATIENCE)
    with store.reading() as connection:
        assert [one.url for one in in_review(connection)] == [f"{URL}/2"]
        assert review_queue.counts(connection) == {"harbour": 1}
        assert in_review(connection, "meadow") == []


def test_the_text_of_another_extractor_says_so_and_the_first_is_what_is_watched(store, save, page):
    first = page(URL, "a notice", verdict="short").article
    save(replace(page(URL, "the ferry"), doubt=Doubt(("text collapsed",), first, needs_review=False)))
    assert [event.kind for event in told(store).events] == ["stored/inserted", "stored/other_extractor"]
    [seen] = store.run(samples.take, 10).result(timeout=PATIENCE).by_site["harbour"]
    assert (seen.is_suspect, seen.verdict, seen.characters) == (True, "short", len("a notice"))
