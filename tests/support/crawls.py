"""Runs crawls in processes of their own. The fixture `crawl` is `run_crawl`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import warm
from patience import PATIENCE

CHILD = Path(__file__).parent / "crawl_child.py"


@dataclass(frozen=True)
class Crawled:
    """The results that a crawl reported."""

    outcomes: dict[str, Any]
    stats: dict[str, Any]
    error: str | None

    def kind(self, url: str) -> str:
        return str(self.outcomes[url]["kind"])


Crawl = Callable[..., Crawled]


def run_crawl(urls: list[Any], *, limit: float = 2 * PATIENCE, **task: Any) -> Crawled:
    """Crawl addresses in a child process, which must end by itself within `limit` seconds and without a traceback.

    `task` takes names, settings and spider as crawl_child.py describes them.
    """
    words = [sys.executable, str(CHILD)]
    done = warm.run(words, input=json.dumps({"urls": urls, **task}), capture_output=True, text=True, timeout=limit)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return Crawled(**json.loads(done.stdout))
