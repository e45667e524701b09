"""`newscrawl status` reports patterns of addresses that are given up."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from source_items import record_page_failure

from newscrawl.model import Failure
from newscrawl.storage.frontier import patterns
from newscrawl.storage.store import open_store

Run = Callable[..., subprocess.CompletedProcess[str]]

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def _record(connection: Any, visits: list[patterns.Visit]) -> None:
    patterns.record(connection, patterns.load(connection, visits), visits, NOW)


def test_status_names_a_pattern_that_is_given_up_once(run: Run, tmp_path: Path) -> None:
    days = [f"https://harbour.example/day/{number}" for number in range(patterns.ENOUGH)]
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        store.run(record_page_failure, days[0], "harbour", Failure("http/404", "gone"), 404, NOW).result()
        visits = [patterns.Visit("harbour", day, is_fruitful=False) for day in days]
        store.run(_record, visits).result()
    told = run("newscrawl", "status").stdout
    assert told.count("harbour.example/day/#") == 1
    assert "200 of them brought no new article" in told
    [status] = json.loads(run("newscrawl", "status", "--json").stdout)
    assert [one["pattern"] for one in status["patterns_given_up"]] == ["harbour.example/day/#"]


def test_status_names_a_directory_whose_pages_are_of_one_kind(run: Run, tmp_path: Path) -> None:
    goods = [f"https://harbour.example/shop/lamp-{word}" for word in "abcdefghijklmnopqrstuvwxyz"]
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        failure = Failure("verdict/product", "9 prices")
        store.run(record_page_failure, goods[0], "harbour", failure, 200, NOW).result()
        visits = [patterns.Visit("harbour", url, is_fruitful=False, failure=failure.code) for url in goods[:20]]
        store.run(_record, visits).result()
    line = "harbour: of new addresses like harbour.example/shop/* about 50% are fetched: the last 20 were all"
    assert line in " ".join(run("newscrawl", "status").stdout.split())
    [status] = json.loads(run("newscrawl", "status", "--json").stdout)
    told = {"pattern": "harbour.example/shop/*", "kind": "verdict/product", "visits": 20, "share": 0.5}
    assert status["patterns_of_kinds"] == [told]
