"""The feed as POST requests: a JSON array of entries each, tried again with growing pauses, a bounded number of times.

The address is the operator's own. Redirects are not followed, and the answer's body is not read.
"""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from newscrawl.errors import FeedError, UsageError
from newscrawl.feed.document import as_json, plain
from newscrawl.feed.sink import Entry, Mark

ATTEMPTS: Final = 6
FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 30.0
TIMEOUT: Final = 30.0
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """POSTs to `url`. A 2xx answer takes the entries; 408, 425, 429, 5xx and failed connections are tried again."""

    url: str
    attempts: int = ATTEMPTS
    first_pause: float = FIRST_PAUSE
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise UsageError(f"{self.url!r} is no http(s) address: give the webhook's as webhook:https://...")

    def mark(self) -> Mark:
        return Mark(self.url[:200])

    def send(self, entries: Sequence[Entry]) -> None:
        body = json.dumps([as_json(entry) for entry in entries], ensure_ascii=False, default=plain).encode()
        pause, problem = self.first_pause, ""
        for attempt in range(self.attempts):
            if attempt:
                self.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            problem, final = self._post(body)
            if not problem:
                return
            if final:
                break
        raise FeedError(f"webhook {_shown(self.url)} did not take changes: {problem}; they are sent again next time")

    def _post(self, body: bytes) -> tuple[str, bool]:
        """What went wrong, empty for nothing, and whether to try again would be of no use."""
        parts = urlsplit(self.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=TIMEOUT)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            connection.request("POST", path, body, {"Content-Type": "application/json", "Connection": "close"})
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            return str(error) or type(error).__name__, False
        finally:
            connection.close()
        if 200 <= status < 300:
            return "", False
        return f"it answered {status}", status < 500 and status not in {408, 425, 429}

    def close(self) -> None:
        """Nothing is kept open."""


def _shown(url: str) -> str:
    """The address without what may be a secret in its query or user."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}{parts.path}"
