"""Requests to an OpenSearch (2, 3) or Elasticsearch (8, 9) server: one connection, retries with growing pauses.

Only what both servers document alike is used: JSON over HTTP. There is no client library, because each refuses the
other server.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from newscrawl.deliver.http import (
    ExchangeError,
    connection_to,
    credentials,
    exchange,
    mask_secrets,
    secrets_of,
    web_address,
)
from newscrawl.errors import FeedBusy, FeedError, UsageError
from newscrawl.scheduling.host import read_retry_after

ATTEMPTS: Final = 8
FIRST_PAUSE: Final = 0.25
MAX_PAUSE: Final = 30.0
TIMEOUT: Final = 60.0
"""Seconds for one whole answer. Pauses double and are lengthened at random by up to a half, so that several feeds do
not retry at the same time."""

MAX_ANSWER: Final = 64_000_000
"""Bytes of an answer that are read. The answer to a _bulk request of 5 MB is far smaller."""

MAX_CAUSES: Final = 3
"""Nested causes of an error that are shown."""

BUSY: Final = frozenset({408, 429, 502, 503, 504})
"""Statuses after which the server may accept the same request later."""


class _UnusableAnswer(ExchangeError):
    """The server answered with success, and with something that no search server answers with."""


class SearchServer:
    """A server at `http(s)://[USER:PASSWORD@]HOST[:PORT][/PATH]`. Redirects are not followed."""

    def __init__(
        self,
        url: str,
        *,
        attempts: int = ATTEMPTS,
        timeout: float = TIMEOUT,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        parts = web_address(url)
        if parts is None:
            raise UsageError("the search server's address must be http(s)://HOST:PORT/ALIAS")
        self.shown = f"{parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}{parts.path}"
        self._connection = connection_to(parts, timeout)
        self._timeout = timeout
        self._path = parts.path.rstrip("/")
        self._attempts = attempts
        self._sleep = sleep
        self._headers = {"Accept": "application/json"} | credentials(parts)
        self._secrets = secrets_of(parts._replace(path="", query=""))  # messages show the path

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Returns status and JSON of an answer that is not an error of the server (5xx) and not `BUSY`. `body` is JSON,
        or lines of JSON as bytes.

        Raises FeedBusy if the server gives no such answer in all attempts, or asks for a pause of more than
        `MAX_PAUSE`, and FeedError if its answers are not those of a search server.
        """
        kind = "application/x-ndjson" if isinstance(body, bytes) else "application/json"
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        headers = self._headers | ({"Content-Type": kind} if data is not None else {})
        problem, rest = "", 0.0
        failure: ExchangeError | None = None
        for attempt in range(self._attempts):
            if attempt:
                self.pause(attempt, rest)
            try:
                status, content, rest = self._once(method, path, data, headers)
            except ExchangeError as error:
                problem, rest, failure = str(error), 0.0, error
                continue
            if status < 500 and status not in BUSY:
                return status, content
            problem, failure = f"it answered {status}: {reason_of(content)}", None
            if rest > MAX_PAUSE:
                problem += f", and asked for a pause of {rest:.0f} s"
                break
        message = f"search server {self.shown} did not take changes: {problem}; the next run sends them again"
        raise FeedError(message) if isinstance(failure, _UnusableAnswer) else FeedBusy(message, rest)

    def get(self, method: str, path: str, body: Any = None) -> Any:
        """Returns the JSON of a successful answer. Raises FeedError for any other."""
        status, content = self.ask(method, path, body)
        if status >= 300:
            raise FeedError(f"search server {self.shown} refused {method} {path}: {status} {reason_of(content)}")
        return content

    def pause(self, attempt: int, least: float = 0.0) -> None:
        """Sleeps before a further attempt, for `least` seconds or more; `attempt` is 1 before the second one."""
        pause = min(FIRST_PAUSE * 2 ** (attempt - 1), MAX_PAUSE)
        self._sleep(max(pause, least) * random.uniform(1, 1.5))  # noqa: S311  no secret

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def _once(self, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> tuple[int, Any, float]:
        """Returns status and JSON of an answer, and the seconds of its Retry-After, 0 without one."""
        answer = exchange(
            self._connection, method, f"{self._path}{path}", data, headers, max_bytes=MAX_ANSWER, deadline=self._timeout
        )
        if not answer.is_complete:
            raise _UnusableAnswer(f"its answer is larger than {MAX_ANSWER // 1_000_000} MB")
        rest = read_retry_after(answer.retry_after, datetime.now(UTC)) or 0.0
        body = answer.body if answer.status < 300 else mask_secrets(answer.body, self._secrets)
        try:
            return answer.status, json.loads(body) if body else {}, rest
        except (ValueError, RecursionError) as error:
            if answer.status < 300:
                self._connection.close()
                raise _UnusableAnswer("its answer is not JSON") from error
            return answer.status, body[:300].decode("utf-8", "replace"), rest


def reason_of(content: Any, depth: int = MAX_CAUSES) -> str:
    """Returns the error in an answer on one line."""
    error = content.get("error", content) if isinstance(content, dict) else content
    if isinstance(error, dict):
        cause = error.get("caused_by") if depth else None
        more = f" ({reason_of(cause, depth - 1)})" if isinstance(cause, dict) else ""
        return f"{_line(error.get('type'))}: {_line(error.get('reason'))}{more}"[:500]
    return _line(error)


def _line(value: Any) -> str:
    return " ".join(str(value)[:2_000].split())[:500] if isinstance(value, str | int | float) else type(value).__name__
