"""How `scrapy crawl` ends if the database ended the crawl."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy.crawler import Crawler

from newscrawl.crawling.commands import crawl
from newscrawl.crawling.runtime.summary import STORAGE_REFUSED
from newscrawl.errors import TEMPORARY, DatabaseLocked, DatabaseUnavailable, StorageError


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
