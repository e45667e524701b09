"""A server on loopback that accepts and keeps what is posted to it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Webhooks:
    """The bodies that were posted, and the headers that a receiver may use, in order."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.address = f"http://127.0.0.1:{port}/hook"
        self.posted: list[dict[str, Any]] = []


@contextmanager
def webhooks() -> Iterator[Webhooks]:
    """Runs the server."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name: self.headers[name] for name in ("Content-Type", "Idempotency-Key") if name in self.headers}
            kept.posted.append({"headers": headers, "body": json.loads(body)})
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_arguments: Any) -> None:
            """Prints nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        kept = Webhooks(server.server_address[1])
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield kept
        finally:
            server.shutdown()
            thread.join()
