"""A crawl whose database is away tests it by itself, and says how it ended if that ended the crawl."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from patience import wait_until
from scrapy.crawler import Crawler
from sqlalchemy.exc import OperationalError

from newscrawl.crawling.commands import crawl
from newscrawl.crawling.runtime.site_session import SiteSession
from newscrawl.crawling.runtime.summary import STORAGE_REFUSED
from newscrawl.errors import TEMPORARY, DatabaseLocked, DatabaseUnavailable, StorageError
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


@pytest.mark.parametrize(
    ("refusal", "code"),
    [(DatabaseLocked("locked"), TEMPORARY), (DatabaseUnavailable("away"), TEMPORARY), (StorageError("full"), 2)],
    ids=["locked", "away", "full"],
)
def test_a_crawl_that_the_database_ended_says_whether_the_same_may_work_later(refusal: StorageError, code: int) -> None:
    stats = {STORAGE_REFUSED: 1}
    session = SimpleNamespace(refusal=refusal)
    ended: Any = SimpleNamespace(stats=SimpleNamespace(get_value=stats.get), settings={}, newscrawl_session=session)
    with pytest.raises(StorageError, match="the database refused pages") as raised:
        crawl._check_stored(cast("Crawler", ended))
    assert raised.value.exit_code == code
