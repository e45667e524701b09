"""A receiver of webhooks: of the change feed, of alarms, of standing searches."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from newscrawl.demo.keep_alive import KeepAliveHandler, KeepAliveServer


class WebhookReceiver:
    """A web service with a limit on the size of bodies. It may refuse a change by its title. `statuses` are those of
    the first answers."""

    def __init__(self, *statuses: int, limit: int = 1_000_000) -> None:
        self.address = ""
        """Where it is served."""
        self.statuses = list(statuses)
        self.limit = limit
        """Bytes above which a body is answered with 413."""
        self.refused: dict[str, int] = {}
        """The status for a body with an article of a title."""
        self.every: int | None = None
        """The status for every body, where it is set."""
        self.retry_after: str | None = None
        """The header Retry-After of refusals, where it is set."""
        self.posted: list[Any] = []
        """Every body."""
        self.bodies: list[tuple[int, int]] = []
        """Size and status of every body."""
        self.taken: list[str] = []
        """Titles of the articles taken."""
        self.headers: list[dict[str, str]] = []
        """Headers of every request."""

    def answer(self, body: bytes) -> int:
        """Stores a body. Returns the status of the answer."""
        self.posted.append(posted := json.loads(body))
        changes = posted if isinstance(posted, list) else []
        titles = [change["article"]["title"] for change in changes if change["article"] is not None]
        status = self.every or next((self.refused[title] for title in titles if title in self.refused), 204)
        status = 413 if len(body) > self.limit else status
        status = self.statuses.pop(0) if self.statuses else status
        self.bodies.append((len(body), status))
        if status == 204:
            self.taken += titles
        return status


@contextmanager
def serving(receiver: WebhookReceiver) -> Iterator[str]:
    """Yields the address of the receiver's web service, which keeps connections alive."""

    class Handler(KeepAliveHandler):
        def do_POST(self) -> None:  # noqa: N802  the name that http.server looks for
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.headers.append(dict(self.headers))
            status = receiver.answer(body)
            refuses = status != 204
            headers = {"Retry-After": receiver.retry_after} if receiver.retry_after is not None and refuses else {}
            # A refusal with what would harm a terminal if it were printed as it is.
            self.answer(status, headers, b"no,\n\x1b[2J thank you" if refuses else b"")

    server = KeepAliveServer(("127.0.0.1", 0), Handler).start()
    receiver.address = f"http://127.0.0.1:{server.server_port}/hook"
    try:
        yield receiver.address
    finally:
        server.stop()
