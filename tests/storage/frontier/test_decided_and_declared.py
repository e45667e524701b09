"""What commands decided about sites and what sites declare: columns of one row, which also has the lease."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from patience import PATIENCE
from sqlalchemy import select, text

from newscrawl.reports.sites import named
from newscrawl.scheduling.site_state import SiteControl
from newscrawl.storage.frontier import leases, sites
from newscrawl.storage.frontier.sites import AppliedSetting, SiteDeclaration
from newscrawl.storage.removal import forget
from newscrawl.storage.store import Store
from newscrawl.storage.tables.frontier import sites as sites_table

HOUR = timedelta(hours=1)
SETTINGS = (AppliedSetting("delay", "3.0", "the site's file"), AppliedSetting("cron", "", "default"))
TOWN = SiteDeclaration("town", "https://town.example/", "en", "uk", (r"/\d{4}/",), SETTINGS)


@pytest.fixture
def call(store: Store) -> Callable[..., Any]:
    return lambda operation, *args, **kwargs: store.run(operation, *args, **kwargs).result()


def test_each_decision_stays_apart_from_the_others(call, now):
    call(sites.set_priority, "harbour", 4.0, now)
    call(sites.set_daily_requests, "harbour", "500", now)
    call(sites.pause, "harbour", None, now)
    call(sites.resume, "harbour", now)
    call(sites.set_priority, "other", 0.25, now)
    both = call(sites.controls)
    assert both["harbour"] == SiteControl("harbour", priority=4.0, daily_requests="500")
    assert both["other"] == SiteControl("other", priority=0.25)
    call(sites.set_priority, "harbour", None, now)
    call(sites.set_daily_requests, "harbour", None, now)
    assert list(call(sites.controls)) == ["other"]


def test_a_forgotten_site_keeps_its_row_because_its_token_must_grow(call, now):
    first = call(leases.acquire, "harbour", "anna", now, HOUR)
    call(leases.release, first)
    call(forget.forget_site, "harbour", now)
    assert call(leases.acquire, "harbour", "bert", now, HOUR).token == first.token + 1


def test_a_forgotten_site_has_no_controls(call, now):
    call(sites.set_priority, "harbour", 4.0, now)
    call(forget.forget_site, "harbour", now)
    assert call(sites.controls) == {}


def test_an_ended_pause_leaves_no_decision(call, now):
    call(sites.pause, "harbour", now + HOUR, now)
    call(sites.set_priority, "harbour", 4.0, now + 2 * HOUR)
    call(sites.set_priority, "harbour", None, now + 3 * HOUR)
    assert call(sites.controls) == {}


def test_a_decision_or_a_declaration_alone_is_no_crawl(store: Store, now: datetime) -> None:
    store.run(sites.pause, "harbour", None, now).result(PATIENCE)
    declare(store, TOWN, now)
    with store.reading() as connection:
        assert connection.execute(text("SELECT * FROM site_health")).all() == []


def test_the_few_decided_and_the_few_leased_sites_are_found_by_indexes(store: Store, now: datetime) -> None:
    """Every process reads them every few seconds."""
    with store.reading() as connection:
        explain = "EXPLAIN QUERY PLAN"
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL enable_seqscan = off"))
            explain = "EXPLAIN"
        leased = select(sites_table.c.site).where(leases.in_force(now))
        for query, index in (
            (select(sites_table.c.site).where(sites.IS_DECIDED), "ix_sites_decided"),
            (sites.paused_sites(now), "ix_sites_decided"),
            (leased, "ix_sites_owned"),
        ):
            written = query.compile(connection, compile_kwargs={"literal_binds": True})
            assert index in str(connection.execute(text(f"{explain} {written}")).all())


def declare(store: Store, declared: SiteDeclaration, at: datetime) -> None:
    store.run(sites.declare, declared, at).result(PATIENCE)


def test_a_declaration_is_written_when_it_changes(store: Store, now: datetime) -> None:
    declare(store, TOWN, now)
    declare(store, TOWN, now + HOUR)
    with store.reading() as connection:
        assert sites.declaration(connection, "town") == (TOWN, now)
        assert sites.declaration(connection, "valley") is None
    changed = SiteDeclaration("town", TOWN.home, None, None, (), ())
    declare(store, changed, now + 2 * HOUR)
    with store.reading() as connection:
        assert sites.declaration(connection, "town") == (changed, now + 2 * HOUR)


def test_a_site_that_is_declared_no_longer_is_known_as_such_until_it_is_again(store: Store, now: datetime) -> None:
    declare(store, TOWN, now)
    store.run(sites.note_declared, {"valley": True}, all_of_them=True).result(PATIENCE)
    with store.reading() as connection:
        known = sites.declaration(connection, "town")
    assert known is not None
    assert known[0] == replace(TOWN, republishes=None)
    declare(store, TOWN, now + HOUR)
    with store.reading() as connection:
        assert sites.declaration(connection, "town") == (TOWN, now + HOUR)


def test_only_sites_that_declare_a_language_or_a_country_have_one(store: Store, now: datetime) -> None:
    declare(store, TOWN, now)
    declare(store, SiteDeclaration("valley", "https://valley.example/", None, None, (), ()), now)
    with store.reading() as connection:
        found = named(connection, ["town", "valley"], now)
    assert [(one.language, one.country) for one in found.values()] == [("en", "uk"), (None, None)]


def test_a_forgotten_site_declares_nothing(store: Store, now: datetime) -> None:
    declare(store, TOWN, now)
    store.run(forget.forget_site, "town", now).result(PATIENCE)
    with store.reading() as connection:
        assert sites.declaration(connection, "town") is None
