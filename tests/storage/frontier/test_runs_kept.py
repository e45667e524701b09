"""The latest runs of a site are kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import func, select

from newscrawl.reports.sites import last_runs
from newscrawl.storage.frontier import crawls
from newscrawl.storage.store import open_store
from newscrawl.storage.tables.operations import runs as table

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def test_runs_do_not_pile_up_for_ever(tmp_path: Path) -> None:
    def crawl_often(connection: object, site: str, times: int) -> None:
        for number in range(times):
            crawls.add_run(connection, site, NOW + timedelta(minutes=number))  # type: ignore[arg-type]

    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=False) as store:
        store.run(crawl_often, "rare", 3).result()
        store.run(crawl_often, "busy", crawls.KEEP + 4 * crawls.PRUNE_EVERY).result()
        with store.reading() as connection:
            counted = select(table.c.site, func.count().label("number")).group_by(table.c.site)
            kept = {row.site: row.number for row in connection.execute(counted)}
            last = last_runs(connection, "busy").get("busy")
    assert kept["rare"] == 3
    assert crawls.KEEP <= kept["busy"] <= crawls.KEEP + crawls.PRUNE_EVERY
    assert last is not None
    assert last.started == NOW + timedelta(minutes=crawls.KEEP + 4 * crawls.PRUNE_EVERY - 1)
