"""Extraction that silently loses something after a redesign is noticed within a few dozen pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from watch_facts import Fact

from newscrawl.monitoring.extraction_baseline import (
    BASE,
    RECENT,
    Pages,
    commonest_failure,
    judge_pages,
    lengths_of,
    page_word,
    usual_length,
)

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def grown(number=200, seed=1):
    """A site's memory: texts of all lengths, an author on four of five, some without a date."""
    random, pages = Random(seed), Pages()
    for n in range(number):
        fact = Fact(characters=random.randint(800, 9000), authored=random.random() < 0.8, dated=random.random() < 0.98)
        pages.add(page_word(fact), NOW + timedelta(minutes=n), is_alarm=False)
    return pages


def alarm_after(pages, fact, most=60):
    """How many pages like `fact` it takes, and the judgement then."""
    for number in range(1, most + 1):
        pages.add(page_word(fact), NOW + timedelta(days=1, minutes=number), is_alarm=False)
        broken = judge_pages(pages)
        if broken.alarm:
            return number, broken
    return None, judge_pages(pages)


@pytest.mark.parametrize(
    ("fact", "what", "severity"),
    [
        (Fact(dated=False), "published missing", "warning"),
        (Fact(authored=False), "authors missing", "warning"),
        (Fact(titled=False), "title missing", "critical"),
        (Fact(characters=90), "text short", "critical"),
        (Fact(characters=60_000), "text long", "warning"),
        (Fact(fell_back=True), "fallback used", "warning"),
        (Fact(failure="extraction/empty"), "page failed", "critical"),
        (Fact(verdict="paywalled"), "not a whole article", "warning"),
    ],
)
def test_a_redesign_is_noticed_within_two_dozen_pages(fact, what, severity):
    number, broken = alarm_after(grown(), fact)
    assert number is not None
    assert number <= 24
    assert what in {miss.what for miss in broken.misses}
    assert broken.alarm == severity
    assert broken.since is not None


def test_the_alarm_begins_with_the_first_page_that_missed():
    _, broken = alarm_after(grown(), Fact(titled=False))
    assert broken.since == NOW + timedelta(days=1, minutes=1)


def test_a_site_as_it_always_was_is_no_alarm():
    random, pages = Random(7), grown()
    for n in range(2000):
        fact = Fact(characters=random.randint(800, 9000), authored=random.random() < 0.8, dated=random.random() < 0.98)
        pages.add(page_word(fact), NOW + timedelta(minutes=n), is_alarm=False)
        assert judge_pages(pages).alarm is None


def test_a_site_that_never_states_authors_is_no_alarm():
    pages = Pages()
    for n in range(200):
        pages.add(page_word(Fact(authored=False)), NOW + timedelta(minutes=n), is_alarm=False)
    assert judge_pages(pages).known
    assert judge_pages(pages).alarm is None


def test_a_new_site_has_nothing_usual():
    assert not judge_pages(grown(60)).known


def test_during_an_alarm_nothing_becomes_usual_and_it_ends_when_the_pages_are_as_before():
    pages = grown()
    alarm_after(pages, Fact(dated=False))
    base = pages.base
    for n in range(500):
        pages.add(page_word(Fact(dated=False)), NOW + timedelta(days=2, minutes=n), is_alarm=True)
    assert pages.base == base
    assert judge_pages(pages).alarm
    needed = 0
    while not judge_pages(pages).over:
        needed += 1
        pages.add(page_word(Fact()), NOW + timedelta(days=3, minutes=needed), is_alarm=True)
    assert 10 < needed <= RECENT


def test_an_operator_can_call_it_usual():
    pages = grown()
    alarm_after(pages, Fact(dated=False))
    pages.accept()
    assert not judge_pages(pages).known


def test_the_memory_is_bounded_and_survives_a_restart():
    pages = grown(3000)
    assert (len(pages.base), len(pages.recent)) == (BASE, RECENT)
    base, recent = pages.written()
    assert len(base) + len(recent) < 6_000
    assert Pages.read(base, recent) == pages
    assert Pages.read(None, None) == Pages()


def test_the_lengths_of_what_is_usual_are_those_of_its_pages_however_it_came_about():
    random, pages = Random(3), Pages()
    for number in range(BASE + RECENT + 90):
        failure = "extraction/empty" if random.random() < 0.1 else None
        fact = Fact(characters=random.randint(1, 60), failure=failure)
        pages.add(page_word(fact), NOW + timedelta(minutes=number), is_alarm=False)
        assert pages.base_lengths() == Pages(pages.base).base_lengths() == lengths_of(pages.base)
    pages.accept()
    assert pages.base_lengths() == []


def test_the_commonest_failure_is_named_and_lengths_are_told():
    pages = grown()
    pages.add(page_word(Fact(failure="verdict/bot wall@x")), NOW, is_alarm=False)
    assert commonest_failure(pages.recent) == "verdict/bot_wall_x"
    assert commonest_failure(pages.base) is None
    middle, deviation = usual_length(pages.base)
    assert 3_000 < middle < 7_000
    assert 1_000 < deviation < 4_000
    assert usual_length(()) == (0.0, 0.0)
