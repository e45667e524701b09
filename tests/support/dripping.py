"""A server that sends something now and then and never ends its answer."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def dripping_server(drop: bytes, pause: float, first: bytes = b"") -> Iterator[int]:
    """Yields the port of a server that sends `first`, and then a drop after each pause of so many seconds, to the one
    connection that it takes."""
    server = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def answer() -> None:
        connection, _ = server.accept()
        with connection:
            connection.sendall(first)
            while not ended.wait(pause):
                try:
                    connection.sendall(drop)
                except OSError:
                    return

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    yield server.getsockname()[1]
    ended.set()
    thread.join(10)
    server.close()
