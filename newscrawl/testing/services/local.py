"""What a server that a test starts on this machine needs: a free port, and packages of the extra `testing`."""

from __future__ import annotations

import importlib
import random
import socket
import warnings
from pathlib import Path
from typing import Any, Final

from newscrawl.errors import UsageError

_LOWEST: Final = 15_000
_EPHEMERAL: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")
_USUAL_EPHEMERAL: Final = 32_768


def free_port() -> int:
    """Returns a port of 127.0.0.1 that is free and stays free: the system gives outgoing connections no port below
    its own range, and other callers of this function get other ports."""
    try:
        end = int(_EPHEMERAL.read_text("ascii").split()[0])
    except OSError:
        end = _USUAL_EPHEMERAL
    draw = random.SystemRandom()
    while True:
        port = draw.randrange(_LOWEST, max(end, _LOWEST + 1_000))
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


EXTRA = ".[testing]"


def required(module: str, purpose: str) -> Any:
    """Imports and returns the module. `purpose` names what needs it, such as "a local PostgreSQL server". Raises
    UsageError with the command that installs it if it is missing.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # platformdirs, which one of them imports, warns without XDG_RUNTIME_DIR
            return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise  # the package is there and one of its own imports is not: its message says which
        raise UsageError(f"{purpose} needs {error.name}: run `pip install '{EXTRA}'` in newscrawl's clone") from error
