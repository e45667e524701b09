"""`status` and `why` report that a site has reached its daily limit on new addresses."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from source_items import record_answer

from newscrawl.model import Candidate, Discovery
from newscrawl.storage.frontier.crawls import count_requests, note_reached
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import open_store

Run = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = pytest.mark.process

FEED, DAY = "https://harbour.example/feed", "https://harbour.example/day/1"


def test_status_and_why_say_that_pages_wait_and_how_to_lift_that(run: Run, tmp_path: Path) -> None:
    now = datetime.now(UTC)
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        named = [Candidate(DAY, Discovery("feed", FEED))]
        store.run(record_answer, SourceAnswer("harbour", FEED, "feed", 200, now), named, now).result()
        for day in (now, now + timedelta(days=1)):  # so that midnight does not matter
            store.run(count_requests, {}, {"harbour": 1000}, day).result()
            store.run(note_reached, "harbour", 1000, day).result()
    lifted = 'daily_requests = "unlimited" in the declaration removes the limit'
    told = run("newscrawl", "status").stdout
    assert "harbour: today's (UTC) limit of 1,000 addresses never fetched before is reached" in told
    assert "1 page waits, and the newest will be fetched first" in told
    assert "ALARM (warning" in told
    assert lifted in told
    [status] = json.loads(run("newscrawl", "status", "--json").stdout)
    assert (status["new_pages_bound_reached"], status["pending"]) == (1000, 1)
    page = json.loads(run("newscrawl", "why", DAY, "--json").stdout)["page"]
    assert (page["waits"]["new_pages_requested"], page["waits"]["limit_reached"]) == (1000, 1000)
    why = run("newscrawl", "why", DAY).stdout
    assert "next visit not before" in why
    assert "politeness/new_page_limit_reached" in why
    assert lifted in why
