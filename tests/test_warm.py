"""Children of the template process (tests/support/warm.py) behave as those that subprocess starts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import warm

ROOT = Path(__file__).resolve().parents[1]

ABOUT = """
import json, multiprocessing.process, os, signal, sys
print(json.dumps({
    "main": __name__, "file": globals().get("__file__"), "arguments": sys.argv, "path": sys.path, "folder": os.getcwd(),
    "environment": dict(os.environ), "input": sys.stdin.read(),
    "is_main": sys.modules["__main__"].__dict__ is globals(),
    "started_in": multiprocessing.process.ORIGINAL_DIR, "interrupt": signal.getsignal(signal.SIGINT).__name__,
    "encoding": sys.stdout.encoding, "warnings": sys.warnoptions, "files": sorted(os.listdir("/proc/self/fd")),
}))
"""


@pytest.fixture(params=["code", "file", "module"])
def command(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    (tmp_path / "about.py").write_text(ABOUT)
    words = {"code": ["-c", ABOUT], "file": ["about.py"], "module": ["-m", "about"]}
    return [sys.executable, "-W", "error::UserWarning", *words[request.param], "--option", "word"]


def test_a_child_sees_what_a_new_interpreter_sees(command: list[str], tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "cwd": tmp_path,
        "env": {**os.environ, "PYTHONPATH": "/nowhere", "NEWSCRAWL_NEW": "1"},
        "input": "said",
        "capture_output": True,
        "text": True,
        "check": True,
    }
    child, other = warm.run(command, **given), subprocess.run(command, **given)
    assert child.stderr == other.stderr == ""
    assert child.stdout == other.stdout


@pytest.mark.parametrize(
    "code",
    [
        "import sys; sys.exit(3)",
        "import sys; sys.exit('told')",
        "1 / 0",
        "import os; os.kill(os.getpid(), 9)",
        "raise KeyboardInterrupt",
    ],
    ids=["a code", "a message", "an error", "a kill", "an interrupt"],
)
def test_a_child_ends_as_a_new_interpreter_does(code: str) -> None:
    words = [sys.executable, "-c", code]
    child, other = (run(words, capture_output=True, text=True, check=False) for run in (warm.run, subprocess.run))
    assert child.returncode == other.returncode
    assert child.stderr.splitlines()[-1:] == other.stderr.splitlines()[-1:]


def test_a_variable_that_is_read_at_the_start_starts_a_new_interpreter() -> None:
    code = "import os, sys; from newscrawl.compiled import is_forbidden; print(is_forbidden(), os.getppid())"
    outputs = [
        warm.run([sys.executable, "-c", code], env={**os.environ, **more}, capture_output=True, text=True, check=True)
        for more in ({}, {"NEWSCRAWL_PURE": "1"})
    ]
    (shared, forked_from), (own, started_by) = (done.stdout.split() for done in outputs)
    assert (shared, own) == ("False", "True")
    assert int(started_by) == os.getpid() != int(forked_from)


FORKED_FROM = """
import json, multiprocessing, os, sys
from pathlib import Path
from newscrawl.workers.processes.forkserver import prepare

def seen():
    return {
        "folder": os.getcwd(), "word": os.environ["WORD"], "files": len(os.listdir("/proc/self/fd")),
        "server is its child": Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1],
        "loaded": "sqlalchemy.dialects.postgresql" in sys.modules,
    }

def tell(pipe):
    pipe.send(seen())

if __name__ == "__main__":
    os.environ["WORD"] = "changed"
    prepare(("newscrawl.model",))
    for _ in range(2):
        ours, theirs = multiprocessing.Pipe()
        worker = multiprocessing.get_context("forkserver").Process(target=tell, args=(theirs,))
        worker.start()
        found = ours.recv()
        worker.join()
        print(json.dumps({**found, "server is its child": int(found["server is its child"]) == os.getpid()}))
"""


def test_a_childs_workers_come_from_a_process_of_the_template(tmp_path: Path) -> None:
    """It is the command's own child, with the command's environment as it is then, and no file more."""
    (tmp_path / "some_child.py").write_text(FORKED_FROM)
    (tmp_path / "other.py").write_text(FORKED_FROM)
    environment = {**os.environ, "WORD": "first", "PYTHONPATH": str(ROOT)}
    outputs = []
    for name in ("some_child.py", "other.py"):
        done = warm.run(
            [sys.executable, name], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        first, second = map(json.loads, done.stdout.splitlines())
        assert first == second
        outputs.append(first)
    forked, started = outputs
    assert forked == {**started, "loaded": True}
    assert started == {**started, "folder": str(tmp_path), "word": "changed", "server is its child": True}
    assert started["loaded"] is False


def test_what_waits_to_fork_workers_ends_with_a_command_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "some_child.py").write_text("print('ready', flush=True); input()")
    words = [sys.executable, str(tmp_path / "some_child.py")]
    with warm.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        child.kill()
        assert child.stdout.read() == ""  # nobody else has it open any more
        assert child.wait(60) == -signal.SIGKILL
