"""Pages made of a few lines, and the moment they were fetched."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

import newscrawl
from newscrawl.model import Metadata

FETCHED_AT = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)

Read = Callable[..., Metadata]


@pytest.fixture(scope="session")
def fetched_at() -> datetime:
    return FETCHED_AT


@pytest.fixture(scope="session")
def read() -> Read:
    """Metadata of a page given by its head, body, JSON-LD object and language."""

    def read_parts(
        head: str = "",
        body: str = "",
        *,
        ld: dict[str, Any] | list[Any] | None = None,
        lang: str | None = None,
        url: str | None = "https://www.example.com/story",
    ) -> Metadata:
        script = f'<script type="application/ld+json">{json.dumps(ld)}</script>' if ld is not None else ""
        declared = f' lang="{lang}"' if lang is not None else ""
        html = f"<!doctype html><html{declared}><head>{head}{script}</head><body>{body}</body></html>"
        return newscrawl.extract(html, url=url, fetched_at=FETCHED_AT).metadata

    return read_parts
