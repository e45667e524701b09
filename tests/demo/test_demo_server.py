"""The server of the demo site on loopback: it starts, answers, stops, and leaves nothing."""

from __future__ import annotations

import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import urllib.request

import pytest
from patience import PATIENCE

from newscrawl.demo import ORIGIN, DemoServer, DemoSite


def threads_since(before: set[threading.Thread]) -> set[threading.Thread]:
    """The threads begun since ``before``; those that other tests' servers left in this process do not count."""
    return set(threading.enumerate()) - before


def test_it_serves_on_loopback_and_logs_what_was_asked(server: DemoServer, ask) -> None:
    reply = ask("/robots.txt", User_Agent="newscrawl/test")
    assert reply.status == 200
    assert reply.body.startswith(b"# Welcome")
    ask("/nowhere")
    first, second = server.log
    assert (first.method, first.path, first.status, first.user_agent) == ("GET", "/robots.txt", 200, "newscrawl/test")
    assert (second.path, second.status) == ("/nowhere", 404)
    assert first.at <= second.at


def test_adverts_change_from_one_request_to_the_next_and_a_304_has_no_body(site: DemoSite, ask) -> None:
    path = site.stories[0].path
    first, second = ask(path), ask(path)
    assert first.body != second.body
    third = ask(path, If_None_Match=second.headers["etag"])
    assert (third.status, third.body) == (304, b"")


def test_head_sends_headers_only(ask) -> None:
    reply = ask("/", "HEAD")
    assert reply.status == 200
    assert reply.body == b""
    assert int(reply.headers["content-length"]) > 0


def test_a_post_is_refused(ask) -> None:
    assert ask("/", "POST").status == 405


def test_pages_link_to_the_host_that_was_asked_for(ask) -> None:
    assert ORIGIN.encode() in ask("/city/", Host="demo.localhost:8765").body
    assert b"http://localhost:1234/city/" in ask("/city/", Host="localhost:1234").body


def test_a_host_header_that_is_no_host_does_not_get_into_the_page(ask) -> None:
    body = ask("/city/", Host='x"><script>').body
    assert b'x"><script>' not in body
    assert ORIGIN.encode() in body


def test_a_taken_port_is_replaced_by_another(server: DemoServer, site: DemoSite) -> None:
    with DemoServer(site, port=server.port) as second:
        assert second.port != server.port
        with urllib.request.urlopen(f"http://127.0.0.1:{second.port}/robots.txt", timeout=PATIENCE) as response:
            assert response.status == 200
        assert server.log == ()


def test_stopping_leaves_no_thread_even_with_an_idle_connection(site: DemoSite) -> None:
    before = set(threading.enumerate())
    server = DemoServer(site, port=0).start()
    idle = socket.create_connection(("127.0.0.1", server.port))
    try:
        server.stop()
        assert threads_since(before) == set()
        server.stop()  # a second time is harmless
    finally:
        idle.close()


def test_a_client_that_goes_away_in_the_middle_makes_no_noise(
    site: DemoSite, capfd: pytest.CaptureFixture[str]
) -> None:
    with DemoServer(site, port=0) as server:
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", server.port)) as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # reset, not close
                client.sendall(b"GET /city/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert capfd.readouterr().err == ""


def test_it_can_be_started_again(site: DemoSite) -> None:
    before = set(threading.enumerate())
    server = DemoServer(site, port=0)
    for _ in range(2):
        with server, urllib.request.urlopen(f"http://127.0.0.1:{server.port}/", timeout=PATIENCE) as response:
            assert response.status == 200
        assert threads_since(before) == set()


def test_it_runs_by_hand_until_interrupted() -> None:
    command = [sys.executable, "-m", "newscrawl.demo", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        line = process.stdout.readline()
        address = re.search(r"http://localhost:(\d+)/", line)
        assert address, line
        with urllib.request.urlopen(f"http://127.0.0.1:{address[1]}/", timeout=PATIENCE) as response:
            assert b"The Lanternhead Courier" in response.read()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 0
        assert process.stderr.read() == ""
