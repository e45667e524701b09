"""An extraction that loses fields after a redesign is noticed within a few dozen pages, and a hint that matches nothing
any more."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import msgspec
import pytest
from page_samples import at, sample

from newscrawl.monitoring.extraction import (
    LATEST,
    MIN_IDLE,
    USUAL,
    ExtractionBaseline,
    HintUse,
    commonest_failure,
    judge_extraction,
    judge_hints,
    usual_length,
    with_page,
)
from newscrawl.monitoring.samples import PageSample

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def usual(random, **changes):
    """A page of a site with texts of all lengths, an author on four of five, some without a date."""
    length, has_authors, has_date = random.randint(800, 9000), random.random() < 0.8, random.random() < 0.98
    return sample(characters=length, has_authors=has_authors, has_date=has_date, **changes)


def grown(number=200, seed=1, hashes=lambda _number: {}):
    """A site's memory."""
    random, pages = Random(seed), ExtractionBaseline()
    for n in range(number):
        pages.add(at(NOW + timedelta(minutes=n), usual(random, **hashes(n))), is_alarm=False)
    return pages


def alarm_after(pages, fact, most=60):
    """How many pages like `fact` it takes, and the judgement then."""
    for number in range(1, most + 1):
        pages.add(at(NOW + timedelta(days=1, minutes=number), fact), is_alarm=False)
        broken = judge_extraction(pages)
        if broken.alarm:
            return number, broken
    return None, judge_extraction(pages)


@pytest.mark.parametrize(
    ("fact", "what", "severity"),
    [
        (sample(has_date=False), "published missing", "warning"),
        (sample(has_authors=False), "authors missing", "warning"),
        (sample(has_title=False), "title missing", "critical"),
        (sample(characters=90), "text short", "critical"),
        (sample(characters=60_000), "text long", "warning"),
        (sample(used_fallback=True), "fallback used", "warning"),
        (sample(failure="extraction/empty"), "page failed", "critical"),
        (sample(verdict="paywalled"), "not a whole article", "warning"),
    ],
)
def test_a_redesign_is_noticed_within_two_dozen_pages(fact, what, severity):
    number, broken = alarm_after(grown(), fact)
    assert number is not None
    assert number <= 24
    assert what in {change.problem for change in broken.changes}
    assert broken.alarm == severity
    assert broken.since is not None


def test_a_few_articles_among_pages_that_failed_say_nothing_of_their_fields():
    pages = grown()
    for n in range(LATEST):
        fact = sample(has_title=False) if n < 11 else sample(failure="http/500")
        pages.add(at(NOW + timedelta(days=1, minutes=n), fact), is_alarm=False)
    assert [change.problem for change in judge_extraction(pages).changes] == ["page failed"]


def test_the_alarm_begins_with_the_first_page_that_missed():
    _, broken = alarm_after(grown(), sample(has_title=False))
    assert broken.since == NOW + timedelta(days=1, minutes=1)


def test_a_site_as_it_always_was_is_no_alarm():
    random, pages = Random(7), grown()
    for n in range(2000):
        pages.add(at(NOW + timedelta(minutes=n), usual(random)), is_alarm=False)
        assert judge_extraction(pages).alarm is None


def test_during_an_alarm_nothing_becomes_usual_and_it_ends_when_the_pages_are_as_before():
    pages = grown()
    alarm_after(pages, sample(has_date=False))
    base = pages.usual
    for n in range(500):
        pages.add(at(NOW + timedelta(days=2, minutes=n), sample(has_date=False)), is_alarm=True)
    assert pages.usual == base
    assert judge_extraction(pages).alarm
    needed = 0
    while not judge_extraction(pages).can_close:
        needed += 1
        pages.add(at(NOW + timedelta(days=3, minutes=needed), sample()), is_alarm=True)
    assert 10 < needed <= LATEST


def test_the_memory_is_bounded_and_survives_a_restart():
    pages = grown(3000, hashes=lambda n: {"page_hash": f"page{n:04}", "text_hash": f"text{n:04}"})
    assert (len(pages.usual), len(pages.latest)) == (USUAL, LATEST)
    text = msgspec.json.encode(pages)
    assert len(text) < 13_000
    assert msgspec.json.decode(text, type=ExtractionBaseline) == pages


def test_the_commonest_failure_is_named_and_lengths_are_told():
    pages = grown()
    pages.add(at(NOW, sample(failure="verdict/bot wall@x")), is_alarm=False)
    assert commonest_failure(pages.latest) == "verdict/bot wall@x"
    assert commonest_failure(pages.usual) is None
    middle, deviation = usual_length(pages.usual)
    assert 3_000 < middle < 7_000
    assert 1_000 < deviation < 4_000
    assert usual_length(()) == (0.0, 0.0)


def after(history: str, label: str = "drop .box") -> tuple[HintUse, ...]:
    """The uses after articles that the hint matched (x) or not (.)."""
    uses: tuple[HintUse, ...] = ()
    for page in history:
        uses = with_page(uses, [label] if page == "x" else [], [] if page == "x" else [label])
    return uses


@pytest.mark.parametrize(
    ("history", "is_dead"),
    [
        ("." * (MIN_IDLE - 1), False),
        ("." * MIN_IDLE, True),
        ("x" * 50 + "." * (MIN_IDLE - 1), False),
        ("x" * 50 + "." * MIN_IDLE, True),
        (("x" + "." * 9) * 20 + "." * 60, False),
        (("x" + "." * 9) * 20 + "." * 90, True),
        ("." * 40 + "x", False),
    ],
)
def test_a_hint_is_dead_after_more_articles_the_seldomer_it_matched(history: str, is_dead: bool) -> None:
    judgement = judge_hints(after(history))
    assert (judgement.alarm, judgement.can_close) == (("warning", False) if is_dead else (None, True))


def test_a_hint_that_is_no_longer_declared_is_forgotten() -> None:
    uses = with_page(after("." * 40), ["drop .other"], [])
    assert uses == (HintUse("drop .other", 1, 1, 0),)
    assert judge_hints(()).can_close


def test_the_counts_are_kept_with_the_baseline_and_the_labels_are_not() -> None:
    baseline = ExtractionBaseline()
    for number in range(40):
        at = NOW + timedelta(hours=number)
        baseline.add(PageSample(at, hints_matched=("title h1",), hints_idle=("drop .box",)), is_alarm=False)
    baseline.add(PageSample(NOW + timedelta(days=9), failure="http/500"), is_alarm=False)
    assert baseline.hints == (HintUse("drop .box", 40, 0, 40), HintUse("title h1", 40, 40, 0))
    assert all(not sample.hints_idle for sample in (*baseline.usual, *baseline.latest))
