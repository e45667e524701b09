"""Warns if a copy of the database is crawled on this machine, or with the same archive."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path

from newscrawl.config.catalogue import Config
from newscrawl.crawling.runtime.archive import folder_of
from newscrawl.errors import StorageError
from newscrawl.storage import Database
from newscrawl.storage.machines.copies import CopyLock

logger = logging.getLogger(__name__)

COPY_CRAWLED = (
    "another process crawls with a copy of this database (the same installation): sites get the requests of both; stop "
    "one of them"
)


def copy_lock(store: Database, config: Config) -> CopyLock | None:
    """Returns the lock that this process holds while it crawls, after a warning if a copy is crawled; None if the
    database does not answer."""
    folder = folder_of(config)
    try:
        with store.reading() as connection:
            lock = CopyLock(connection, [Path(tempfile.gettempdir()), *([folder] if folder is not None else [])])
    except StorageError:
        return None
    if lock.is_copy_crawled():
        logger.warning(COPY_CRAWLED)
    return lock
