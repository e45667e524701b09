"""Kinds of misbehaviour by path. Each endpoint answers one request wrongly in its own way."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Callable
from functools import cache

from newscrawl.testing.hostile.connection import PAGE, Connection, Endpoint

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
