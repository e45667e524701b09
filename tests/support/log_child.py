"""A child process that logs. It is a module of its own, because the child imports it by name."""

from __future__ import annotations

import logging
from multiprocessing.connection import Connection


def talk(pipe: Connection) -> None:
    """Logs one warning, and answers."""
    logging.getLogger("child").warning("a child talks of %s", "https://u:p@h.example/")
    pipe.send_bytes(b"done")
