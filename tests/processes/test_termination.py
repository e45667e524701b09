"""SIGTERM closes what a command has opened, as Ctrl-C does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import warm
from patience import PATIENCE, wait_until

from newscrawl.storage.store import open_store
from newscrawl.workers.processes.forkserver import MAX_FOLDER_BYTES
from newscrawl.workers.processes.termination import Terminated, exit_code, raising_terminated

ROOT = Path(__file__).resolve().parents[2]
TEXT = "The council of the harbour town met on Tuesday evening and spoke for four hours about the new ferry. " * 9


@pytest.fixture(autouse=True)
def _former_handler() -> Iterator[None]:
    former = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGTERM, former)


def start(folder: Path, *arguments: str, **settings: str) -> subprocess.Popen[str]:
    """Starts a command with the database of the folder."""
    settings |= {"NEWSCRAWL_DATABASE_URL": f"sqlite:///{folder}/news.db"}
    command = [sys.executable, "-m", "newscrawl.cli", *arguments]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return warm.Popen(command, cwd=ROOT, env={**os.environ, **settings}, text=True, **pipes)


def wait_for(running: subprocess.Popen[str], condition: Callable[[], object]) -> None:
    """Waits for the condition. Fails with the output of the command if the command ends before it."""
    try:
        wait_until(lambda: condition() or running.poll() is not None)
        assert running.poll() is None, running.communicate(timeout=PATIENCE)
    except BaseException:
        running.kill()
        running.communicate()
        raise


def end(running: subprocess.Popen[str]) -> tuple[int, str]:
    """Sends SIGTERM. Returns the exit code and the error output."""
    running.send_signal(signal.SIGTERM)
    _, err = running.communicate(timeout=PATIENCE)
    return running.returncode, err


def test_the_first_sigterm_is_raised_and_the_next_one_ends_the_process() -> None:
    after: list[object] = []

    def command() -> None:
        with raising_terminated():
            try:
                signal.raise_signal(signal.SIGTERM)
            finally:
                after.append(signal.getsignal(signal.SIGTERM))

    with pytest.raises(Terminated) as error:
        command()
    assert after == [signal.SIG_DFL]
    assert (exit_code(error.value), exit_code(KeyboardInterrupt())) == (143, 130)
    with raising_terminated():
        assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.parametrize(("number", "error"), [(signal.SIGTERM, Terminated), (signal.SIGINT, KeyboardInterrupt)])
def test_a_signal_in_a_callback_of_the_garbage_collector_is_not_lost(number: signal.Signals, error: type) -> None:
    """Python prints "Exception ignored" there and goes on."""

    class Held:
        pass

    held = Held()
    called: list[object] = []

    def gone(reference: object) -> None:
        called.append(reference)
        signal.raise_signal(number)

    reference = weakref.ref(held, gone)

    def command() -> None:
        nonlocal held
        with raising_terminated():
            held = Held()
            assert called == [reference]
            time.sleep(PATIENCE)

    with pytest.raises(error):
        command()
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_a_sigterm_that_is_ignored_and_other_threads_are_left_alone() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with raising_terminated():
        signal.raise_signal(signal.SIGTERM)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    seen: list[object] = []

    def other() -> None:
        with raising_terminated():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert seen == [signal.SIG_DFL]


@pytest.mark.process
def test_an_ingest_leaves_no_folder_of_its_fork_server(tmp_path: Path, temporary: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(3_000):
        (pages / f"{number}.html").write_text(f"<title>The ferry</title><main><p>{number} {TEXT}</p></main>", "utf-8")
    running = start(tmp_path, "ingest", str(pages), TMPDIR=str(temporary))
    wait_for(running, lambda: any(temporary.iterdir()))
    code, err = end(running)
    assert (code, "Traceback" in err, list(temporary.iterdir())) == (143, False, [])


@pytest.mark.process
@pytest.mark.parametrize("bytes_more", [0, 1])
def test_a_folder_with_too_long_a_path_for_a_socket_is_named_in_one_line(temporary: Path, bytes_more: int) -> None:
    page = temporary / "page.html"
    page.write_text(f"<title>The ferry</title><main><p>{TEXT}</p></main>", "utf-8")
    longest = MAX_FOLDER_BYTES - len("/pymp-12345678")
    long = temporary / ("x" * (longest + bytes_more - len(str(temporary)) - 1))
    long.mkdir()
    running = start(temporary, "ingest", str(page), TMPDIR=str(long))
    _, err = running.communicate(timeout=PATIENCE)
    if not bytes_more:
        assert running.returncode == 0, err
        return
    assert (running.returncode, err.count("\n")) == (2, 1), err
    assert f"setting TMPDIR: the path of {long} is too long" in err


@pytest.mark.process
def test_a_feed_that_follows_ends_with_143_and_one_line(tmp_path: Path) -> None:
    open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True).close()
    running = start(tmp_path, "feed", f"jsonl:{tmp_path}/out.jsonl", "--follow")
    wait_for(running, (tmp_path / "out.jsonl").exists)
    assert end(running) == (143, "newscrawl: interrupted\n")


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_server_for_models_ends_although_its_input_stays_open(tmp_path: Path, number: signal.Signals) -> None:
    open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True).close()
    running = start(tmp_path, "mcp")
    assert running.stdin is not None
    assert running.stdout is not None
    hello = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    running.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}) + "\n")
    running.stdin.flush()
    assert "result" in running.stdout.readline()
    running.send_signal(number)
    try:
        assert running.wait(PATIENCE) == 128 + number
    finally:
        running.kill()
        _, err = running.communicate()
    assert err == "newscrawl: interrupted\n"


@pytest.mark.process
@pytest.mark.parametrize("module", ["newscrawl.cli", "newscrawl.crawling.commands"])
def test_ctrl_c_during_an_import_is_one_line(module: str) -> None:
    code = f"import {module}; raise KeyboardInterrupt"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "newscrawl: interrupted\n")
