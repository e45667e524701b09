"""When the newest article of each site was fetched."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy import event

from newscrawl.storage.monitoring import site_hours
from newscrawl.storage.monitoring.site_hours import Numbers
from newscrawl.storage.overview import daily_numbers


@pytest.fixture
def filled(store, now):
    """Hours of three sites: with articles, with one that is older than 28 days, and without any."""
    for site, ago, has_article in (
        *(("harbour", ago, True) for ago in (5, 30)),
        ("harbour", 1, False),
        ("valley", 24 * 40, True),
        ("coast", 2, False),
    ):
        at = now - timedelta(hours=ago)
        numbers = Numbers(Counter(found=1))
        if has_article:
            numbers.add_article(at)
        store.run(site_hours.add, {site: numbers}, at).result()
    return store


def test_the_newest_article_of_28_days_is_told(filled, now):
    with filled.reading() as connection:
        assert daily_numbers.newest_articles(connection, now) == {"harbour": now - timedelta(hours=5)}
        by_site = daily_numbers.by_site(connection, ["harbour", "valley", "coast"], now)
    assert {site: one.newest_article for site, one in by_site.items() if one.newest_article} == {
        "harbour": now - timedelta(hours=5)
    }


def test_hours_are_read_from_an_index_only(filled, now):
    with filled.reading() as connection:
        if connection.dialect.name != "sqlite":
            pytest.skip("plans are SQLite's")
        sent = []
        event.listen(connection, "before_cursor_execute", lambda *given: sent.append(given[2:4]))
        daily_numbers.newest_articles(connection, now)
        (look,) = sent
        plan = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {look[0]}", look[1])]
    wanted = "SEARCH site_hours USING COVERING INDEX ix_site_hours_of_site (site=? AND hour>?)"
    assert wanted in plan
    assert not [step for step in plan if "SCAN site_hours" in step or "ORDER BY" in step], plan
