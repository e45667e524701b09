"""A web server that misbehaves on purpose, on loopback, in a thread of its own: answers that hang, are slow, endless,
broken or too large, and redirect loops. `ENDPOINTS` has the kinds of misbehaviour by path.
"""

from __future__ import annotations

import asyncio
import gzip
import ssl
import threading
import time
import zlib
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

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


class Connection:
    """The request, the options and the connection, with which an endpoint answers."""

    def __init__(self, server: HostileServer, hit: Hit, writer: asyncio.StreamWriter) -> None:
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


ENDPOINTS: dict[str, Endpoint] = {}


def endpoint(path: str) -> Callable[[Endpoint], Endpoint]:
    """Registers an endpoint for a path (a decorator)."""

    def register(function: Endpoint) -> Endpoint:
        ENDPOINTS[path] = function
        return function

    return register


@endpoint("/drop")
async def drop(connection: Connection) -> None:
    """Closes the connection without an answer."""


@endpoint("/hang")
async def hang(connection: Connection) -> None:
    """Sends headers and never the body."""
    await connection.start("Content-Length: 100", "")
    await asyncio.sleep(3600)


@endpoint("/drip")
async def drip(connection: Connection) -> None:
    """Sends a byte of a long body every 50 ms."""
    await connection.start("Content-Length: 100000", "")
    while True:
        await connection.raw(b".")
        await asyncio.sleep(0.05)


@endpoint("/infinite")
async def infinite(connection: Connection) -> None:
    """Sends an endless body as fast as the client reads it."""
    await connection.start("Content-Type: text/html", "")
    while True:
        await connection.raw(b"<p>more and more</p>" * 3000)


@endpoint("/underrun")
async def underrun(connection: Connection) -> None:
    """Sends a body that is shorter than its Content-Length."""
    await connection.start("Content-Length: 5000", "")
    await connection.raw(PAGE)


@endpoint("/overrun")
async def overrun(connection: Connection) -> None:
    """Sends a body that is longer than its Content-Length."""
    await connection.start("Content-Length: 5", "")
    await connection.raw(PAGE)


@endpoint("/huge-length")
async def huge_length(connection: Connection) -> None:
    """Sends a Content-Length of 100 GB and a small body."""
    await connection.start("Content-Length: 99999999999", "")
    await connection.raw(PAGE)


@endpoint("/header-flood")
async def header_flood(connection: Connection) -> None:
    """Sends endless headers."""
    await connection.start()
    for number in range(10**9):
        await connection.raw(f"X-{number}: flood\r\n".encode() * 50)
        await asyncio.sleep(0.001)


@endpoint("/not-http")
async def not_http(connection: Connection) -> None:
    """Sends the greeting of another protocol."""
    await connection.raw(b"SSH-2.0-whatever\r\n\r\n")


@endpoint("/bomb")
async def bomb(connection: Connection) -> None:
    """Sends a quarter of a megabyte that decodes to a quarter of a gigabyte."""
    await connection.answer(bomb_bytes(), Content_Encoding="gzip")


@endpoint("/double-bomb")
async def double_bomb(connection: Connection) -> None:
    """Sends the same body, encoded twice."""
    await connection.answer(gzip.compress(bomb_bytes()), Content_Encoding="gzip, gzip")


@endpoint("/layers")
async def layers(connection: Connection) -> None:
    """Sends a body with forty Content-Encodings in the header."""
    await connection.answer(PAGE, Content_Encoding=", ".join(["gzip"] * 40))


@endpoint("/bad-gzip")
async def bad_gzip(connection: Connection) -> None:
    """Sends a body that is not gzip with the Content-Encoding gzip."""
    await connection.answer(b"\x1f\x8b\x08 this is not what follows", Content_Encoding="gzip")


@endpoint("/jpeg")
async def jpeg(connection: Connection) -> None:
    """Sends a picture with the content type of a page."""
    await connection.answer(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes(range(256)) * 20)


@endpoint("/chain")
async def chain(connection: Connection) -> None:
    """Redirects as often as `left` says, then sends a page."""
    left = int(connection.query["left"])
    if left == 0:
        await connection.answer()
    else:
        await connection.answer(b"", 302, Location=f"/chain?left={left - 1}")


@endpoint("/loop")
async def loop(connection: Connection) -> None:
    """Redirects to `/loop2`, which redirects back."""
    await connection.answer(b"", 302, Location="/loop2")


@endpoint("/loop2")
async def loop2(connection: Connection) -> None:
    """See `loop`."""
    await connection.answer(b"", 302, Location="/loop")


@endpoint("/to")
async def to(connection: Connection) -> None:
    """Redirects to the target with this number. A target in the query would be changed by URL normalization."""
    await connection.answer(b"", 302, Location=connection.server.targets[int(connection.query["target"])])


@endpoint("/sized")
async def sized(connection: Connection) -> None:
    """Sends a page of the requested size in bytes."""
    await connection.answer(PAGE.ljust(int(connection.query["bytes"])))


@endpoint("/status")
async def status(connection: Connection) -> None:
    """Sends a page with the status `code`."""
    await connection.answer(PAGE, int(connection.query["code"]))


@endpoint("/busy")
async def busy(connection: Connection) -> None:
    """Sends 429 with Retry-After as often as requested, then a page."""
    connection.server.counts[connection.hit.host] += 1
    if connection.server.counts[connection.hit.host] > int(connection.query["times"]):
        await connection.answer()
    else:
        await connection.answer(b"", int(connection.query.get("code", "429")), Retry_After=connection.query["after"])


@endpoint("/endless")
async def endless(connection: Connection) -> None:
    """Sends a page that links to the next one, endlessly."""
    following = int(connection.query["n"]) + 1
    await connection.answer(f'<a href="/endless?n={following}">next</a>'.encode())


@endpoint("/slow")
async def slow(connection: Connection) -> None:
    """Sends a page after `seconds`."""
    await asyncio.sleep(float(connection.query["seconds"]))
    await connection.answer()


@cache
def bomb_bytes() -> bytes:
    """Sends a quarter of a megabyte that decodes to a quarter of a gigabyte of zeros."""
    packer = zlib.compressobj(1, wbits=31)
    piece = bytes(1 << 20)
    return b"".join([packer.compress(piece) for _ in range(256)]) + packer.flush()


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
        """Where `/to` redirects to, by number."""
        self.idle: dict[str, float] = {}
        """Seconds after which a host's idle connections are closed, where it is not IDLE_SECONDS."""
        self.closing: set[str] = set()
        """Hosts that close the connection with each answer, and say so."""
        self.crossing: set[str] = set()
        """Hosts that close a kept connection while its next request is on its way: they never read that request."""
        self.crossed: list[Hit] = []
        """Such requests, which are not among `hits`."""
        self.counts: defaultdict[str, int] = defaultdict(int)
        """Requests for `/busy` so far, by host."""
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
