"""The confidence in a text is stored with its version, read by all reports, and changes no article by itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from patience import PATIENCE

from newscrawl import reports
from newscrawl.model import Doubt
from newscrawl.reports import ArticleSelection
from newscrawl.reports.review import in_review

URL = "https://harbour.example/a"
HOUR = timedelta(hours=1)
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
