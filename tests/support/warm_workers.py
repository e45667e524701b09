"""The process that a command's workers are forked from, in tests: a fork of the template as well.

multiprocessing starts it as a new interpreter, which imports the extraction anew (0.9 s of CPU a crawl). Here a child
of the template that may need it forks a seed before it runs its command: a process of its own, child of the command as
the real one is. It waits until multiprocessing asks for it and then becomes it. What is asked of it, its files, its
folder and its environment are those that a new interpreter would be given. A second one of the same command starts as
ever, and a seed that is not needed ends with its command.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import struct
from collections.abc import Callable
from multiprocessing import util
from typing import Any, Final

_SIZE: Final = struct.Struct("=I")
_MAX_FILES: Final = 8
_FOREIGN: Final = "multiprocessing.forkserver"
COMMANDS: Final = frozenset(
    {"crawl", "run", "ingest", "reextract", "add-site", "import-sites", "check", "bench", "dask_child"}
)
"""Words of commands, and modules, that start workers."""
CHILD: Final = ".child"
"""Ends the name of a module that is such a process of a benchmark."""


def may_need_workers(words: list[str]) -> bool:
    """Whether the command is one that starts workers, or a script of tests/support that does."""
    return (
        bool(COMMANDS & set(words[1:]))
        or words[0].endswith("_child.py")
        or any(word.endswith(CHILD) for word in words[1:])
    )


def sow() -> dict[str, Any] | None:
    """Fork the seed. Returns None in the command's process, at once; in the seed what it is to be, when it is asked."""
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid:
        theirs.close()
        util.spawnv_passfds = _asking(ours, pid, util.spawnv_passfds)  # type: ignore[assignment]
        return None
    ours.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in what it becomes; a terminal sends it to the whole group
    order = _asked(theirs)
    if order is None:
        os._exit(0)
    return order


def _asking(seed: socket.socket, pid: int, real: Callable[..., int]) -> Callable[..., int]:
    waiting = [seed]

    def spawnv_passfds(path: Any, arguments: list[Any], files: Any) -> int:
        code = os.fsdecode(arguments[-1])
        if _FOREIGN not in code or not waiting:
            return real(path, arguments, files)
        asked, numbers = waiting.pop(), sorted(map(int, files))
        order = {"code": code, "files": numbers, "environment": dict(os.environ), "cwd": os.getcwd()}  # noqa: PTH109
        message = json.dumps(order).encode()
        with asked:
            try:
                socket.send_fds(asked, [_SIZE.pack(len(message))], numbers)
                asked.sendall(message)
            except OSError:  # it was killed
                return real(path, arguments, files)
        return pid

    return spawnv_passfds


def _asked(command: socket.socket) -> dict[str, Any] | None:
    """Returns what the command sends; None if it ends first. The files then have the numbers that they have there."""
    with command:
        header, files, *_ = socket.recv_fds(command, _SIZE.size, _MAX_FILES)
        if len(header) < _SIZE.size:
            return None
        text = b""
        while len(text) < _SIZE.unpack(header)[0]:
            if not (part := command.recv(1 << 20)):
                return None
            text += part
    order: dict[str, Any] = json.loads(text)
    above = max(order["files"]) + 1
    moved = [fcntl.fcntl(file, fcntl.F_DUPFD, above) for file in files]  # a number may be another file's here
    for file in files:
        os.close(file)
    for file, number in zip(moved, order["files"], strict=True):
        os.dup2(file, number)
        os.close(file)
    return order
