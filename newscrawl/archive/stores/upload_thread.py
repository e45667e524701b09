"""The thread that moves closed files into an object store beside a crawl, and keeps the store within its budget."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from newscrawl.archive.retention import ArchiveBudget, keep_store_within
from newscrawl.archive.stores.object_files import ObjectFiles
from newscrawl.archive.stores.spool import has_closed, move_closed
from newscrawl.errors import ArchiveError, NewscrawlError
from newscrawl.storage.monitoring.checks import check_object_store
from newscrawl.storage.reader import Transactions

logger = logging.getLogger(__name__)

EVERY: Final = 5.0
"""Seconds between two looks for closed files."""
MAX_WAIT: Final = 300.0
"""Seconds after which a store that failed is tried again; the first time after `EVERY`, then after twice as long."""
ALARM_AFTER: Final = timedelta(minutes=10)
"""How long a store may fail before the alarm `object_store` is opened: most outages of object stores are shorter."""
CLOSE_TIMEOUT: Final = 20.0
"""Seconds for the last files when a process ends; service managers give it 30 to 45."""


class UploadThread:
    """Moves files while it runs. A failure is logged, once until the next success, and tried again. The files wait in
    the folder meanwhile. If the store fails for longer than `alarm_after`, an alarm is opened, and closed after the
    next success of any process of this machine."""

    def __init__(
        self,
        folder: Path,
        store: Transactions,
        objects: ObjectFiles,
        budget: ArchiveBudget,
        machine: str,
        every: float = EVERY,
        alarm_after: timedelta = ALARM_AFTER,
    ) -> None:
        self._folder = folder
        self._store = store
        self._objects = objects
        self._budget = budget
        self._machine = machine
        self._every = every
        self._alarm_after = alarm_after
        self._failures = 0
        self._since: datetime | None = None
        self._may_be_open = True
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="newscrawl-archive-upload", daemon=True)
        self._thread.start()

    def close(self, timeout: float = CLOSE_TIMEOUT) -> None:
        """Moves the files that are closed by now, and ends the thread. After `timeout` seconds it is no longer waited
        for: the process must end in time. What is not moved is left to the next start."""
        self._stopped.set()
        self._thread.join(timeout)
        if self._thread.is_alive():
            where = (self._folder, self._objects.place)
            logger.warning("files of the archive in %s are not yet in %s: left to the next start", *where)

    def _run(self) -> None:
        self._try(self._objects.check)
        while not self._stopped.wait(min(MAX_WAIT, self._every * 2**self._failures)):
            self._try(self._work)
        self._try(self._work)

    def _work(self) -> None:
        if self._failures:  # without a closed file, nothing else would ask the store
            self._objects.check()
        if has_closed(self._folder) and move_closed(self._folder, self._store, self._objects, self._machine):
            keep_store_within(self._store, self._objects, self._budget, datetime.now(UTC))

    def _try(self, work: Callable[[], None]) -> None:
        try:
            work()
        except (NewscrawlError, OSError) as error:
            self._failures += 1
            what = str(error) if isinstance(error, ArchiveError) else f"the archive's files cannot be moved: {error}"
            if self._failures == 1:
                logger.error("%s; closed files wait in %s", what, self._folder)  # noqa: TRY400  for the operator
            self._note(what)
        else:
            if self._failures:
                logger.warning("the object store %s can be used again", self._objects.place)
            self._failures = 0
            self._note(None)

    def _note(self, problem: str | None) -> None:
        """Opens the alarm if the problem lasts, and closes it with the first success, also one of an earlier process
        that was killed."""
        now = datetime.now(UTC)
        if problem is None:
            self._since = None
            if not self._may_be_open:
                return
        else:
            self._since = self._since or now
            if now - self._since < self._alarm_after:
                return
        try:
            self._store.run(check_object_store, now, problem, self._since or now, self._machine).result()
        except NewscrawlError as error:
            logger.error("the alarm about the object store is not stored: %s", error)  # noqa: TRY400  no defect
        else:
            self._may_be_open = problem is not None
