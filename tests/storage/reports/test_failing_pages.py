"""The failing pages of a site: which they are, in which order, and that few rows are read for them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from source_items import record_page_failure
from sqlalchemy import event, text

from newscrawl.model import Failure
from newscrawl.reports import site_pages


def fail(store, name, kind, status, at, site="harbour"):
    url = f"https://{site}.example/{name}"
    store.run(record_page_failure, url, site, Failure(kind, kind), status, at).result()


@pytest.fixture
def filled(store, page, now):
    """Pages that failed at different times, in an order other than that in which they were found."""
    store.save(page("https://harbour.example/good", "a good page")).result()
    store.save(page("https://harbour.example/shown", "a page that fails later")).result()
    fail(store, "slow", "download/timeout", None, now + timedelta(hours=1))
    for hour in range(2, 5):
        fail(store, "error", "http/500", 500, now + timedelta(hours=hour))
    fail(store, "gone", "http/404", 404, now + timedelta(hours=3))
    fail(store, "picture", "content/not_html", 200, now + timedelta(hours=2))
    fail(store, "shown", "http/503", 503, now + timedelta(hours=5))
    fail(store, "other", "http/500", 500, now + timedelta(hours=6), site="valley")
    return store


def newest(store, site="harbour"):
    with store.reading() as connection:
        return site_pages.failing_pages(connection, site)


def test_pages_that_failed_last_come_first(filled, now):
    found = [
        (line.url.rpartition("/")[2], line.state, line.failure, line.failures, line.failed_at)
        for line in newest(filled)
    ]
    assert found == [
        ("shown", "fetched", "http/503", 1, now + timedelta(hours=5)),
        ("error", "failed", "http/500", 3, now + timedelta(hours=4)),
        ("gone", "gone", "http/404", 1, now + timedelta(hours=3)),
        ("picture", "failed", "content/not_html", 1, now + timedelta(hours=2)),
        ("slow", "failed", "download/timeout", 1, now + timedelta(hours=1)),
    ]
    planned = {line.url.rpartition("/")[2]: line.next_due for line in newest(filled)}
    assert planned["picture"] is None
    assert planned["error"] == now + timedelta(hours=6)


def test_no_more_rows_are_read_than_the_limits_say(filled):
    """Each look walks the index of site, state and next visit from its end; nothing is sorted before the limit."""
    with filled.reading() as connection:
        sent = []
        event.listen(connection, "before_cursor_execute", lambda *given: sent.append(given[2:4]))
        site_pages.failing_pages(connection, "harbour")
        looks = [(query, given) for query, given in sent if "FROM pages" in query]
        assert len(looks) == 6
        for query, given in looks:
            if connection.dialect.name == "sqlite":
                plan = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", given)]
                assert any("USING INDEX ix_pages_site_state_next_due" in step for step in plan), plan
            else:
                connection.execute(text("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off"))
                plan = list(connection.exec_driver_sql(f"EXPLAIN {query}", given).scalars())
                assert any("Index Scan Backward using ix_pages_site_state_next_due" in step for step in plan), plan
            assert not [step for step in plan if "TEMP B-TREE" in step or "Sort" in step], plan
