"""The address that monitoring asks without a log-in: whether the server runs and can read its database."""

from __future__ import annotations

import time
from threading import Lock
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from newscrawl.errors import NewscrawlError
from newscrawl.storage.reader import ReadDatabase

PATH: Final = "/health"
PAUSE: Final = 1.0
"""Seconds for which an answer holds. Strangers may ask as often as they like, and each reading opens a connection."""


class Health:
    """Answers whether the database can be read, and nothing else. The client needs no log-in."""

    def __init__(self, database: ReadDatabase) -> None:
        self._database = database
        self._reading = Lock()
        self._asked_at = -PAUSE
        self._is_readable: bool | None = None

    def route(self) -> Route:
        """Returns the route of the address."""
        return Route(PATH, self.answer)

    def answer(self, _request: Request) -> Response:
        """Returns 200 if the database can be read, 503 if not, without details."""
        if self._can_read():
            return JSONResponse({"status": "ok"})
        return JSONResponse({"status": "unavailable"}, 503)

    def _can_read(self) -> bool:
        """Returns whether the database can be read. While one thread tries that, the others give the last answer."""
        if self._reading.acquire(blocking=self._is_readable is None):
            try:
                if self._is_readable is None or time.monotonic() - self._asked_at >= PAUSE:
                    self._is_readable = self._read()
                    self._asked_at = time.monotonic()
            finally:
                self._reading.release()
        return bool(self._is_readable)

    def _read(self) -> bool:
        try:
            with self._database.reading():
                return True
        except NewscrawlError:
            return False
