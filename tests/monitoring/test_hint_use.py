"""When a hint of a site counts as one that matches nothing any more."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newscrawl.monitoring.extraction import MIN_IDLE, ExtractionBaseline, HintUse, judge_hints, with_page
from newscrawl.monitoring.samples import PageSample

NOW = datetime(2026, 11, 24, tzinfo=UTC)


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
