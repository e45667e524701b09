"""Local servers handle connections as real ones do."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from patience import PATIENCE

from newscrawl.demo.keep_alive import SEGMENT_BYTES, KeepAliveHandler, KeepAliveServer

SMALL = b"s" * 5_000
LARGE = b"l" * (5 * SEGMENT_BYTES)


class Pages(KeepAliveHandler):
    timeout = PATIENCE

    def do_GET(self) -> None:  # noqa: N802
        self.answer(200, {"Content-Type": "text/html"}, LARGE if self.path == "/large" else SMALL)


class Hasty(Pages):
    timeout = 0.1


@pytest.fixture
def connection(request: pytest.FixtureRequest) -> Iterator[socket.socket]:
    server = KeepAliveServer(("127.0.0.1", 0), getattr(request, "param", Pages)).start()
    with socket.create_connection(server.server_address[:2], timeout=PATIENCE) as client:
        yield client
        server.stop()


def ask(connection: socket.socket, path: str) -> None:
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())


def test_small_answers_come_in_one_segment_each_over_one_connection(connection: socket.socket) -> None:
    for _ in range(3):
        ask(connection, "/small")
        answer = connection.recv(1 << 20)
        assert answer.startswith(b"HTTP/1.1 200 OK")
        assert answer.endswith(SMALL)


def test_large_answers_come_whole(connection: socket.socket) -> None:
    ask(connection, "/large")
    answer = b""
    while not answer.endswith(LARGE):
        answer += connection.recv(1 << 20)
    assert answer.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("connection", [Hasty], ids=["a hasty server"], indirect=True)
def test_an_idle_connection_is_closed_by_the_server(connection: socket.socket) -> None:
    ask(connection, "/small")
    assert connection.recv(1 << 20)
    assert connection.recv(1) == b""


def test_stopping_closes_connections_that_are_kept(connection: socket.socket) -> None:
    ask(connection, "/small")
    assert connection.recv(1 << 20)
