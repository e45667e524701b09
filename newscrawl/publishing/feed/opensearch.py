"""The sink `opensearch` (and `elasticsearch`): keeps an index of stories equal to the database, across crashes.

A document's id is the number of its story, and its version is the number of the change (external_gte), so that a change
that is sent twice or too late has no effect. The index stores in the `_meta` of its mapping which change it has
reached, and its own id; both are written after the documents. So an index that was deleted or restored from a backup is
fed again from the change that it has.

Servers are OpenSearch (2, 3) and Elasticsearch (8, 9). Only what both document alike is used: JSON over HTTP, over one
connection, with retries and growing pauses. There is no client library, because each refuses the other server. Nothing
is assumed of an answer: a proxy may answer with any JSON.
"""

from __future__ import annotations

import json
import logging
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final
from urllib.parse import quote, urlunsplit
from uuid import uuid4

from newscrawl.errors import FeedBusy, FeedError, UsageError
from newscrawl.model.jsonable import to_text
from newscrawl.publishing.deliver.http import (
    MAX_PAUSE,
    TOO_LARGE,
    ExchangeError,
    Piece,
    Reply,
    attempt,
    bodies,
    connection_to,
    credentials,
    exchange,
    mask_secrets,
    secrets_of,
    web_address,
)
from newscrawl.publishing.feed.search_mapping import (
    ANALYSERS,
    MAPPING_VERSION,
    StoryDocument,
    document,
    template,
    touched,
)
from newscrawl.publishing.feed.sink import Delivery, Entry, SinkOptions, SinkPosition, SinkType
from newscrawl.storage.feed import changes
from newscrawl.storage.reader import Reader

MAX_BYTES: Final = 5_000_000
"""Bytes of one request. Both servers' guides recommend 5 to 15 MB; the servers refuse more than 100."""
ATTEMPTS: Final = 8
"""For a request, and for a document of a request."""
FIRST_PAUSE: Final = 0.25
"""Seconds."""
TIMEOUT: Final = 60.0
"""Seconds for one whole answer."""
MAX_ANSWER: Final = 64_000_000
"""Bytes of an answer that are read. The answer to a _bulk request of 5 MB is far smaller."""
MAX_CAUSES: Final = 3
"""Nested causes of an error that are shown."""
_ANALYSER: Final = re.compile(r"analyzer \[(\w+)\]")
"""An unknown analyser in the error message of both servers."""
_HOW: Final = "name the server and the index: opensearch:http://HOST:PORT/ALIAS, the alias in lower case"
_HELD: Final = 1_000
"""Documents with forgotten articles that are asked for in one request."""

logger = logging.getLogger(__name__)


class OpenSearch:
    """Feeds the index behind `alias`; creates it and its template if it is missing. See
    newscrawl.publishing.feed.sink.Sink.

    `reindex` feeds a new index instead, which takes over the alias with `switch`.
    """

    def __init__(
        self, server: SearchServer, alias: str, reading: Callable[[], Reader], *, reindex: bool = False
    ) -> None:
        self._server = server
        self._alias = alias
        self._reading = reading
        self.refused: dict[int, str] = {}
        """Stories that the server refused for good, by number, with the reason. Their older documents stay."""
        self._new = self._make(aliased=False) if reindex else None

    def position(self) -> SinkPosition:
        """Returns what the index stores. Raises FeedError for an alias of several indices, or of a foreign index."""
        _, meta = self._index()
        return SinkPosition(str(meta["id"]), int(meta["seq"]))

    def send(self, entries: Sequence[Entry]) -> Delivery:
        """Writes the stories that the entries touch, then the change that the index has reached. Refused changes are
        reported by the number of the story."""
        index, meta = self._index()
        with self._reading() as connection:
            newest = changes.newest(connection)
            if newest < int(meta["seq"]):
                raise FeedError(
                    f"index {index} has read up to change {meta['seq']}, but the database has {newest} only: it is "
                    "another database or a restored one; create the index again with --reindex"
                )
            stories = touched(connection, entries, lambda lost: self._stories_with(index, lost))
        with_structure = entries[0].with_structure
        for body in bodies([_action(index, story, with_structure) for story in stories], MAX_BYTES):
            self._write(body)
        self._remember(index, meta, entries[-1].seq)
        numbers = {story.number for story in stories}
        refused = {number: reason for number, reason in self.refused.items() if number in numbers}
        return Delivery(frozenset({*numbers, *(entry.article_id for entry in entries)} - refused.keys()), refused)

    def switch(self) -> None:
        """Points the alias to the new index in one step, and deletes its former indices and unfinished ones."""
        if self._new is None:
            return
        olds = [name for name in self._indices(f"/{quote(self._alias)}-*") if name != self._new]
        aliased = self._indices(f"/_alias/{quote(self._alias)}")
        actions: list[dict[str, Any]] = [{"remove": {"index": name, "alias": self._alias}} for name in aliased]
        actions.append({"add": {"index": self._new, "alias": self._alias}})
        self._server.get("POST", "/_aliases", {"actions": actions})
        for name in olds:
            self._server.get("DELETE", f"/{quote(name)}")
        self._new = None

    def close(self) -> None:
        """Closes the connection."""
        self._server.close()

    def _indices(self, path: str) -> list[str]:
        status, answer = self._server.ask("GET", path)
        return sorted(self._server.object_of(answer, path)) if status < 300 else []

    def _index(self) -> tuple[str, dict[str, Any]]:
        """Returns the index that is fed, with its `_meta`. Creates one if there is none."""
        status, answer = self._server.ask("GET", f"/{quote(self._new or self._alias)}/_mapping")
        if status == 404:
            if self._new is not None:
                raise FeedError(f"index {self._new} was deleted while it was filled: start again")
            self._make(aliased=True)
            answer = self._server.get("GET", f"/{quote(self._alias)}/_mapping")
        elif status >= 300:
            raise FeedError(f"search server {self._server.shown} refused: {status} {reason_of(answer)}")
        indices = self._server.object_of(answer, "the index's mapping")
        if len(indices) != 1:
            raise FeedError(
                f"alias {self._alias} names {len(indices)} indices: let it name one, or choose another alias"
            )
        ((name, settings),) = indices.items()
        meta = _meta(settings)
        if not {"id", "seq", "mapping"} <= meta.keys() or not isinstance(meta["seq"], int):
            raise FeedError(f"index {name} was not created by newscrawl: choose another alias")
        if meta["mapping"] != MAPPING_VERSION:
            raise FeedError(f"index {name} was created by another version of newscrawl: create it again with --reindex")
        return name, meta

    def _make(self, *, aliased: bool) -> str:
        identifier = uuid4().hex
        name = f"{self._alias}-{identifier[:12]}"
        meta = {"newscrawl": {"id": identifier, "seq": 0, "mapping": MAPPING_VERSION}}
        body: dict[str, Any] = {"mappings": {"_meta": meta}}
        if aliased:
            body["aliases"] = {self._alias: {}}
        missing: set[str] = set()
        while True:
            status, answer = self._server.ask(
                "PUT", f"/_index_template/{quote(self._alias)}", template(self._alias, missing)
            )
            if status < 300:
                status, answer = self._server.ask("PUT", f"/{quote(name)}", body)
            if status < 300:
                break
            unknown = {
                analyser for analyser in _ANALYSER.findall(reason_of(answer)) if analyser in ANALYSERS.values()
            } - missing
            if not unknown:
                raise FeedError(f"search server {self._server.shown} refused index {name}: {reason_of(answer)}")
            missing |= unknown
        if missing:
            logger.warning(
                "%s lacks the analysers %s: the standard analyser is used",
                self._server.shown,
                ", ".join(sorted(missing)),
            )
        return name

    def _remember(self, index: str, meta: dict[str, Any], seq: int) -> None:
        _, answer = self._server.ask("GET", f"/{quote(index)}/_mapping")
        mapping = self._server.object_of(answer, "the index's mapping")
        if _meta(mapping.get(index)).get("id") != meta["id"]:  # `_bulk` silently creates an index that was deleted
            raise FeedError(f"index {index} was deleted while it was written; the next run sends the changes again")
        settings = {"_meta": {"newscrawl": meta | {"seq": seq}}}
        self._server.get("PUT", f"/{quote(index)}/_mapping", settings)

    def _stories_with(self, index: str, lost: Sequence[int]) -> dict[int, list[int]]:
        """Returns the stories whose documents in the index contain the articles, by article id."""
        self._server.get("POST", f"/{quote(index)}/_refresh")
        stories: dict[int, list[int]] = {}
        for start in range(0, len(lost), _HELD):
            part = set(lost[start : start + _HELD])
            query = {"query": {"terms": {"members": sorted(part)}}, "_source": ["members"], "size": _HELD}
            answer = self._server.get("POST", f"/{quote(index)}/_search", query)
            for story, members in self._server.stories_of(answer):
                for number in part.intersection(members):
                    stories.setdefault(number, []).append(story)
        return stories

    def _refuse(self, number: int, reason: str) -> None:
        logger.error("search index %s refused story %s: %s", self._alias, number, reason)
        self.refused[number] = reason

    def _write(self, body: Sequence[Piece]) -> None:
        """Writes a body. Documents that a busy server postpones are sent again after a pause."""
        waiting = list(body)

        def once(_left: float) -> Reply:
            nonlocal waiting
            waiting, reason = self._once(waiting)
            return Reply(0 if waiting else 200, reason)

        reply = self._server.attempt(once, ATTEMPTS)
        if waiting:
            raise FeedBusy(
                f"search server {self._server.shown} postponed {len(waiting)} documents {ATTEMPTS} times: "
                f"{reply.problem}; the next run sends them again"
            )

    def _once(self, body: Sequence[Piece]) -> tuple[list[Piece], str]:
        """Sends a body. Returns the documents to be sent again, and the reason."""
        status, answer = self._server.ask("POST", "/_bulk", b"".join(piece.data for piece in body))
        if status == TOO_LARGE:
            if len(body) > 1:
                self._write(body[: len(body) // 2])
                self._write(body[len(body) // 2 :])
            else:
                self._refuse(body[0].number, f"{len(body[0].data)} bytes are more than the server accepts")
            return [], ""
        if status >= 300:
            raise FeedError(f"search server {self._server.shown} refused changes: {status} {reason_of(answer)}")
        items = self._server.items_of(answer)
        if len(items) != len(body):
            raise FeedError(f"search server {self._server.shown} answered for {len(items)} of {len(body)} documents")
        again, reason = [], ""
        for piece, item in zip(body, items, strict=True):
            # It was missing already, or the index has a later version.
            is_done = item.status == 409 or (item.status == 404 and "error" not in item.content)
            if item.is_temporary:
                again.append(piece)
                reason = item.problem
            elif item.status < 300 or is_done:
                self.refused.pop(piece.number, None)
            else:
                self._refuse(piece.number, item.problem)
        return again, reason


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
        (newscrawl.publishing.deliver.http.attempt). Pauses are lengthened at random by up to a half, so that several
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
        rest = answer.retry_after
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

    def items_of(self, content: Any) -> list[Reply]:
        """Returns the answers for the documents in a `_bulk` answer. Raises FeedError if there are none."""
        items = content.get("items") if isinstance(content, dict) else None
        if not isinstance(items, list):
            raise self._unexpected("a _bulk answer has no items")
        return [self._item(item) for item in items]

    def _item(self, item: Any) -> Reply:
        content = next(iter(item.values()), None) if isinstance(item, dict) and len(item) == 1 else None
        status = content.get("status") if isinstance(content, dict) else None
        if not isinstance(content, dict) or not isinstance(status, int):
            raise self._unexpected("an item of a _bulk answer has no status")
        return Reply(status, reason_of(content), content)

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


def _action(index: str, story: StoryDocument, with_structure: bool) -> Piece:
    """Returns the action of a `_bulk` request that writes or deletes the document of a story."""
    where = {"_index": index, "_id": str(story.number), "version": story.seq, "version_type": "external_gte"}
    if story.article is None:
        return Piece(story.number, f"{json.dumps({'delete': where})}\n".encode())
    written = to_text(document(story, with_structure=with_structure))
    return Piece(story.number, f"{json.dumps({'index': where})}\n{written}\n".encode())


def _meta(settings: Any) -> dict[str, Any]:
    """Returns what newscrawl stored in an index's mapping; {} for a foreign index."""
    for name in ("mappings", "_meta", "newscrawl"):
        settings = settings.get(name) if isinstance(settings, dict) else None
    return settings if isinstance(settings, dict) else {}


def address(place: str) -> tuple[str, str]:
    """Returns server and alias of http(s)://HOST:PORT/ALIAS. Raises UsageError."""
    parts = web_address(place)
    if parts is None:
        raise UsageError(_HOW)
    path, _, alias = parts.path.rstrip("/").rpartition("/")
    if not alias or alias != alias.lower() or alias[0] in "-_+" or set(alias) & set('\\/*?"<>| ,#:'):
        raise UsageError(_HOW)
    return urlunsplit((parts.scheme, parts.netloc, path, "", "")), alias


def _open(place: str, options: SinkOptions) -> OpenSearch:
    server, alias = address(place)
    return OpenSearch(SearchServer(server), alias, options.read, reindex=options.reindex)


SINK: Final = SinkType("opensearch:URL/ALIAS", _open, has_index=True)
