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
from command_settings import give_settings
from patience import PATIENCE

from newscrawl.cli.main import main
from newscrawl.storage.store import open_store


def start(database: str, *options: str) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "newscrawl.cli",
        "web",
        "--listen",
        "127.0.0.1:0",
        "--database",
        database,
        *options,
    ]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_printed_address_logs_in_and_sigterm_ends_the_server(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/news.db"
    open_store(database, upgrade=True).close()
    running = start(database)
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


Command = Callable[..., str]


@pytest.fixture
def failing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs the command in this process; its message on standard error."""
    give_settings(monkeypatch, NEWSCRAWL_DATABASE_URL=f"sqlite:///{tmp_path}/news.db")

    def run(*argv: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["web", *argv], prog_name="newscrawl")
        assert ended.value.code == 2
        return capsys.readouterr().err

    return run


def test_without_a_database_the_command_says_what_makes_one(failing: Command) -> None:
    assert "no database at" in failing("--listen", "127.0.0.1:0")


def test_a_token_that_is_too_short_is_not_repeated(failing: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEWSCRAWL_WEB_TOKEN", "tooshort")
    message = failing()
    assert "too short" in message
    assert "tooshort" not in message


def test_without_the_extra_the_command_names_it(failing: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.startswith("newscrawl.web")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert "pip install '.[web]'" in failing()
