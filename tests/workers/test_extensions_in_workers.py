"""Extensions in worker processes: a worker finds them where the process that started it does."""

from __future__ import annotations

import asyncio
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from distribution import install, write_module, write_package
from patience import PATIENCE

from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.model import ProcessedPage, RawPage
from newscrawl.workers.extraction_pool import ExtractionPool

STORY = "<p>The council met on Monday and decided to build the bridge that people had asked for.</p>" * 20
SOURCE = """
def every(page):
    return range(len(page.runs))

def leaving(page):
    raise SystemExit(3)

CHAIN = ["leaving", "every"]

def paid(signals):
    if "sponsored" in signals.segments:
        yield "its address says so"
"""


def page(path: str) -> RawPage:
    url = f"https://example.org{path}"
    body = f"<h1>Bridge</h1>{STORY}".encode()
    return RawPage(url, url, 200, {"content-type": "text/html"}, body, datetime(2026, 11, 1, tzinfo=UTC), "example")


def extracted(options: ArticleOptions, *paths: str) -> list[ProcessedPage]:
    async def run() -> list[ProcessedPage]:
        return list(await asyncio.gather(*(pool.extract(page(path)) for path in paths)))

    with closing(ExtractionPool(options, workers=1, timeout=PATIENCE, memory_mb=1024)) as pool:
        return asyncio.run(run())


def test_workers_load_the_extensions_of_packages_and_of_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_module(tmp_path, "ext_workers", SOURCE)
    extractors = {"every": "ext_workers:every", "leaving": "ext_workers:leaving"}
    write_package(tmp_path, {"extractors": extractors, "chains": {"publisher": "ext_workers:CHAIN"}})
    install(monkeypatch, tmp_path)
    options = ArticleOptions("publisher", verdict_rules=("ext_workers:paid",))
    plain, paid = extracted(options, "/2026/bridge", "/sponsored/bridge")
    assert plain.article is not None
    assert plain.article.extractor == "every"
    # sys.exit() in an extractor costs it its turn, and no worker process.
    assert plain.article.trace[0].reason == "ExtractionError: it calls sys.exit(3)"
    assert paid.failure is not None
    assert paid.failure.code == "verdict/paid"
    own = ArticleOptions("mine", {"mine": ["own"]}, extractors={"own": "ext_workers:every"})
    (found,) = extracted(own, "/2026/ferry")
    assert found.article is not None
    assert found.article.extractor == "own"
