"""`why` says when each page is visited next, or why it is not visited."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from newscrawl.cli.why import next_due_line
from newscrawl.storage.frontier import crawls, sites
from newscrawl.storage.frontier.sites import SiteDeclaration
from newscrawl.storage.records import PageRow
from newscrawl.storage.store import open_store

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
FRONT = "  front page of site harbour: no article, it is compared with the sources once a week"
PAGE = PageRow("k", "https://e.org/a", "e", "fetched", first_seen=NOW)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"next_due": NOW}, "next visit 2026-11-20 12:00 UTC"),
        ({"state": "found"}, "next visit with the next crawl"),
        ({}, "no further visit: it had not changed for 14 days"),
        ({"state": "expired"}, "no further visit: its text is older than NEWSCRAWL_RETENTION keeps"),
        (
            {"state": "gone", "failures": 3, "failure_kind": "http/404"},
            "no further visit: it was gone 3 times",
        ),
        ({"failure_kind": "content/not_html", "failures": 1}, "no further visit: content/not_html is permanent"),
        ({"failure_kind": "http/500", "failures": 8}, "no further visit: 8 failures in a row, the last http/500"),
    ],
    ids=["due", "not fetched yet", "unchanged", "expired", "gone", "never", "too many failures"],
)
def test_the_reason_is_given(changed: dict[str, Any], words: str) -> None:
    assert next_due_line(replace(PAGE, **changed)).startswith(words)


@pytest.mark.process
def test_a_front_page_says_when_it_was_read(
    run: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    now = datetime.now(UTC)
    read = now - timedelta(days=2)
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        store.run(
            sites.declare, SiteDeclaration("harbour", "https://harbour.example/", "en", "uk", (), ()), now
        ).result()
        store.run(sites.note_start, "harbour", now - timedelta(days=30)).result()
        store.run(crawls.add_run, "harbour", now - timedelta(days=30)).result()
        front = run("newscrawl", "why", "http://HARBOUR.example/?utm_source=x")
        assert (front.returncode, front.stdout.splitlines()[1:]) == (0, [FRONT])
        store.run(sites.plan_comparison, "harbour", read + sites.COMPARED_EVERY).result()
        told = run("newscrawl", "why", "https://harbour.example/").stdout
        assert (
            f"{FRONT}\n  last read {read:%Y-%m-%d %H:%M} UTC\n  next visit {read + sites.COMPARED_EVERY:%Y-%m-%d}"
            in told
        )
        found = json.loads(run("newscrawl", "why", "https://harbour.example/", "--json").stdout)
        assert (found["site"], datetime.fromisoformat(found["read_at"])) == ("harbour", read)
        store.run(
            sites.plan_comparison, "harbour", now + timedelta(hours=3)
        ).result()  # a week or a day after the last one
        assert "last read" not in run("newscrawl", "why", "https://harbour.example/").stdout
    assert run("newscrawl", "why", "https://harbour.example/other").returncode == 1
