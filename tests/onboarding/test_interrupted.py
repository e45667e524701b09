"""A signal during the requests of a command: the exit code is that of the signal, and nothing is written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import warm
from patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


class SlowSite(ThreadingHTTPServer):
    """A site whose pages are answered when `release` is set. `asked` is set by the first request for one."""

    daemon_threads = True

    def __init__(self) -> None:
        self.asked, self.release = threading.Event(), threading.Event()
        super().__init__(("127.0.0.1", 0), Handler)


class Handler(BaseHTTPRequestHandler):
    """Has no robots.txt, and answers every page with the same text."""

    server: SlowSite

    def do_GET(self) -> None:
        if self.path == "/robots.txt":
            self.send_error(404)
            return
        self.server.asked.set()
        self.server.release.wait(PATIENCE)
        body = b"<html><body><a href='/news/1'>One</a></body></html>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Prints nothing."""


@contextmanager
def slow_site() -> Iterator[SlowSite]:
    with SlowSite() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.release.set()
            server.shutdown()


@pytest.mark.parametrize("command", ["add-site", "extract"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_command_ends_with_the_exit_code_of_the_signal(
    project: Path, command: str, number: signal.Signals
) -> None:
    with slow_site() as server:
        environment = {
            **os.environ,
            "PYTHONPATH": f"{project}{os.pathsep}{ROOT}",
            "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.1/32",
            "NEWSCRAWL_DELAY": "0",
        }
        running = warm.Popen(
            [sys.executable, "-m", "newscrawl.cli", command, f"http://127.0.0.1:{server.server_port}/"],
            cwd=project,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.asked.wait(PATIENCE)
            running.send_signal(number)
        finally:
            server.release.set()
            _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 128 + number
    assert err.splitlines()[-1] == "newscrawl: stopped before the end"
    assert not list((project / "spiders").glob("127*"))
