"""Registers this process in the database while it crawls.

So operators see every machine, and a machine that is gone raises an alarm.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from typing import Final

from newscrawl.config.catalogue import Config
from newscrawl.crawling.runtime.archive import machine_of
from newscrawl.errors import StorageError
from newscrawl.processes.process_names import is_dead, this_process
from newscrawl.storage import migrations
from newscrawl.storage.machines import registered
from newscrawl.storage.machines.registered import BEAT, CrawlingProcess
from newscrawl.storage.reader import Transactions
from newscrawl.version import version

EVERY: Final = BEAT.total_seconds()

logger = logging.getLogger(__name__)


def process_of(config: Config, role: str) -> CrawlingProcess:
    """Returns what is registered of this process. `role` is "run" or "crawl SITE"."""
    return CrawlingProcess(this_process(), machine_of(config), role, version(), migrations.HEAD)


@asynccontextmanager
async def registered_process(
    store: Transactions,
    process: CrawlingProcess,
    outdated: Callable[[str], None],
    every: float = EVERY,
    gone: Callable[[Collection[str]], None] = lambda _machines: None,
) -> AsyncIterator[None]:
    """Keeps the process registered until the block is left; see Registration. Raises StorageError."""
    await asyncio.wrap_future(store.run(registered.register, process, is_dead))
    gone(await asyncio.wrap_future(store.run(registered.gone)))
    registration = Registration(store, process, outdated, every, gone)
    try:
        yield
    finally:
        await registration.close()


class Registration:
    """Updates the row of a registered process every 15 seconds, until `close`.

    `outdated` is called once, with a message of one line, if another newscrawl has upgraded the database to a newer
    schema than this process was written for. `gone` gets the names of the machines that are gone, each time.
    """

    def __init__(
        self,
        store: Transactions,
        process: CrawlingProcess,
        outdated: Callable[[str], None],
        every: float = EVERY,
        gone: Callable[[Collection[str]], None] | None = None,
    ) -> None:
        self._store = store
        self._process = process
        self._outdated = outdated
        self._every = every
        self._gone = gone
        self._task = asyncio.get_running_loop().create_task(self._beat())

    async def close(self) -> None:
        """Removes the process from the database. If that fails, it counts as ended once it was not seen for a while."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        with contextlib.suppress(StorageError):
            await asyncio.wrap_future(self._store.run(registered.end, self._process))

    async def _beat(self) -> None:
        is_reported = False
        while True:
            await asyncio.sleep(self._every)
            try:
                revision = await asyncio.wrap_future(self._store.run(registered.beat, self._process))
                if self._gone is not None:
                    self._gone(await asyncio.wrap_future(self._store.run(registered.gone)))
            except StorageError as error:
                logger.debug("the row of this process could not be updated: %s", error)
                continue
            if revision > self._process.revision and not is_reported:
                is_reported = True
                self._outdated(
                    f"the database was upgraded to schema {revision}, newer than this newscrawl's "
                    f"{self._process.revision}: this process ends; start it again with the new version"
                )
