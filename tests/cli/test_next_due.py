"""`why` says when each page is visited next, or why it is not visited."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from newscrawl.cli.why_not import next_due_line
from newscrawl.storage.records import PageRow

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
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
