"""The process that all worker processes are forked from."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from multiprocessing import forkserver
from typing import Final

FOR_CRAWLS: Final = ("newscrawl.workers.preload",)
FOR_INGESTS: Final = ("newscrawl.ingest.worker", "newscrawl.article.preload")


def prepare(modules: tuple[str, ...]) -> None:
    """Start it, unless it runs; it imports `modules`, which takes a second in which others can do what they need. It is
    deaf to Ctrl-C: a terminal sends it to the whole group, and the main process wants to finish what it has begun."""
    multiprocessing.get_context("forkserver").set_forkserver_preload(list(modules))
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread may set handlers; a Ctrl-C during the next second may then kill the workers
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        forkserver.ensure_running()
    finally:
        signal.signal(signal.SIGINT, handler)
