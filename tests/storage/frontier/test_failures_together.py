"""Failed requests that are stored together have the same effect as one after another."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from patience import PATIENCE
from sqlalchemy import Connection, Table, select

from newscrawl.model import Failure
from newscrawl.storage.frontier.pages import FailedRequest, record_failures
from newscrawl.storage.store import open_store
from newscrawl.storage.tables.articles import pages, urls
from newscrawl.storage.tables.changes import changes
from newscrawl.storage.tables.frontier import url_patterns
from newscrawl.storage.tables.operations import events

SITE = "https://harbour.example"
TABLES = (pages, urls, events, url_patterns, changes)


def left_by(tmp_path: Any, page: Any, failed: list[FailedRequest], size: int) -> dict[str, Any]:
    with open_store(f"sqlite:///{tmp_path / f'{size}.db'}", upgrade=False) as store:
        saved = [store.save(page(f"{SITE}/stored{n}", f"text {n}")) for n in range(2)]
        store.flush()
        assert [one.result(PATIENCE).kind for one in saved] == ["inserted"] * 2
        for begin in range(0, len(failed), size):
            store.run(record_failures, failed[begin : begin + size]).result(PATIENCE)
        with store.reading() as connection:
            return {table.name: rows_of(connection, table) for table in TABLES}


def rows_of(connection: Connection, table: Table) -> list[dict[str, Any]]:
    """All rows but for numbers that the database gives; an upsert may use up one."""
    rows = (row._asdict() for row in connection.execute(select(table)))
    return [{name: value for name, value in row.items() if name not in {"id", "page_id"}} for row in rows]


@pytest.mark.parametrize("size", [2, 3, 100])
def test_failures_together_leave_what_they_leave_one_by_one(tmp_path: Any, page: Any, now: Any, size: int) -> None:
    later = now + timedelta(hours=1)
    broken, gone, rests = Failure("http/500", "down"), Failure("http/gone", "410"), Failure("host/resting", "later")
    failed = [
        FailedRequest.of(f"{SITE}/new1", "harbour", broken, 500, later),
        FailedRequest.of(f"{SITE}/new1?utm_source=feed", "harbour", broken, 500, later),
        FailedRequest.of(f"{SITE}/new2", "harbour", gone, 410, later),
        FailedRequest.of(f"{SITE}/stored1", "harbour", gone, 410, later),
        FailedRequest.of(f"{SITE}/stored0", "harbour", rests, None, later, was_sent=False),
        FailedRequest.of(f"{SITE}/stored0", "harbour", broken, 503, later),
        FailedRequest.of(f"{SITE}/new1", "harbour", gone, 404, later),
    ]
    one_by_one = left_by(tmp_path, page, failed, 1)
    assert left_by(tmp_path, page, failed, size) == one_by_one
    assert {(row["url"].removeprefix(SITE), row["state"], row["failures"]) for row in one_by_one["pages"]} == {
        ("/new1", "gone", 3),
        ("/new2", "gone", 1),
        ("/stored0", "fetched", 1),
        ("/stored1", "gone", 1),
    }
