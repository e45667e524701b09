"""After a redesign the fourth broken page is suspect. No page of an unchanged site is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from page_samples import at, sample

from newscrawl.monitoring.extraction import ExtractionBaseline, judge_extraction
from newscrawl.monitoring.messages import extraction_text
from newscrawl.monitoring.page_checks import (
    is_as_usual,
    is_mostly,
    last_page_problems,
    mark_suspect,
    suspect_problems,
)

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


def usual(random, number):
    length = int(random.lognormvariate(7.9, 0.6))
    hashes = {"page_hash": f"p{number}", "text_hash": f"t{number}" if random.random() < 0.9 else f"twice{number // 3}"}
    return sample(
        characters=length,
        verdict="article" if length > 450 else "short",
        has_authors=random.random() < 0.7,
        has_date=random.random() < 0.95,
        **hashes,
    )


def grown(number=30, seed=1):
    random, pages = Random(seed), ExtractionBaseline()
    for n in range(number):
        pages.add(at(NOW + n * HOUR, usual(random, n)), is_alarm=False)
    return pages


def live(pages, facts):
    """Which of the facts are doubted, and for what."""
    found = []
    for n, fact in enumerate(facts):
        now = NOW + timedelta(days=9, minutes=n)
        pages.add(at(now, fact), is_alarm=judge_extraction(pages).alarm is not None)
        what = last_page_problems(pages)
        if what:
            mark_suspect(pages, what)
        found.append(what)
    return found


BROKEN = {
    "text collapsed": lambda n: sample(characters=90, page_hash=f"new{n}", text_hash=f"new{n}"),
    "not a whole article": lambda n: sample(characters=90, verdict="short", page_hash=f"new{n}", text_hash=f"new{n}"),
    "same text as another page": lambda n: sample(characters=2500, page_hash=f"new{n}", text_hash="notice"),
    "no text": lambda n: sample(failure="extraction/empty", verdict=None, page_hash=f"new{n}"),
    "title missing": lambda n: sample(has_title=False, page_hash=f"new{n}", text_hash=f"new{n}"),
    "text long": lambda n: sample(characters=90_000, page_hash=f"new{n}", text_hash=f"new{n}"),
}


@pytest.mark.parametrize("number", [30, 300])
@pytest.mark.parametrize("what", BROKEN)
def test_a_redesign_is_doubted_from_the_fourth_or_fifth_page_on_and_for_as_long_as_it_lasts(what, number):
    pages = grown(number)
    found = live(pages, [BROKEN[what](n) for n in range(60)])
    first = next(n for n, one in enumerate(found) if one)
    assert first <= 5
    assert all(what in one for one in found[first:])
    assert judge_extraction(pages).alarm == "critical"


def test_pages_that_break_in_different_ways_are_taken_together():
    kinds = [BROKEN["text collapsed"], BROKEN["no text"], BROKEN["same text as another page"]]
    found = live(grown(), [kinds[n % 3](n) for n in range(12)])
    assert all(found[5:])


@pytest.mark.parametrize("seed", range(6))
def test_a_site_as_it_always_was_is_hardly_ever_doubted(seed):
    random = Random(seed)
    assert sum(map(bool, live(grown(30, seed), [usual(random, 1000 + n) for n in range(300)]))) <= 2


@pytest.mark.parametrize("gone", [{"has_authors": False, "used_fallback": True}, {"has_date": False}])
def test_authors_or_dates_that_are_gone_and_another_extractor_hold_nothing_back(gone):
    found = live(grown(300), [sample(**gone, page_hash=f"n{n}", text_hash=f"n{n}") for n in range(30)])
    assert not any(found)


def test_a_missing_date_is_named_beside_what_makes_a_page_suspect():
    pages = grown(30)
    live(pages, [sample(has_date=False, page_hash=f"d{n}", text_hash=f"d{n}") for n in range(3)])
    broken = {"has_title": False, "has_date": False}
    found = live(pages, [sample(**broken, page_hash=f"n{n}", text_hash=f"n{n}") for n in range(6)])
    assert found[-1] == ("published missing", "title missing")
    assert suspect_problems(pages)[0] == 6, "the pages that lack only the date are not suspect"
    text = extraction_text(judge_extraction(pages), pages).message
    assert "suspect pages: published missing in 6 of 6, title missing in 6 of 6, authors present;" in text


def test_of_a_new_site_nothing_is_doubted():
    assert not any(live(ExtractionBaseline(), [BROKEN["text collapsed"](n) for n in range(40)]))


def test_a_page_seen_again_with_its_own_text_is_no_repetition():
    assert not any(live(grown(), [sample(page_hash="one", text_hash="one") for _ in range(20)]))


def test_while_some_pages_are_broken_the_others_are_believed():
    pages = grown(300)
    facts = [BROKEN["title missing"](n) if n % 4 else sample(page_hash=f"g{n}", text_hash=f"g{n}") for n in range(40)]
    found = live(pages, facts)
    assert not any(found[::4])
    assert all(one for n, one in enumerate(found) if n > 8 and n % 4)


def test_what_was_broken_before_it_was_known_does_not_become_usual():
    pages = grown(30)
    live(pages, [BROKEN["text collapsed"](n) for n in range(60)])
    assert not is_as_usual(pages, sample(characters=95))
    assert is_as_usual(pages, sample(characters=2800, page_hash="x", text_hash="x"))
    assert not is_as_usual(pages, sample(characters=2800, has_title=False))
    assert not is_as_usual(pages, sample(failure="extraction/empty"))


def test_when_the_pages_are_as_before_nothing_is_doubted_and_the_alarm_ends():
    pages = grown(30)
    live(pages, [BROKEN["no text"](n) for n in range(20)])
    assert not any(live(pages, [sample(page_hash=f"g{n}", text_hash=f"g{n}") for n in range(9)]))
    assert judge_extraction(pages).can_close


def test_what_an_alarm_says_is_wrong_is_doubted_at_once():
    pages = grown(300)
    pages.add(at(NOW, sample(has_date=False)), is_alarm=True)
    assert last_page_problems(pages, {"published missing", "authors missing"}) == ()
    pages.add(at(NOW, sample(has_date=False, has_title=False)), is_alarm=True)
    assert last_page_problems(pages) == ()
    named = {"published missing", "title missing"}
    assert last_page_problems(pages, named) == ("published missing", "title missing")


def test_a_text_with_one_line_more_is_the_same():
    notice = "\n\n".join("We count who you are and what you read. " * 5 for _ in range(3))
    assert is_mostly(f"Story 7\n\n{notice}", notice)
    assert not is_mostly(f"{notice}\n\n{'Another text of its own. ' * 60}", notice)
    assert not is_mostly("A text. " * 20, "")
