"""A server on loopback that accepts and keeps what is posted to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from newscrawl.demo.keep_alive import KeepAliveHandler, KeepAliveServer


class Webhooks:
    """The bodies that were posted, and the headers that a receiver may use, in order."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.address = f"http://127.0.0.1:{port}/hook"
        self.posted: list[dict[str, Any]] = []


@contextmanager
def webhooks() -> Iterator[Webhooks]:
    """Runs the server."""

    class Handler(KeepAliveHandler):
        def do_POST(self) -> None:  # noqa: N802
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name: self.headers[name] for name in ("Content-Type", "Idempotency-Key") if name in self.headers}
            kept.posted.append({"headers": headers, "body": json.loads(body)})
            self.answer(204, {}, b"")

    server = KeepAliveServer(("127.0.0.1", 0), Handler)
    kept = Webhooks(server.server_address[1])
    server.start()
    try:
        yield kept
    finally:
        server.stop()
