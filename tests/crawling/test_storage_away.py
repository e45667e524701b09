"""A crawl that waits for the database tests it by itself, because it may write nothing else meanwhile."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from patience import wait_until
from sqlalchemy.exc import OperationalError

from newscrawl.crawling.runtime.site_session import SiteSession
from newscrawl.errors import DatabaseLocked
from newscrawl.storage.engine.errors import RetryPolicy
from newscrawl.storage.store import open_store


def test_requests_go_on_after_a_lock_though_nobody_writes(tmp_path: Path) -> None:
    def locked(_connection: Any) -> None:
        error = sqlite3.OperationalError("database is locked")
        error.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise OperationalError("", {}, error)

    with open_store(f"sqlite:///{tmp_path / 'x.db'}", upgrade=False, retry=RetryPolicy(attempts=1)) as store:
        services: Any = SimpleNamespace(store=store, archive=None)
        session = SiteSession(services, "paper", datetime.now(UTC))
        assert not session.is_storage_away()
        with pytest.raises(DatabaseLocked):
            store.run(locked).result()
        assert session.is_storage_away()
        wait_until(lambda: not session.is_storage_away())
