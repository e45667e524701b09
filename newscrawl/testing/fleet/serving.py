"""The server of a fleet's sites in a process of its own, and its log of requests."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from newscrawl.testing.fleet.process import STOP_TIMEOUT
from newscrawl.testing.fleet.stories import WorldOptions
from newscrawl.testing.project import child_environment

Request = Mapping[str, Any]
"""A line of the log: host, path, begun and ended (seconds since 1970), status, tag (ETag), asked (If-None-Match), rest
(Retry-After), agent (User-Agent)."""


@contextlib.contextmanager
def served(options: WorldOptions) -> Iterator[tuple[int, float]]:
    """Serves the sites of `options` until the block is left. Yields the port, and the moment at which the sites
    began."""
    command = [sys.executable, "-m", "newscrawl.testing.fleet.world", json.dumps(asdict(options))]
    folder = Path(options.log).absolute().parent
    server = subprocess.Popen(command, env=child_environment(folder, {}), stdout=subprocess.PIPE)
    with server, contextlib.ExitStack() as stack:
        stack.callback(server.wait, STOP_TIMEOUT)
        stack.callback(server.terminate)
        if server.stdout is None:
            raise RuntimeError("the server has no standard output")
        announced = json.loads(server.stdout.readline())
        yield announced["port"], announced["began"]


def read_log(path: Path) -> list[dict[str, Any]]:
    """Returns the requests that the server has received so far."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
