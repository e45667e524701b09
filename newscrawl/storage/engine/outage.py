"""An outage of the database: when it began, and one line at its beginning and its end, however many works it stops."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field
from typing import Final

logger = logging.getLogger(__name__)

LASTING: Final = 1.0
"""Seconds after which the end of an outage is worth a line; a shorter one (a lock, a restart) has none at all."""


@dataclass(slots=True)
class Outage:
    """Set by the writer thread, read from any."""

    lasts: bool = False
    """Whether the last attempt failed for a reason that may pass by itself."""
    _began: float = field(default=0.0, repr=False)
    _is_logged: bool = field(default=False, repr=False)

    def begin(self, reason: str) -> None:
        """An attempt failed; the first line is written once the outage lasts."""
        if not self.lasts:
            self.lasts, self._began, self._is_logged = True, time.monotonic(), False
        elif not self._is_logged and time.monotonic() - self._began >= LASTING:
            self._is_logged = True
            logger.error("%s; nothing new is asked for until the database answers", reason)

    def end(self) -> None:
        """An attempt succeeded."""
        if not self.lasts:
            return
        self.lasts = False
        if self._is_logged:
            logger.warning("the database answers again, after %.0f s", time.monotonic() - self._began)
