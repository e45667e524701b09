"""A connection of the hostile server, and the request that it answers."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

IDLE_SECONDS = 2.0
"""After which a connection without a request is closed."""
CROSSED_AFTER = 3
"""Answers on a connection after which a host in `crossing` closes it."""
SEGMENT_BYTES = 16 * 1024
"""A larger answer leaves in several pieces."""
PAGE = b"<html><title>Fine</title><p>A page like any other.</p></html>"


@dataclass
class Hit:
    """One request as the server received it, with times of the monotonic clock. `end` is the moment before the last
    bytes were sent: the client may send its next request before this thread continues."""

    host: str
    path: str
    headers: dict[str, str]
    start: float
    end: float | None = None


class Behaviour(Protocol):
    """The options that a test gives to the endpoints."""

    closing: set[str]
    """Hosts that close the connection with each answer, and say so."""
    targets: list[str]
    """Where `/to` redirects to, by number."""
    counts: defaultdict[str, int]
    """Requests for `/busy` so far, by host."""


class Connection:
    """The request, the options and the connection, with which an endpoint answers."""

    def __init__(self, server: Behaviour, hit: Hit, writer: asyncio.StreamWriter) -> None:
        self.server = server
        self.hit = hit
        self.query = dict(part.partition("=")[::2] for part in hit.path.partition("?")[2].split("&"))
        self._writer = writer
        self.whole = False
        """Whether a complete answer was given: only then the connection is kept."""

    async def raw(self, data: bytes) -> None:
        """Sends bytes unchanged, in segments."""
        for at in range(0, len(data), SEGMENT_BYTES):
            self.hit.end = time.monotonic()
            self._writer.write(data[at : at + SEGMENT_BYTES])
            await self._writer.drain()

    async def answer(self, body: bytes = PAGE, status: int = 200, **headers: str) -> None:
        """Sends a complete answer. Names of headers are written with underscores."""
        fields = {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(body))}
        if self.hit.host in self.server.closing:
            headers |= {"Connection": "close"}
        fields |= {name.replace("_", "-"): value for name, value in headers.items()}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        await self.raw(f"HTTP/1.1 {status} Whatever\r\n{head}\r\n".encode() + body)
        self.whole = headers.get("Connection") != "close"

    async def start(self, *fields: str) -> None:
        """Sends status line and headers. The end of the headers is sent only with an empty field."""
        await self.raw("".join(f"{line}\r\n" for line in ("HTTP/1.1 200 OK", *fields)).encode())


Endpoint = Callable[[Connection], Awaitable[None]]
