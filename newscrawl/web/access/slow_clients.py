"""Connections of clients that send no whole request: a stranger who opens many must not keep others out."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS: Final = 15.0
"""Seconds that a client has to send a request with its body, from the connection or from the end of the answer before
it."""
MAX_WAITING: Final = 0.75
"""Share of the connections that may be open before one without a request is closed for a new one. The others are for
those that end: their tasks take some milliseconds, and uvicorn counts them."""


class PatientProtocol(H11Protocol):
    """HTTP for one connection, which is closed if its request is not complete in time. If many connections are
    open, the one that has waited longest for its request is closed for a new one: uvicorn answers the new one with 503
    for as long as the others stay."""

    seconds = REQUEST_SECONDS
    _waits_since = 0.0
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begins to wait for a request."""
        super().connection_made(transport)
        self._wait()
        if self.limit_concurrency is not None and len(self.connections) > self.limit_concurrency * MAX_WAITING:
            others = [one for one in self.connections if isinstance(one, PatientProtocol) and one is not self]
            waiting = [one for one in others if one.awaits_request]
            if waiting:
                min(waiting, key=lambda one: one._waits_since).close()  # noqa: SLF001  the same class

    def on_response_complete(self) -> None:
        """Begins to wait for the next request."""
        self._wait()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends the waiting."""
        self._forget_deadline()
        super().connection_lost(exc)

    @property
    def awaits_request(self) -> bool:
        """Whether the client has not sent a whole request since the last answer."""
        return self.conn.their_state in {h11.IDLE, h11.SEND_BODY} and not self.transport.is_closing()

    def close(self) -> None:
        """Closes the connection if its client has not sent a whole request."""
        if self.awaits_request:
            self.transport.close()

    def _wait(self) -> None:
        self._forget_deadline()
        self._waits_since = self.loop.time()
        self._deadline = self.loop.call_later(self.seconds, self.close)

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
