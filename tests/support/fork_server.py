"""The fork server of a process that runs tests: what all workers need is imported in it, whichever test starts it.

multiprocessing has one fork server in a process, which imports the modules of whoever started it. After a test of the
crawl's workers each worker of an ingest imported the rest by itself, half a second of CPU each.
"""

from __future__ import annotations

from multiprocessing import forkserver

from newscrawl.workers.processes.forkserver import FOR_CRAWLS, FOR_INGESTS


def share() -> None:
    """The fork server imports the modules of crawls and ingests, whatever it is asked to import."""
    forkserver.set_forkserver_preload([*FOR_CRAWLS, *FOR_INGESTS])
    forkserver.set_forkserver_preload = _ignored


def _ignored(_modules: list[str]) -> None:
    pass
