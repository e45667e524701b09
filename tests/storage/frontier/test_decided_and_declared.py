"""What commands decided about sites and what sites declare: columns of one row, which also has the lease."""

from __future__ import annotations

from datetime import datetime, timedelta

from patience import PATIENCE
from sqlalchemy import select, text

from newscrawl.storage.frontier import leases, sites
from newscrawl.storage.frontier.sites import AppliedSetting, SiteDeclaration
from newscrawl.storage.removal import forget
from newscrawl.storage.store import Store
from newscrawl.storage.tables.frontier import sites as sites_table

HOUR = timedelta(hours=1)
SETTINGS = (AppliedSetting("delay", "3.0", "the site's file"), AppliedSetting("cron", "", "default"))
TOWN = SiteDeclaration("town", "https://town.example/", "en", "uk", (r"/\d{4}/",), SETTINGS)


def test_a_forgotten_site_keeps_its_row_because_its_token_must_grow(call, now):
    first = call(leases.acquire, "harbour", "anna", now, HOUR)
    call(leases.release, first)
    call(forget.forget_site, "harbour", now)
    assert call(leases.acquire, "harbour", "bert", now, HOUR).token == first.token + 1


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
