"""Reports declarations of a fleet that cannot be used in /health, /metrics, alarms and `newscrawl status`."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime
from typing import Final

from newscrawl.crawling.fleet.board import Board
from newscrawl.crawling.fleet.declarations import Declarations
from newscrawl.storage import Transactions
from newscrawl.storage.monitoring import alarms

DECLARATION: Final = "declaration"
"""The kind of alarm for a declaration that cannot be used."""


class Problems:
    """Files and declarations that cannot be used."""

    def __init__(
        self, declarations: Declarations, board: Board, store: Transactions, now: Callable[[], datetime]
    ) -> None:
        self._declarations = declarations
        self._board = board
        self._store = store
        self._now = now
        self._reporting: Future[None] | None = None
        """The latest note in the database."""

    def report(self) -> None:
        """Reports the declarations that cannot be used now."""
        problems = self._declarations.problems
        self._board.show_broken(problems)
        if self._declarations.is_complete:  # otherwise it would close the alarms of a process that crawls all sites
            self._reporting = self._store.run(alarms.replace_open, DECLARATION, "critical", problems, self._now())

    def retry_report(self) -> None:
        """Reports the problems again if the database refused the latest report."""
        reporting = self._reporting
        if reporting is not None and reporting.done() and reporting.exception() is not None:
            self.report()
