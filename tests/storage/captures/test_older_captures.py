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
