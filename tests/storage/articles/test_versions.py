"""Every distinct content of a page is kept with its class; other changes make no version."""

from __future__ import annotations

from datetime import timedelta

import pytest
from kinds_of_databases import ON_SQLITE
from made_pages import made_page
from patience import PATIENCE

from newscrawl import reports
from newscrawl.model import Image, PublishedDate
from newscrawl.reports.history import history
from newscrawl.storage.articles.deciding.revision_class import MAX_VERSIONS
from newscrawl.storage.feed.changes import read

pytestmark = ON_SQLITE

URL = "https://harbour.example/a"
LEAD = "The council of the harbour town met on Tuesday evening and spoke for four hours about the new ferry."
BODY = (
    "Two of its members left the room before the vote was taken. The mayor said that the quay would be ready soon.\n\n"
    "Fishermen had asked for a longer jetty. Their speaker called the plan a gift to the hotels on the other shore."
)
TEXT = f"{LEAD}\n\n{BODY}"


@pytest.fixture
def visit(store, now):
    """Saves a visit of the page so many hours after the first, and returns its outcome."""

    def make(hour, text, url=URL, **changes):
        made = made_page(url, text, fetched_at=now + timedelta(hours=hour), **changes)
        return store.save(made).result(timeout=PATIENCE)

    return make


def told(store):
    with store.reading() as connection:
        return history(connection, URL)


def shown(store):
    with store.reading() as connection:
        return [article.text for article in reports.articles(connection)]


def test_boilerplate_makes_no_version(store, visit):
    visit(0, f"{LEAD}\n\n1,204 shares\n\n{BODY}")
    outcome = visit(1, f"{LEAD}\n\n1,388 shares\n\n{BODY}")
    assert (outcome.kind, outcome.reason) == ("unchanged", "only the boilerplate around the text changed")
    assert len(told(store).versions) == 1
    with store.reading() as connection:
        assert reports.url_report(connection, URL).events[-1].kind == "stored/boilerplate_only"


def test_a_page_that_was_cut_off_keeps_its_good_version_and_one_withdrawn_waits_for_review(store, visit, now):
    visit(0, TEXT)
    assert visit(1, LEAD).kind == "unchanged"
    assert shown(store) == [TEXT]
    notice = "This report has been withdrawn. It named a company that had no part in the matter, and we regret that."
    assert visit(2, notice).kind == "held_for_review"
    assert shown(store) == [TEXT]
    assert store.release(now + timedelta(hours=3)).result(timeout=PATIENCE).stored == 1
    assert shown(store) == [notice]


def test_a_page_that_changes_at_every_hit_stops_making_versions_for_the_day(store, visit):
    kinds = [visit(hour / 4, f"{TEXT} Number {hour} was drawn in the hall.").kind for hour in range(MAX_VERSIONS + 6)]
    assert kinds.count("new_version") == MAX_VERSIONS - 1
    assert kinds[-6:] == ["unchanged"] * 6
    with store.reading() as connection:
        assert reports.url_report(connection, URL).events[-1].kind == "stored/too_many_versions"
    last = f"{TEXT} Nobody won in the end."
    assert visit(48, last).kind == "new_version"
    assert shown(store) == [last]


IMAGES = (Image("https://harbour.example/a.jpg", "Noon", "Ada", 1200, 800), Image("https://harbour.example/b.jpg"))
BESIDE = {
    "confidence": (0.5, 0.9),
    "images": (IMAGES, (Image("https://harbour.example/a.jpg?token=2"),)),
    "published_offset": (None, -180),
}
"""Values that are stored with a text and make no change of it: that of the first reading, and another one."""


@pytest.mark.parametrize("name", BESIDE)
def test_another_value_beside_the_text_is_no_change_and_a_reading_without_one_keeps_it(store, visit, now, name):
    first, other = BESIDE[name]

    def said(value):
        if name != "published_offset":
            return {name: value}
        return {"published": PublishedDate(now, "meta", "minute", value is not None, value)}

    def kept():
        with store.reading() as connection:
            (article,) = reports.articles(connection)
            return getattr(article, name), len(read(connection, 0, 99))

    visit(0, TEXT, **said(first))
    before, number = kept()
    visit(1, TEXT)
    assert kept() == (before, number) == (before, 1)
    visit(2, TEXT, **said(other))
    assert kept()[0] != before
    assert kept()[1] == number
