"""Small HTTP servers that treat connections as real servers do: they keep them alive and close idle ones.

A server that closes every connection hides faults of a crawler: bytes that accumulate on a kept connection, and
requests on a connection that the server is closing. The demo site, benchmarks and tests use these two classes.
"""

from __future__ import annotations

import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Final, Self

IDLE_SECONDS: Final = 2.0
"""Seconds after which a connection without a request is closed. nginx waits 75 seconds, gunicorn 2. A shorter time lets
a crawl meet closing connections more often."""

SEGMENT_BYTES: Final = 16 * 1024
"""Bytes of the largest answer that is sent in one piece with its headers."""

STOP_SECONDS: Final = 0.02
"""Seconds between two checks of a serving thread whether it should stop."""


class KeepAliveServer(ThreadingHTTPServer):
    """A server with one thread for each connection and one that accepts them, from `start` to `stop`."""

    daemon_threads = False  # so that server_close() waits for them
    thread_name: ClassVar[str] = "server"
    """The beginning of the name of the thread that accepts connections; the port follows."""

    def __init__(self, address: tuple[str, int], handler: type[KeepAliveHandler]) -> None:
        self._open: set[socket.socket] = set()
        super().__init__(address, handler)
        name = f"{self.thread_name}:{self.server_address[1]}"
        self._thread = threading.Thread(target=self.serve_forever, args=(STOP_SECONDS,), name=name, daemon=True)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Remembers the connection."""
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Forgets the connection."""
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores a client that disconnects during an answer, as a stopped crawl does."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def start(self) -> Self:
        """Serves in a thread."""
        self._thread.start()
        return self

    def wait(self) -> None:
        """Blocks until the server is stopped."""
        self._thread.join()

    def stop(self) -> None:
        """Stops serving and closes all connections, including those with a waiting client; returns when no thread is
        left."""
        self.shutdown()
        for request in tuple(self._open):
            try:
                request.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # its own thread closed it first
        self.server_close()
        self.wait()


class KeepAliveHandler(BaseHTTPRequestHandler):
    """A handler for HTTP/1.1 that keeps a connection for `timeout` seconds after an answer. Every answer needs a
    Content-Length; `answer` adds it."""

    protocol_version = "HTTP/1.1"
    timeout = IDLE_SECONDS
    wbufsize = SEGMENT_BYTES
    disable_nagle_algorithm = True  # else a large answer's second piece waits for the client's delayed ACK

    def answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        """Sends a complete answer, however slowly the client reads; a HEAD request gets no body."""
        self.connection.settimeout(None)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if not any(name.lower() == "content-length" for name in headers):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            for at in range(0, len(body), SEGMENT_BYTES):
                self.wfile.write(body[at : at + SEGMENT_BYTES])
        self.wfile.flush()
        self.connection.settimeout(self.timeout)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the base class's name
        """Writes nothing to standard error."""
