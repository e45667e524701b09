"""Requests to an OpenSearch (2, 3) or Elasticsearch (8, 9) server: one connection, retries with growing pauses.

Only what both servers document alike is used: JSON over HTTP. There is no client library, because each refuses the
other server. Nothing is assumed of an answer: a proxy may answer with any JSON.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from newscrawl.crawling.scheduling.host import read_retry_after
from newscrawl.errors import FeedBusy, FeedError, UsageError
from newscrawl.publishing.deliver.http import (
    ExchangeError,
    connection_to,
    credentials,
    exchange,
    mask_secrets,
    secrets_of,
    web_address,
)
from newscrawl.publishing.feed.sending import MAX_PAUSE, Reply, attempt, is_temporary

ATTEMPTS: Final = 8
FIRST_PAUSE: Final = 0.25
"""Seconds."""
TIMEOUT: Final = 60.0
"""Seconds for one whole answer."""

MAX_ANSWER: Final = 64_000_000
"""Bytes of an answer that are read. The answer to a _bulk request of 5 MB is far smaller."""

MAX_CAUSES: Final = 3
"""Nested causes of an error that are shown."""


@dataclass(frozen=True, slots=True)
class Item:
    """The answer for one document of a `_bulk` request."""

    status: int
    content: dict[str, Any]

    @property
    def reason(self) -> str:
        """Why the document was not written."""
        return reason_of(self.content)

    @property
    def busy(self) -> bool:
        """Whether the server may accept the same document later."""
        return is_temporary(self.status)

    @property
    def done(self) -> bool:
        """Whether the document was written, or was missing already, or the index has a later version."""
        return self.status < 300 or (self.status == 404 and "error" not in self.content) or self.status == 409


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
        """Returns status and JSON of an answer after which the same request need not be sent again. `body` is JSON, or
        lines of JSON as bytes.

        Raises FeedBusy if the server gives no such answer in all attempts, or asks for a pause of more than
        `MAX_PAUSE`, and FeedError if its answers are not those of a search server.
        """
        kind = "application/x-ndjson" if isinstance(body, bytes) else "application/json"
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        headers = self._headers | ({"Content-Type": kind} if data is not None else {})
        reply = self.attempt(lambda _left: self._once(method, path, data, headers), self._attempts)
        if not reply.is_temporary:
            return reply.status, reply.content
        message = f"search server {self.shown} did not take changes: {reply.problem}; the next run sends them again"
        raise FeedBusy(message, reply.retry_after) if reply.is_usable else FeedError(message)

    def get(self, method: str, path: str, body: Any = None) -> Any:
        """Returns the JSON of a successful answer. Raises FeedError for any other."""
        status, content = self.ask(method, path, body)
        if status >= 300:
            raise FeedError(f"search server {self.shown} refused {method} {path}: {status} {reason_of(content)}")
        return content

    def attempt(self, once: Callable[[float], Reply], attempts: int) -> Reply:
        """Calls `once` until its reply is final or `attempts` are used up, and returns its last reply
        (newscrawl.publishing.feed.sending.attempt). Pauses are lengthened at random by up to a half, so that several
        feeds do not retry at the same time."""

        def pause(seconds: float) -> None:
            self._sleep(seconds * random.uniform(1, 1.5))  # noqa: S311  no secret

        return attempt(once, attempts=attempts, first_pause=FIRST_PAUSE, sleep=pause)

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def _once(self, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> Reply:
        """Returns the answer to one request. An answer of success that no search server gives counts as none."""
        path = f"{self._path}{path}"
        try:
            answer = exchange(
                self._connection, method, path, data, headers, max_bytes=MAX_ANSWER, deadline=self._timeout
            )
        except ExchangeError as error:
            return Reply(0, str(error))
        if not answer.is_complete:
            return Reply(0, f"its answer is larger than {MAX_ANSWER // 1_000_000} MB", is_usable=False)
        rest = read_retry_after(answer.retry_after, datetime.now(UTC)) or 0.0
        body = answer.body if answer.status < 300 else mask_secrets(answer.body, self._secrets)
        try:
            content = json.loads(body) if body else {}
        except (ValueError, RecursionError):
            if answer.status < 300:
                self._connection.close()
                return Reply(0, "its answer is not JSON", is_usable=False)
            content = body[:300].decode("utf-8", "replace")
        asked = f", and asked for a pause of {rest:.0f} s" if rest > MAX_PAUSE else ""
        return Reply(answer.status, f"it answered {answer.status}: {reason_of(content)}{asked}", content, rest)

    def object_of(self, content: Any, what: str) -> dict[str, Any]:
        """Returns the content if it is a JSON object. Raises FeedError for anything else."""
        if not isinstance(content, dict):
            raise self._unexpected(f"{what} is {'null' if content is None else f'a JSON {type(content).__name__}'}")
        return content

    def items_of(self, content: Any) -> list[Item]:
        """Returns the items of a `_bulk` answer. Raises FeedError if there are none."""
        items = content.get("items") if isinstance(content, dict) else None
        if not isinstance(items, list):
            raise self._unexpected("a _bulk answer has no items")
        return [self._item(item) for item in items]

    def _item(self, item: Any) -> Item:
        content = next(iter(item.values()), None) if isinstance(item, dict) and len(item) == 1 else None
        status = content.get("status") if isinstance(content, dict) else None
        if not isinstance(content, dict) or not isinstance(status, int):
            raise self._unexpected("an item of a _bulk answer has no status")
        return Item(status, content)

    def stories_of(self, content: Any) -> Iterator[tuple[int, list[Any]]]:
        """Yields the number and the members of each story that a search found. Raises FeedError."""
        outer = content.get("hits") if isinstance(content, dict) else None
        hits = outer.get("hits") if isinstance(outer, dict) else None
        if not isinstance(hits, list):
            raise self._unexpected("a _search answer has no hits")
        for hit in hits:
            source = hit.get("_source") if isinstance(hit, dict) else None
            members = source.get("members") if isinstance(source, dict) else None
            number = str(hit.get("_id")) if isinstance(hit, dict) else ""
            if not isinstance(members, list) or not (number.isascii() and number.isdecimal()):
                raise self._unexpected("a hit of a _search answer is no story")
            yield int(number), [member for member in members if isinstance(member, int)]

    def _unexpected(self, what: str) -> FeedError:
        return FeedError(
            f"search server {self.shown} did not answer as a search server does: {what}; check the address"
        )


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
