"""A web server that misbehaves on purpose, on loopback, in a thread of its own."""

from __future__ import annotations

import asyncio
import ssl
import threading
import time
from collections import defaultdict
from contextlib import suppress
from typing import Any

from newscrawl.testing.hostile.connection import CROSSED_AFTER, IDLE_SECONDS, Connection, Endpoint, Hit
from newscrawl.testing.hostile.endpoints import ENDPOINTS, bomb_bytes

PATIENCE_SECONDS = 240.0
"""Until the server's thread is taken to hang, whatever else the machine does."""


class HostileServer:
    """Runs until `stop`. `robots` has the robots.txt of host names. Paths of endpoints are answered by them, all
    others with a page."""

    def __init__(self, address: str = "127.0.0.1", port: int = 0, tls: ssl.SSLContext | None = None) -> None:
        self.address = address
        self.port = port
        self._tls = tls
        self.hits: list[Hit] = []
        self.robots: dict[str, Endpoint] = {}
        self.targets: list[str] = []
        self.idle: dict[str, float] = {}
        """Seconds after which a host's idle connections are closed, where it is not IDLE_SECONDS."""
        self.closing: set[str] = set()
        """Hosts that close the connection with each answer, and say so."""
        self.crossing: set[str] = set()
        """Hosts that close a kept connection while its next request is on its way: they never read that request."""
        self.crossed: list[Hit] = []
        """Such requests, which are not among `hits`."""
        self.counts: defaultdict[str, int] = defaultdict(int)
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        self._stop = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._thread = threading.Thread(target=self._run, name="hostile server")

    def start(self) -> HostileServer:
        """Starts the thread that serves until `stop`."""
        bomb_bytes()  # made before the server runs: meanwhile it would answer nobody
        self._thread.start()
        if not self._started.wait(PATIENCE_SECONDS):
            raise TimeoutError("the hostile server does not start")
        return self

    def stop(self) -> None:
        """Ends the thread and all connections."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE_SECONDS)
        if self._thread.is_alive():
            raise TimeoutError("the hostile server does not stop")

    def url(self, path: str = "/", host: str | None = None) -> str:
        """Returns the address of a path under a host name, by default that of the server."""
        return f"{'https' if self._tls else 'http'}://{host or self.address}:{self.port}{path}"

    def asked(self, host: str | None = None, path: str | None = None) -> list[Hit]:
        """Returns the requests of a host (a name without port) or of a path (without query)."""
        return [hit for hit in self.hits if host in {None, hit.host} and path in {None, hit.path.partition("?")[0]}]

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._accept, self.address, self.port, ssl=self._tls)
        self.address = f"[{self.address}]" if ":" in self.address else self.address
        self.port = server.sockets[0].getsockname()[1]
        self._started.set()
        await self._stop.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a connection is accepted outside of a task")
        self._tasks.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError, TimeoutError):
                await self._answer(reader, writer)
        finally:
            self._tasks.discard(task)
            writer.close()
            with suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handles the requests of one connection in order."""
        kept, idle, answered = True, IDLE_SECONDS, 0
        while kept:
            async with asyncio.timeout(idle):
                hit = _read(await reader.readuntil(b"\r\n\r\n"))
            if hit.host in self.crossing and answered == CROSSED_AFTER:
                self.crossed.append(hit)
                return
            self.hits.append(hit)
            connection = Connection(self, hit, writer)
            try:
                await self._endpoint(hit)(connection)
            finally:
                hit.end = hit.end or time.monotonic()
            answered += 1
            kept = connection.whole and hit.headers.get("connection", "").lower() != "close"
            idle = self.idle.get(hit.host, IDLE_SECONDS)

    def _endpoint(self, hit: Hit) -> Endpoint:
        path = hit.path.partition("?")[0]
        if path == "/robots.txt":
            return self.robots.get(hit.host, _no_robots)
        return ENDPOINTS.get(path, _page)


def _read(head: bytes) -> Hit:
    """Parses the head of a request."""
    lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)}
    host = headers.get("host", "").rpartition(":")[0] or headers.get("host", "")
    return Hit(host, lines[0].split(" ")[1], headers, time.monotonic())


async def _no_robots(connection: Connection) -> None:
    await connection.answer(b"", 404)


async def _page(connection: Connection) -> None:
    await connection.answer()


def robots(text: str | bytes, code: int = 200, **headers: str) -> Endpoint:
    """Returns an answer with this robots.txt."""
    body = text.encode() if isinstance(text, str) else text

    async def serve(connection: Connection) -> None:
        await connection.answer(body, code, **{"Content_Type": "text/plain", **headers})

    return serve
