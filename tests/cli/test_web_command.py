"""`newscrawl web` as an operator starts it: what it prints, that the address works, how it ends, and its errors."""

from __future__ import annotations

import http.client
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from patience import PATIENCE

from newscrawl.storage.store import open_store


def test_the_printed_address_logs_in_and_sigterm_ends_the_server(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/news.db"
    open_store(database, upgrade=True).close()
    command = [sys.executable, "-m", "newscrawl.cli", "web", "--listen", "127.0.0.1:0", "--database", database]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        found = re.search(r"open http://127\.0\.0\.1:(\d+)(/login\?key=\S+)", running.stdout.readline())
        assert found is not None
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=PATIENCE)
        connection.request("GET", found[2])
        answer = connection.getresponse()
        answer.read()
        cookie = (answer.getheader("set-cookie") or "").partition(";")[0]
        connection.request("GET", "/", headers={"Cookie": cookie})
        page = connection.getresponse().read()
        assert b"No alarm is open." in page
        connection.close()
    finally:
        running.send_signal(signal.SIGTERM)
        out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 0
    assert "key=" not in out
    assert err == ""


@pytest.fixture
def failing(call: Callable[..., Result]) -> Callable[..., str]:
    """Runs the command in this process. Returns its message on standard error."""

    def run(*options: str) -> str:
        done = call("web", *options)
        assert (done.exit_code, done.stdout) == (2, "")
        return done.stderr

    return run


def test_errors_name_what_makes_a_database_and_the_extra_and_no_token(
    failing: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no database at" in failing("--listen", "127.0.0.1:0")
    monkeypatch.setenv("NEWSCRAWL_WEB_TOKEN", "tooshort")
    message = failing()
    assert ("too short" in message, "tooshort" in message) == (True, False)
    for module in [name for name in sys.modules if name.startswith("newscrawl.web")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert "pip install '.[web]'" in failing()
