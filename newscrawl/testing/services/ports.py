"""Chooses free ports for servers that start later."""

from __future__ import annotations

import random
import socket
from pathlib import Path
from typing import Final

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
