"""An outage of the database. It is logged with one line at its beginning and one at its end, however many operations
fail. And how long the process waits for a server that does not answer."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field
from typing import Final

logger = logging.getLogger(__name__)

LASTING: Final = 1.0
"""An outage is logged when it has lasted this many seconds. A shorter one (a lock, a restart) is not logged."""
REPEATED: Final = 60.0
"""Least seconds between the first lines of two outages if the second follows at once."""
WRITES_WAIT: Final = "what has to be written waits, and is tried again for a while"
REQUESTS_WAIT: Final = "no new requests are made until the database answers"
"""What an outage means, in a process that does not crawl and in one that does."""
AT_ONCE: Final = 1.0
"""An outage that begins within this many seconds of the end of another follows at once: on a full disk, small writes
succeed between large ones that fail."""
FIRST_PAUSE: Final = 5.0
MAX_PAUSE: Final = 60.0
"""Seconds between two pages that are fetched while pages cannot be stored; they double."""

ENDING_S: Final = 20.0
"""Seconds without an answer in a process that was told to end. After that it waits for no other answer. It is less than
the time that `run` gives its crawls to end (NEWSCRAWL_RUN_DRAIN_TIMEOUT)."""

SILENCE_REPEATED: Final = 60.0
"""Least seconds between two lines about servers that do not answer: all threads of a process notice it."""


@dataclass(slots=True)
class Outage:
    """The present outage, if any. Set by the writer thread, read by any thread."""

    lasts: bool = False
    """Whether the last attempt failed with a transient error."""
    meaning: str = WRITES_WAIT
    refused: str = ""
    """Why pages cannot be stored, until one is stored. Small writes may succeed meanwhile."""
    _again_at: float = field(default=0.0, repr=False)
    _pause: float = field(default=0.0, repr=False)
    _refused_at: float = field(default=0.0, repr=False)
    _began: float = field(default=0.0, repr=False)
    _ended: float = field(default=-AT_ONCE, repr=False)
    _logged_at: float = field(default=-REPEATED, repr=False)
    _is_repeated: bool = field(default=False, repr=False)
    _is_logged: bool = field(default=False, repr=False)

    def begin(self, reason: str) -> None:
        """Notes a failed attempt; logs it once the outage lasts for LASTING seconds."""
        now = time.monotonic()
        if not self.lasts:
            self.lasts, self._began, self._is_logged = True, now, bool(self.refused)
            self._is_repeated = now - self._ended < AT_ONCE
        elif not self._is_logged and now - self._began >= LASTING and not self._is_too_soon(now):
            self._is_logged, self._logged_at = True, now
            logger.error("%s; %s", reason, self.meaning)

    def end(self) -> None:
        """Notes a successful attempt; logs the end of an outage that was logged."""
        if not self.lasts:
            return
        self.lasts, self._ended = False, time.monotonic()
        if self._is_logged and not self.refused:  # `pages_stored` logs that end
            logger.warning("the database answers again, after %.0f s", time.monotonic() - self._began)

    @property
    def holds_requests(self) -> bool:
        """Whether nothing is to be fetched now."""
        return self.lasts or (bool(self.refused) and time.monotonic() < self._again_at)

    def refuse_pages(self, reason: str) -> None:
        """Notes that pages were not stored after all attempts. The next ones are fetched after a growing pause."""
        now = time.monotonic()
        if not self.refused:
            self._refused_at, self._pause = self._began or now, FIRST_PAUSE
            if not self._is_logged:
                logger.error("%s; %s", reason, self.meaning)
        else:
            self._pause = min(2 * self._pause, MAX_PAUSE)
        self.refused, self._again_at, self._is_logged = reason, now + self._pause, True

    def pages_stored(self) -> None:
        """Notes that a page was stored; logs the end of refusals."""
        if self.refused:
            self.refused = ""
            logger.warning("the database stores pages again, after %.0f s", time.monotonic() - self._refused_at)

    def _is_too_soon(self, now: float) -> bool:
        return self._is_repeated and now - self._logged_at < REPEATED


@dataclass(slots=True)
class Waits:
    """What the waits of a process for PostgreSQL have in common. Any thread reads and sets it."""

    is_ending: bool = False
    has_given_up: bool = False
    """Whether the process was ending when the server did not answer: then it asks no server any longer."""
    logged_at: float = -SILENCE_REPEATED

    def is_too_long(self, silence: float, limit: float) -> bool:
        """Returns whether a wait that has lasted for `silence` seconds has to end."""
        if not self.has_given_up and silence >= (min(limit, ENDING_S) if self.is_ending else limit):
            self.has_given_up = self.is_ending
            return True
        return self.has_given_up

    def log(self, message: str) -> None:
        """Logs that a server does not answer, unless another thread did so lately."""
        now = time.monotonic()
        if now - self.logged_at >= SILENCE_REPEATED:
            self.logged_at = now
            logger.warning("%s", message)


WAITS: Final = Waits()


def end_soon() -> None:
    """Notes that this process was told to end: it waits for a silent PostgreSQL server for ENDING_S seconds, once."""
    WAITS.is_ending = True
