"""A signal during the requests of a command: the exit code is that of the signal, and nothing is written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import warm
from patience import PATIENCE

from newscrawl.testing.news_server import Answer, NewsServer

ROOT = Path(__file__).resolve().parents[2]


class SlowSite(NewsServer):
    """A site whose pages are answered when `release` is set. `asked_for_one` is set by the first request for one."""

    def __init__(self) -> None:
        self.asked_for_one, self.release = threading.Event(), threading.Event()
        super().__init__()

    def answer(self, path: str, etag: str | None, host: str = "") -> Answer:
        if path == "/robots.txt":
            return 404, {}, b""
        self.asked_for_one.set()
        self.release.wait(PATIENCE)
        return 200, {"Content-Type": "text/html"}, b"<html><body><a href='/news/1'>One</a></body></html>"


@pytest.mark.parametrize("command", ["add-site", "extract"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_command_ends_with_the_exit_code_of_the_signal(
    project: Path, command: str, number: signal.Signals
) -> None:
    with SlowSite() as server:
        environment = {
            **os.environ,
            "PYTHONPATH": f"{project}{os.pathsep}{ROOT}",
            "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.1/32",
            "NEWSCRAWL_DELAY": "0",
        }
        running = warm.Popen(
            [sys.executable, "-m", "newscrawl.cli", command, f"{server.url}/"],
            cwd=project,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.asked_for_one.wait(PATIENCE)
            running.send_signal(number)
        finally:
            server.release.set()
            _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 128 + number
    assert err.splitlines()[-1] == "newscrawl: stopped before the end"
    assert not list((project / "spiders").glob("127*"))
