"""The real server on this machine: what it prints, odd requests over sockets, and that it writes no secret."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from patience import PATIENCE
from web_database import NOW, TOKEN

from newscrawl.errors import UsageError
from newscrawl.web.application import make_application, utc_now
from newscrawl.web.server import CONNECTIONS, MAX_HEAD, PatientProtocol, lines, listen, server_of
from newscrawl.web.sessions import Logins
from newscrawl.web.settings import Listening, WebSettings

KEPT_SECONDS = 0.2
"""How long a connection stays open after an answer, here. A request that names no end waits for it (5 s in use)."""


@dataclass(frozen=True)
class Running:
    """A server in a thread, and a log-in address of it."""

    port: int
    path: str

    def ask(self, request: bytes) -> bytes:
        """Sends the bytes and returns all that is answered."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            connection.sendall(request)
            parts = []
            while part := connection.recv(65_536):
                parts.append(part)
        return b"".join(parts)

    def get(self, path: str, *headers: str) -> bytes:
        """Asks for a path with these headers alone."""
        head = "".join(f"{line}\r\n" for line in (f"GET {path} HTTP/1.1", *headers, "Connection: close"))
        return self.ask(f"{head}\r\n".encode("latin-1"))


@pytest.fixture(scope="module")
def running(settings: WebSettings) -> Iterator[Running]:
    with listen(Listening("127.0.0.1", 0)) as bound:
        logins = Logins(TOKEN, utc_now)
        server = server_of(make_application(settings, logins, lambda: NOW))
        server.config.timeout_keep_alive = KEPT_SECONDS
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        yield Running(bound.getsockname()[1], f"/login?key={logins.new_key()}")
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()


BEARER = f"Authorization: Bearer {TOKEN}"


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def test_the_server_answers_with_its_own_headers_only(running: Running) -> None:
    answer = running.get("/sites.json", f"Host: 127.0.0.1:{running.port}", BEARER)
    assert status(answer) == 200
    head = answer.partition(b"\r\n\r\n")[0].lower()
    assert b"\r\nserver:" not in head
    assert b"uvicorn" not in head
    assert b"content-security-policy: default-src 'none'" in head


def test_a_log_in_address_opens_a_session(running: Running) -> None:
    host = f"Host: localhost:{running.port}"
    answer = running.get(running.path, host)
    assert status(answer) == 303
    cookie = next(line for line in answer.split(b"\r\n") if line.lower().startswith(b"set-cookie:"))
    secret = cookie.partition(b":")[2].partition(b";")[0].strip().decode()
    assert status(running.get("/", host, f"Cookie: {secret}")) == 200
    assert status(running.get("/", host, f"Cookie: other=1; {secret}")) == 200
    assert status(running.get("/", host, f"Cookie: {secret[:-1]}")) == 401


@pytest.mark.parametrize(
    "headers",
    [
        ["Host: evil.example"],
        ["Host: 127.0.0.1", "Host: evil.example"],
        ["Host: 127.0.0.1:1:2"],
        ["Host: 127.0.0.1, evil.example"],
        ["Host: \xe9vil"],
        ["Host: evil.example", "X-Forwarded-Host: 127.0.0.1"],
        [],
    ],
    ids=["another", "two", "two ports", "a list", "not ASCII", "forwarded", "none"],
)
def test_odd_hosts_are_refused(running: Running, headers: list[str]) -> None:
    answer = running.get("/sites", BEARER, *headers)
    assert status(answer) in {400, 421}
    assert b"harbour" not in answer


def test_a_whole_address_in_the_request_line_gives_nothing_to_another_host(running: Running) -> None:
    answer = running.ask(b"GET http://evil.example/sites HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
    assert status(answer) in {400, 421}


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * (MAX_HEAD + 100) + b"\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc",
    ],
    ids=["a large head", "TLS", "a version", "two lengths"],
)
def test_what_is_no_request_is_refused(running: Running, request_: bytes) -> None:
    answer = running.ask(request_)
    assert b"Traceback" not in answer
    assert not answer or status(answer) in {400, 401, 403, 431}


def test_a_body_of_unknown_length_is_refused(running: Running) -> None:
    fields = ("Host: 127.0.0.1", "Origin: http://127.0.0.1", "Transfer-Encoding: chunked", "Connection: close")
    head = "\r\n".join(("POST /login HTTP/1.1", *fields, "", ""))
    chunk = b"4\r\nabcd\r\n"
    answer = running.ask(head.encode() + chunk * 6 + b"0\r\n\r\n")
    assert status(answer) == 411


def test_no_log_line_has_a_secret(running: Running, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        host = "Host: 127.0.0.1"
        running.get("/login?key=a-secret-key", host)
        running.get("/sites?odd=a-secret-word", host, BEARER)
        running.get("/", host, "Authorization: Bearer a-secret-token")
    assert "secret" not in caplog.text
    assert TOKEN not in caplog.text


def test_an_address_in_use_is_said(running: Running) -> None:
    with pytest.raises(UsageError, match=f"cannot listen on 127.0.0.1:{running.port}: address already in use"):
        listen(Listening("127.0.0.1", running.port))


def test_the_first_line_is_the_address_to_open() -> None:
    settings = WebSettings("sqlite:///news.db", Listening("127.0.0.1", 8787))
    (first, second) = lines(settings, "abc")
    (address,) = [word for word in first.split() if "://" in word]
    assert urlsplit(address)[:3] == ("http", "127.0.0.1:8787", "/login")
    assert "once" in second
    for everywhere in ("0.0.0.0", "::"):
        shown = WebSettings("sqlite:///news.db", Listening(everywhere, 8787), token="x" * 16)
        (first, _, third) = lines(shown, "abc")
        assert "open http://127.0.0.1:8787/login?key=abc" in first  # nobody is let in as 0.0.0.0
        assert "--origin" in third
        assert "127.0.0.1" in shown.hosts
    behind = WebSettings("sqlite:///news.db", origins=("https://news.example",))
    assert "https://news.example/login?key=" in lines(behind, "abc")[0]


SLOW = {
    "nothing": b"",
    "a head without an end": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    "a body without an end": b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\n"
    b"Content-Length: 99\r\n\r\ntoken=",
}


@pytest.mark.parametrize("begun", SLOW.values(), ids=SLOW)
def test_connections_without_a_request_keep_others_out_for_their_deadline_alone(
    running: Running, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    monkeypatch.setattr(PatientProtocol, "seconds", 2.0)
    with ExitStack() as stack:
        for _ in range(CONNECTIONS + 10):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", running.port), timeout=PATIENCE))
            slow.sendall(begun)
        until = time.monotonic() + PATIENCE
        while status(running.get("/health", f"Host: 127.0.0.1:{running.port}")) != 200:
            assert time.monotonic() < until  # they keep their ends of the connections open
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("begun", SLOW.values(), ids=SLOW)
def test_a_request_that_is_never_complete_ends(running: Running, monkeypatch: pytest.MonkeyPatch, begun: bytes) -> None:
    monkeypatch.setattr(PatientProtocol, "seconds", 0.3)
    before = time.monotonic()
    assert running.ask(begun) == b""  # the server closes the connection
    assert time.monotonic() - before < PATIENCE
    assert status(running.get("/health", f"Host: 127.0.0.1:{running.port}")) == 200
