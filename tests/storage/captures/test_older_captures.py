"""Archives have captures in any order: only their times decide what a page shows, and its history."""

from __future__ import annotations

from datetime import timedelta

from effort import examples
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from memory_database import empty_tables
from sqlalchemy import select

from newscrawl import reports
from newscrawl.storage.articles.apply import save_batch
from newscrawl.storage.articles.deciding.known import Incoming, Occasion
from newscrawl.storage.records import never
from newscrawl.storage.tables.articles import articles, pages, versions

CRAWLED = Occasion("crawled", never)
URL = "https://harbour.example/a"
OTHER = "https://harbour.example/b"


def capture(page, now, hour, text, url=URL):
    when = {"fetched_at": now + timedelta(hours=hour)}
    if text == "failed":
        return page(url, **when)
    if text == "short":
        return page(url, "More soon.", verdict="short", title=f"at {hour}", **when)
    return page(url, text, title=f"at {hour}", **when)


def stored(captures, size=1):
    """What stays of the captures; short texts are not compared but where they are what a page shows."""
    with empty_tables() as connection:
        for start in range(0, len(captures), size):
            save_batch(connection, [Incoming.of(one) for one in captures[start : start + size]], CRAWLED)
        texts = {row.id: row.text for row in connection.execute(select(articles))}
        keys = {row.id: row.url for row in connection.execute(select(pages))}
        return {
            "pages": {
                (row.url, texts.get(row.article_id), row.verdict, row.state, row.first_seen, row.last_fetched)
                for row in connection.execute(select(pages))
            },
            "versions": {
                (keys[row.page_id], texts[row.article_id], row.title, row.seen_at, row.last_seen, row.change_class)
                for row in connection.execute(select(versions))
                if row.verdict != "short"
            },
            "exported": {(one.title, one.text) for one in reports.articles(connection)},
        }


def test_an_older_capture_becomes_a_version_and_changes_nothing_of_what_the_page_shows(page, now):
    newer, older = capture(page, now, 5, "new text"), capture(page, now, 1, "old text")
    with empty_tables() as connection:
        (first,) = save_batch(connection, [Incoming.of(newer)], CRAWLED)
        (second,) = save_batch(connection, [Incoming.of(older)], CRAWLED)
        assert (first.kind, second.kind) == ("inserted", "new_version")
        assert "older than what the page shows" in second.reason
        assert [one.title for one in reports.articles(connection)] == ["at 5"]
        rows = connection.execute(select(versions).order_by(versions.c.seen_at)).all()
    assert [(row.title, row.change_class) for row in rows] == [("at 1", "first"), ("at 5", "correction")]


def test_a_failure_before_the_last_good_answer_is_told_and_harms_nothing(page, now):
    good, failed = capture(page, now, 5, "text"), capture(page, now, 1, "failed")
    ((*_, first_seen, last_fetched),) = stored([good, failed])["pages"]
    assert (first_seen, last_fetched) == (now + timedelta(hours=1), now + timedelta(hours=5))
    assert stored([good, failed])["exported"] == stored([good])["exported"]


def test_a_whole_older_text_replaces_part_of_one(page, now):
    part, whole = capture(page, now, 5, "short"), capture(page, now, 1, "whole text")
    assert stored([part, whole])["exported"] == stored([whole, part])["exported"] == {("at 1", whole.article.text)}


captures = st.lists(
    st.tuples(st.sampled_from([URL, URL, OTHER]), st.sampled_from(["one", "two", "three", "short", "failed"])),
    min_size=2,
    max_size=7,
)


@settings(
    max_examples=examples(30),
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(captures, st.randoms(use_true_random=False), st.sampled_from([1, 3, 50]))
def test_the_order_in_which_captures_arrive_does_not_matter(page, now, drawn, chance, size):
    in_order = [capture(page, now, hour, text, url) for hour, (url, text) in enumerate(drawn)]
    shuffled = list(in_order)
    chance.shuffle(shuffled)
    expected, found = stored(in_order), stored(shuffled, size)
    assert found["exported"] == expected["exported"]
    assert found["pages"] == expected["pages"]
    assert found["versions"] == expected["versions"]
