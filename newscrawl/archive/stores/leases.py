"""Leases on work in an object store, which all machines of a database share: nobody has a lock on its files."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from newscrawl.errors import SiteLeased, StorageError
from newscrawl.processes.process_names import is_dead, this_process
from newscrawl.storage.frontier import leases
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.reader import Transactions

DURATION: Final = timedelta(minutes=45)
"""Longer than one file takes on its way out of the store and back. The lease of a killed process of this machine is
taken at once, that of another machine's after this time."""


def budget_lease(place: str) -> str:
    """Returns the name of the lease for deleting the oldest files of a store."""
    return f"{leases.SERVICE}archive/{hashlib.sha256(place.encode()).hexdigest()[:16]}"


def file_lease(file_id: int) -> str:
    """Returns the name of the lease for replacing or deleting one file."""
    return f"{leases.SERVICE}archive-file/{file_id}"


@contextmanager
def leased(store: Transactions, name: str) -> Iterator[Lease | None]:
    """Takes a lease and releases it at the end. Yields None while another process has it. Transactions that need the
    lease are to be fenced by it (newscrawl.storage.frontier.leases). Raises StorageError."""
    try:
        lease = store.run(leases.take, name, this_process(), None, DURATION, is_dead).result()
    except SiteLeased:
        yield None
        return
    try:
        yield lease
    finally:
        with contextlib.suppress(StorageError):  # it expires
            store.run(leases.release, lease).result()
