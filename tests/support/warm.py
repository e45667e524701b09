"""Child processes that start quickly: they are forked from a template process that has already imported the libraries.

`Popen` and `run` are those of subprocess, for commands of this interpreter: `python -m MODULE`, `python -c CODE` and
`python FILE`. What they start is a process of its own: its environment, working directory, standard files, signals,
exit code and end are as they always are. Only the interpreter's start and the imports of libraries and of those modules
of newscrawl that do not read the environment (1.3 s of CPU) are shared. What cannot be shared starts as ever: another
program or option of the interpreter, a variable that is read when Python or a shared module starts, a terminal as
standard output, or a system without descriptors of processes. The process that a child's workers are forked from is
such a fork as well (warm_workers.py).

A test of the start itself uses subprocess.
"""

from __future__ import annotations

import atexit
import inspect
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any, Final

from patience import PATIENCE
from warm_template import PROGRAM, STATUS

READ_AT_START: Final = ("CLOCK_AHEAD", "NEWSCRAWL_PURE", "TZ", "LANG", "LANGUAGE")
READ_AT_START_PREFIXES: Final = ("PYTHON", "LC_", "LD_", "COVERAGE", "MALLOC_")
NOT_SHARED: Final = {"PYTHONPATH", "PYTHONUNBUFFERED"}
"""Variables with these prefixes that the template can set for each child."""

_START: Final = inspect.signature(subprocess.Popen._execute_child)  # type: ignore[attr-defined]
_SAME: Final = ("preexec_fn", "pass_fds", "gid", "gids", "uid", "shell")
"""Arguments of Popen that the template does not know."""


class _Template:
    """The process that children are forked from; starts with the first of them."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.environment: dict[str, str] = {}
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()

    def start(self, order: dict[str, Any], files: list[int]) -> int:
        """Forks a child; `files` are its standard files and what its status is written to. Returns its number."""
        with self._lock:
            if self._socket is None:
                self._begin()
            assert self._socket is not None
            message = json.dumps(order).encode()
            socket.send_fds(self._socket, [struct.pack("=I", len(message))], files)
            self._socket.sendall(message)
            answer = self._socket.recv(STATUS.size, socket.MSG_WAITALL)
            assert len(answer) == STATUS.size, "the template process ended"
            return int(STATUS.unpack(answer)[0])

    def close(self) -> None:
        """Ends the process. It has no child left then."""
        if self.process is not None and self._socket is not None:
            self._socket.close()
            self.process.wait()
        self.process = self._socket = None

    def _begin(self) -> None:
        ours, theirs = socket.socketpair()
        self.environment = shared(os.environ)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-c", PROGRAM, str(Path(__file__).parent), str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            )
        self._socket = ours


_template: Final = _Template()
close: Final = _template.close
atexit.register(close)


def shared(environment: Any) -> dict[str, str]:
    """Returns the environment variables that are read before a child can have its own."""
    return {
        name: value
        for name, value in environment.items()
        if value and name not in NOT_SHARED and (name in READ_AT_START or name.startswith(READ_AT_START_PREFIXES))
    }


class Popen(subprocess.Popen):  # type: ignore[type-arg]
    """A child process, forked from the template where it can be."""

    _status_file: int | None = None

    def _execute_child(self, *arguments: Any) -> None:
        given = _START.bind(self, *arguments).arguments
        files = [given["p2cread"], given["c2pwrite"], given["errwrite"]]
        files = [standard if file == -1 else file for standard, file in enumerate(files)]
        host, words = _own_host([os.fspath(word) for word in given["args"]])
        environment = {os.fsdecode(k): os.fsdecode(v) for k, v in (given["env"] or os.environ).items()}
        if not _can_fork(words, environment, given, files):
            super()._execute_child(*arguments)
            return
        readable, writable = os.pipe()
        try:
            order = {"words": words[1:], "cwd": os.fspath(given["cwd"] or Path.cwd()), "environment": environment}
            order |= {"session": bool(given["start_new_session"]), "group": given["process_group"], "host": host}
            self.pid = _template.start(order, [*files, writable])
        finally:
            os.close(writable)
            self._close_pipe_fds(*(given[name] for name in _PIPES))  # type: ignore[attr-defined]
        self._status_file = readable
        self._child_created = True

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        if self._status_file is None:
            found: tuple[int, int] = super()._try_wait(wait_flags)  # type: ignore[misc]
            return found
        if wait_flags & os.WNOHANG and not select.select([self._status_file], [], [], 0)[0]:
            return 0, 0
        status = os.read(self._status_file, STATUS.size)
        os.close(self._status_file)
        self._status_file = None
        return self.pid, STATUS.unpack(status)[0] if status else signal.SIGKILL

    def _internal_poll(self, *arguments: Any, **named: Any) -> int | None:
        if self._status_file is None or self.returncode is not None:
            code: int | None = super()._internal_poll(*arguments, **named)  # type: ignore[misc]
            return code
        if self._waitpid_lock.acquire(False):  # type: ignore[attr-defined]
            try:
                pid, status = self._try_wait(os.WNOHANG)
                if pid == self.pid:
                    self._handle_exitstatus(status)  # type: ignore[attr-defined]
            finally:
                self._waitpid_lock.release()  # type: ignore[attr-defined]
        return self.returncode


_PIPES: Final = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")


def _own_host(words: list[str]) -> tuple[str | None, list[str]]:
    """Returns the host name that a command gets by own_host_name of benchmarks.machines, and the command alone."""
    if words[:4] != ["unshare", "--uts", "sh", "-c"] or not words[4].startswith("hostname "):
        return None, words
    return words[4].split()[1], words[6:]


def _can_fork(words: list[str], environment: dict[str, str], given: dict[str, Any], files: list[int]) -> bool:
    if not hasattr(os, "pidfd_open") or words[0] != sys.executable or len(words) < 2:
        return False
    if any(given.get(name) not in (None, False, -1, (), []) for name in _SAME) or os.isatty(files[1]):
        return False
    rest = words[1:]
    while rest and rest[0].startswith("-W"):
        rest = rest[1:] if len(rest[0]) > 2 else rest[2:]
    starts = rest and (rest[0] in {"-m", "-c"} or not rest[0].startswith("-"))
    return bool(starts) and shared(environment) == (_template.environment or shared(os.environ))


run: Final = FunctionType(subprocess.run.__code__, {**vars(subprocess), "Popen": Popen}, "run")
"""subprocess.run, with a process of the template."""
run.__kwdefaults__ = subprocess.run.__kwdefaults__


def told(command: list[Any], **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end. Its output is text."""
    done: subprocess.CompletedProcess[str] = run(command, capture_output=True, text=True, timeout=PATIENCE, **options)
    return done


AS_SUBPROCESS: Final = SimpleNamespace(
    Popen=Popen, run=run, PIPE=subprocess.PIPE, DEVNULL=subprocess.DEVNULL, TimeoutExpired=subprocess.TimeoutExpired
)
"""In the place of the module subprocess, for code that is not of the tests."""
