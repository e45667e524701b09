"""The misbehaving server, and crawls in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hostile_server import HostileServer

CHILD = Path(__file__).parent.parent / "support" / "crawl_child.py"
LOOPBACK = ["127.0.0.0/8"]


@dataclass(frozen=True)
class Crawled:
    """What a crawl told of itself."""

    outcomes: dict[str, Any]
    stats: dict[str, Any]
    error: str | None

    def kind(self, url: str) -> str:
        return str(self.outcomes[url]["kind"])


Crawl = Callable[..., Crawled]


@pytest.fixture(scope="session")
def crawl() -> Crawl:
    """Crawls addresses in a child process: `crawl(urls, names=..., settings=..., spider=..., limit=seconds)`."""

    def run(urls: list[Any], *, limit: float = 60, **task: Any) -> Crawled:
        done = subprocess.run(
            [sys.executable, str(CHILD)],
            input=json.dumps({"urls": urls, **task}),
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        return Crawled(**json.loads(done.stdout))

    return run


@pytest.fixture(scope="module")
def hostile() -> Iterator[HostileServer]:
    """The misbehaving server on 127.0.0.1."""
    server = HostileServer().start()
    yield server
    server.stop()
