"""What is stored beside a text: the offset of its date, and the confidence in it. All reports have it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from kinds_of_databases import ON_SQLITE
from patience import PATIENCE

from newscrawl import reports
from newscrawl.model import Doubt, PublishedDate
from newscrawl.reports import ArticleSelection
from newscrawl.reports.review import in_review

URL = "https://harbour.example/a"
HOUR = timedelta(hours=1)


@pytest.fixture
def waiting():
    return []


@pytest.fixture
def visit(store, page, now, waiting):
    """Saves a visit `hour` hours later, whose page states a date `day` days later with this offset."""

    def save(hour, offset, day=0, *, dated=True, at_once=False):
        date = PublishedDate(now + timedelta(days=day), "meta", "minute", offset is not None, offset)
        saved = store.save(page(URL, "one", fetched_at=now + hour * HOUR, published=date if dated else None))
        waiting.append(saved)
        if not at_once:
            saved.result(PATIENCE)

    return save


@pytest.fixture
def shown(store, waiting):
    """The date of the exported article, in days since the first one, and its offset."""

    def ask(now):
        for saved in waiting:
            saved.result(PATIENCE)
        with store.reading() as connection:
            (article,) = reports.articles(connection)
        return (article.published - now).days if article.published else None, article.published_offset

    return ask


@pytest.mark.parametrize(
    ("visits", "expected"),
    [
        pytest.param([(0, -180)], (0, -180), id="stated"),
        pytest.param([(0, None)], (0, None), id="not stated"),
        pytest.param([(0, None), (1, -180)], (0, -180), id="stated later"),
        pytest.param([(0, -180), (1, None)], (0, None), id="no longer stated"),
        pytest.param([(0, -180), (1, None, 1)], (1, None), id="another date without an offset"),
        pytest.param([(0, -180), (-1, 60)], (0, -180), id="an older reading changes nothing"),
        pytest.param([(0, -180), (-1, 60, -1)], (0, -180), id="an older date changes nothing"),
    ],
)
@ON_SQLITE
@pytest.mark.parametrize("at_once", [False, True], ids=["each", "in one batch"])
def test_the_offset_is_of_the_date_that_is_kept(visit, shown, now, visits, expected, at_once):
    for each in visits:
        visit(*each, at_once=at_once)
    assert shown(now) == expected


@ON_SQLITE
@pytest.mark.parametrize("at_once", [False, True], ids=["each", "in one batch"])
def test_a_reading_without_a_date_keeps_date_and_offset(visit, shown, now, at_once):
    visit(0, -180, at_once=at_once)
    visit(1, None, dated=False, at_once=at_once)
    assert shown(now) == (0, -180)


@ON_SQLITE
@pytest.mark.parametrize("at_once", [False, True], ids=["each", "in one batch"])
def test_an_older_reading_gives_date_and_offset_where_there_was_none(visit, shown, now, at_once):
    visit(1, None, dated=False, at_once=at_once)
    visit(0, 120, at_once=at_once)
    assert shown(now) == (0, 120)


def test_the_period_by_the_local_day(store, page, now):
    published = PublishedDate(now.replace(month=5, day=4, hour=1), "meta", "minute", offset=-180)
    store.save(page(URL, "one", published=published)).result(PATIENCE)
    store.save(page("https://harbour.example/undated", "two")).result(PATIENCE)
    third, fourth, fifth = (now.replace(month=5, day=day, hour=0) for day in (3, 4, 5))

    def found(*period, local):
        with store.reading() as connection:
            selection = reports.ArticleSelection(period=reports.Period(*period, local))
            return [article.url for article in reports.articles(connection, selection)]

    assert found(third, fourth, local=True) == [URL]
    assert found(third, fourth, local=False) == []
    assert found(fourth, fifth, local=True) == []
    assert found(fourth, fifth, local=False) == [URL]
    today = now.replace(hour=0)
    assert found(today, None, local=True) == found(today, None, local=False) == ["https://harbour.example/undated"]
    extremes = now.min.replace(tzinfo=now.tzinfo), now.max.replace(tzinfo=now.tzinfo)
    assert len(found(*extremes, local=True)) == 2


SURE = ArticleSelection(min_confidence=0.8)


def test_a_text_without_a_confidence_is_in_no_selection_by_it(store, page):
    for name, confidence in (("low", 0.7), ("high", 0.8), ("unknown", None)):
        store.save(page(f"{URL}/{name}", f"the {name}", confidence=confidence)).result(PATIENCE)
    with store.reading() as connection:
        every = [article.confidence for article in reports.articles(connection)]
        assert [article.url for article in reports.articles(connection, SURE)] == [f"{URL}/high"]
    assert every == [0.7, 0.8, None]


def test_the_least_confident_pages_of_the_review_queue_come_first_in_parts_of_any_size(store, page, now):
    given = {"a": 0.9, "b": None, "c": 0.25, "d": 0.9, "e": 0.0, "f": None}
    for name, confidence in given.items():
        held = page(f"{URL}/{name}", f"the {name}", fetched_at=now, confidence=confidence)
        store.save(replace(held, doubt=Doubt(("text collapsed",), held.article, needs_review=True))).result(PATIENCE)
    with store.reading() as connection:
        listed = [one.url[-1] for one in in_review(connection)]
        assert listed == list("ecdafb")
        for size in (1, 2, 4, 6):
            assert [line.url[-1] for line in _in_parts(connection, size)] == listed
    released = store.release(now + HOUR, site="harbour").result(PATIENCE)
    assert released.stored == len(given)
    with store.reading() as connection:
        assert {article.url[-1]: article.confidence for article in reports.articles(connection)} == given


def _in_parts(connection, size):
    after = None
    while part := in_review(connection, limit=size, after=after):
        yield from part
        after = part[-1].place
