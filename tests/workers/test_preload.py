"""The modules that the process loads from which a crawl's workers are forked."""

from __future__ import annotations

import subprocess
import sys

from newscrawl.workers.processes.forkserver import FOR_CRAWLS

WHAT_COMES_WITH_A_PAGE = (
    "newscrawl.extraction.article.preload",
    "newscrawl.workers.source_task",
    "feedparser",
    "py3langid",
)
TOLD = f"""
import gc, importlib, sys
for name in {FOR_CRAWLS}:
    importlib.import_module(name)
print([name for name in {WHAT_COMES_WITH_A_PAGE} if name not in sys.modules], gc.get_freeze_count() > 10_000)
"""


def test_what_comes_with_the_first_page_and_source_is_loaded_once_for_all_workers() -> None:
    done = subprocess.run([sys.executable, "-c", TOLD], capture_output=True, text=True, check=True)
    assert done.stdout == "[] True\n"
