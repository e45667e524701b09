"""Counts the round trips of an engine to a PostgreSQL server."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

ANSWERED = "ReadyForQuery"
"""The server's message at the end of each answer. The driver waits for it once a statement, or once a pipeline."""


@dataclass(frozen=True, slots=True)
class RoundTrips:
    """The messages that libpq recorded for the connections of an engine."""

    file: Path

    @property
    def number(self) -> int:
        """Returns how often the engine has waited for the server so far, with the round trips of connecting."""
        return self.file.read_text(encoding="utf-8", errors="replace").count(ANSWERED)


@contextlib.contextmanager
def counted(engine: Engine) -> Iterator[RoundTrips]:
    """Counts the round trips of connections that the engine opens during the block."""
    engine.dispose()
    with tempfile.TemporaryDirectory(prefix="newscrawl-trace-") as folder:
        file = Path(folder) / "trace"

        def trace(connection: Any, _record: object) -> None:
            connection.pgconn.trace(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))

        event.listen(engine, "connect", trace)
        try:
            yield RoundTrips(file)
        finally:
            event.remove(engine, "connect", trace)
            engine.dispose()
