"""A receiver of the change feed as a web service, and a server on loopback for it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class WebhookReceiver:
    """A web service with a limit on the size of bodies. It may refuse a change by its title."""

    def __init__(self, limit: int = 1_000_000) -> None:
        self.limit = limit
        """Bytes above which a body is answered with 413."""
        self.refused: dict[str, int] = {}
        """The status for a body with an article of a title."""
        self.every: int | None = None
        """The status for every body, where it is set."""
        self.retry_after: str | None = None
        """The header Retry-After of refusals, where it is set."""
        self.bodies: list[tuple[int, int]] = []
        """Size and status of every body."""
        self.taken: list[str] = []
        """Titles of the articles taken."""
        self.headers: list[dict[str, str]] = []
        """Headers of every request."""

    def answer(self, body: bytes) -> int:
        """Stores a body. Returns the status of the answer."""
        entries = json.loads(body)
        titles = [entry["article"]["title"] for entry in entries if entry["article"] is not None]
        status = self.every or next((self.refused[title] for title in titles if title in self.refused), 204)
        status = 413 if len(body) > self.limit else status
        self.bodies.append((len(body), status))
        if status == 204:
            self.taken += titles
        return status


@contextmanager
def serving(receiver: WebhookReceiver) -> Iterator[str]:
    """Yields the address of the receiver's web service, which keeps connections alive."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else each answer waits 40 ms for the delayed ACK of its head

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.headers.append(dict(self.headers))
            status = receiver.answer(body)
            # A refusal with what would harm a terminal if it were printed as it is.
            reply = b"" if status == 204 else b"no,\n\x1b[2J thank you"
            self.send_response(status)
            self.send_header("Content-Length", str(len(reply)))
            if receiver.retry_after is not None and status != 204:
                self.send_header("Retry-After", receiver.retry_after)
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_args: Any) -> None:
            pass

    with running(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as port:
        yield f"http://127.0.0.1:{port}/hook"


@contextmanager
def running(server: ThreadingHTTPServer) -> Iterator[int]:
    """Serves in a thread. Yields the port."""
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
