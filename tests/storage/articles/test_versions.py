"""Every distinct content of a page is kept with its class; other changes make no version."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from patience import PATIENCE
from sqlalchemy import select

from newscrawl import reports
from newscrawl.identity import content_hash, identity_key, url_key
from newscrawl.reports.history import history
from newscrawl.storage.articles.deciding.revision_class import MAX_VERSIONS
from newscrawl.storage.feed.changes import read
from newscrawl.storage.tables.articles import headlines

URL = "https://harbour.example/a"
LEAD = "The council of the harbour town met on Tuesday evening and spoke for four hours about the new ferry."
BODY = (
    "Two of its members left the room before the vote was taken. The mayor said that the quay would be ready soon.\n\n"
    "Fishermen had asked for a longer jetty. Their speaker called the plan a gift to the hotels on the other shore."
)
TEXT = f"{LEAD}\n\n{BODY}"


@pytest.fixture
def visit(store, page, now):
    """Saves a visit of the page so many hours after the first, and returns its outcome."""

    def make(hour, text, url=URL, **changes):
        hashes = {"content_hash": content_hash(text), "identity_key": identity_key(text, url_key(url), 99)}
        made = page(url, "x", fetched_at=now + timedelta(hours=hour), **hashes | changes)
        future = store.save(replace(made, article=replace(made.article, text=text)))
        store.flush()
        return future.result(timeout=PATIENCE)

    return make


def told(store):
    with store.reading() as connection:
        return history(connection, URL)


def shown(store):
    with store.reading() as connection:
        return [article.text for article in reports.articles(connection)]


def test_a_title_that_changes_over_one_text_is_a_version_of_its_own(store, visit):
    kinds = [visit(hour, TEXT, title=title).kind for hour, title in enumerate(["Ferry", "Ferry", "Ferries", "Ferry"])]
    assert kinds == ["inserted", "unchanged", "new_version", "unchanged"]
    assert [(one.change_class, one.title) for one in told(store).versions] == [
        ("first", "Ferry"),
        ("headline", "Ferries"),
    ]
    with store.reading() as connection:
        assert [change.op for change in read(connection, 0, 9)] == ["upsert"] * 3
        assert next(reports.articles(connection)).title == "Ferry"


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


def test_titles_of_a_page_that_became_another_go_with_it(store, visit):
    for hour, title in enumerate(["Ferry", "Ferries"]):
        visit(hour, TEXT, title=title)
    visit(3, TEXT, title="Ferries", final_url="https://harbour.example/moved")
    with store.reading() as connection:
        moved = history(connection, "https://harbour.example/moved")
        assert [one.title for one in moved.versions] == ["Ferry", "Ferries"]
        assert len(connection.execute(select(headlines)).all()) == 2
