"""Views a screen of a running `newscrawl web` and takes the time."""

from __future__ import annotations

import time
from http.client import HTTPConnection
from typing import Final

import click

TOKEN: Final = "the-token-of-a-measurement"


def view(port: int, path: str) -> float:
    """Returns the seconds that one view takes, over a connection of its own."""
    begun = time.perf_counter()
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", path, headers={"Authorization": f"Bearer {TOKEN}"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    if answer.status != 200:
        raise click.ClickException(f"{path} was answered with {answer.status}")
    return time.perf_counter() - begun
