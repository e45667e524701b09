"""The sink `opensearch` (and `elasticsearch`): an index of stories that is what the database says, whatever happens.

A document's id is its story's, its version the number of the change that made it (external_gte): what is sent twice or
too late changes nothing. How far the index has got, and its own name, are in its mapping's `_meta`; they are written
after the documents. An index that is gone, or was put back, is therefore fed again from what it has.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, urlunsplit
from uuid import uuid4

from newscrawl.errors import FeedError, UsageError
from newscrawl.feed.exchange import web_address
from newscrawl.feed.search_answers import as_object, hits_of, items_of
from newscrawl.feed.search_mapping import ANALYSERS, MAPPING_VERSION, document, template
from newscrawl.feed.search_server import SearchServer, reason_of
from newscrawl.feed.sink import Delivery, Entry, SinkPosition
from newscrawl.feed.stories import StoryDocument, touched
from newscrawl.storage import Reader
from newscrawl.storage.feed import changes

MOST_BYTES: Final = 5_000_000
"""Of one request: both servers' guides advise 5 to 15 MB, and refuse more than 100."""
ITEM_ATTEMPTS: Final = 8
_ANALYSER: Final = re.compile(r"analyzer \[(\w+)\]")
"""How both servers name an analyser that they do not have."""
_HOW: Final = "name the server and the index: opensearch:http://HOST:PORT/ALIAS, the alias in lower case"
_HELD: Final = 1_000
"""Documents that hold forgotten articles, asked for at once."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BulkAction:
    """One action of a `_bulk` request."""

    number: int
    data: bytes


class OpenSearch:
    """Feeds the index behind `alias`; makes it, with its template, where there is none. See newscrawl.feed.sink.Sink.

    `reindex`: feeds a new index instead, which takes the alias with `switch`.
    """

    def __init__(
        self, server: SearchServer, alias: str, reading: Callable[[], Reader], *, reindex: bool = False
    ) -> None:
        self._server = server
        self._alias = alias
        self._reading = reading
        self.refused: dict[int, str] = {}
        """Stories that the server will never take as they are, by id, and why; what it had of them stays."""
        self._new = self._make(aliased=False) if reindex else None

    def position(self) -> SinkPosition:
        """What the index remembers. Raises FeedError for an alias of several indices, or of one that is not ours."""
        _, meta = self._index()
        return SinkPosition(str(meta["id"]), int(meta["seq"]))

    def send(self, entries: Sequence[Entry]) -> Delivery:
        """Writes the stories that the entries touch, then how far the index has got. Stories are refused, by number."""
        index, meta = self._index()
        with self._reading() as connection:
            newest = changes.newest(connection)
            if newest < int(meta["seq"]):
                raise FeedError(
                    f"index {index} has read up to change {meta['seq']}, the database has {newest}: it is another one, "
                    "or was put back; make the index anew with --reindex"
                )
            stories = touched(connection, entries, lambda lost: self._holding(index, lost))
        for part in _parts([_line(index, story) for story in stories]):
            self._write(part)
        self._remember(index, meta, entries[-1].seq)
        numbers = {story.number for story in stories}
        refused = {number: reason for number, reason in self.refused.items() if number in numbers}
        return Delivery(frozenset({*numbers, *(entry.article_id for entry in entries)} - refused.keys()), refused)

    def switch(self) -> None:
        """Gives the alias to the new index in one step, and deletes those it had or that were left half made."""
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
        status, found = self._server.ask("GET", path)
        return sorted(as_object(found, self._server, path)) if status < 300 else []

    def _index(self) -> tuple[str, dict[str, Any]]:
        """The index that is fed and what it remembers; makes one where there is none."""
        status, found = self._server.ask("GET", f"/{quote(self._new or self._alias)}/_mapping")
        if status == 404:
            if self._new is not None:
                raise FeedError(f"index {self._new} went away while it was made: begin again")
            self._make(aliased=True)
            found = self._server.get("GET", f"/{quote(self._alias)}/_mapping")
        elif status >= 300:
            raise FeedError(f"search server {self._server.shown} refused: {status} {reason_of(found)}")
        indices = as_object(found, self._server, "the index's mapping")
        if len(indices) != 1:
            raise FeedError(
                f"alias {self._alias} stands for {len(indices)} indices: let it stand for one, or choose another"
            )
        ((name, told),) = indices.items()
        meta = _meta(told)
        if not {"id", "seq", "mapping"} <= meta.keys() or not isinstance(meta["seq"], int):
            raise FeedError(f"index {name} was not made by newscrawl: choose another alias")
        if meta["mapping"] != MAPPING_VERSION:
            raise FeedError(f"index {name} was made by another version of newscrawl: make it anew with --reindex")
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
            status, told = self._server.ask(
                "PUT", f"/_index_template/{quote(self._alias)}", template(self._alias, missing)
            )
            if status < 300:
                status, told = self._server.ask("PUT", f"/{quote(name)}", body)
            if status < 300:
                break
            unknown = {one for one in _ANALYSER.findall(reason_of(told)) if one in ANALYSERS.values()} - missing
            if not unknown:
                raise FeedError(f"search server {self._server.shown} refused index {name}: {reason_of(told)}")
            missing |= unknown
        if missing:
            logger.warning("%s has no analysers %s: standard does", self._server.shown, ", ".join(sorted(missing)))
        return name

    def _remember(self, index: str, meta: dict[str, Any], seq: int) -> None:
        _, found = self._server.ask("GET", f"/{quote(index)}/_mapping")
        mapping = as_object(found, self._server, "the index's mapping")
        if _meta(mapping.get(index)).get("id") != meta["id"]:  # `_bulk` makes an index that went away, without a word
            raise FeedError(f"index {index} went away while it was written to; the changes are sent again next time")
        told = {"_meta": {"newscrawl": meta | {"seq": seq}}}
        self._server.get("PUT", f"/{quote(index)}/_mapping", told)

    def _holding(self, index: str, lost: Sequence[int]) -> dict[int, list[int]]:
        """Which documents the index holds of the articles, by article."""
        self._server.get("POST", f"/{quote(index)}/_refresh")
        found: dict[int, list[int]] = {}
        for start in range(0, len(lost), _HELD):
            part = set(lost[start : start + _HELD])
            query = {"query": {"terms": {"members": sorted(part)}}, "_source": ["members"], "size": _HELD}
            answer = self._server.get("POST", f"/{quote(index)}/_search", query)
            for story, members in hits_of(answer, self._server):
                for number in part.intersection(members):
                    found.setdefault(number, []).append(story)
        return found

    def _refuse(self, number: int, reason: str) -> None:
        logger.error("search index %s refused story %s: %s", self._alias, number, reason)
        self.refused[number] = reason

    def _write(self, lines: Sequence[BulkAction]) -> None:
        """Writes the lines; those that a busy server puts off are sent again, after a pause."""
        waiting, attempt = list(lines), 0
        while waiting:
            if attempt:
                self._server.pause(attempt)
            attempt += 1
            waiting, reason = self._once(waiting)
            if waiting and attempt >= ITEM_ATTEMPTS:
                raise FeedError(
                    f"search server {self._server.shown} put off {len(waiting)} documents {attempt} times: {reason}; "
                    "they are sent again next time"
                )

    def _once(self, lines: Sequence[BulkAction]) -> tuple[list[BulkAction], str]:
        """Sends the lines; returns those to be sent again, and why."""
        status, answer = self._server.ask("POST", "/_bulk", b"".join(line.data for line in lines))
        if status == 413:
            if len(lines) > 1:
                self._write(lines[: len(lines) // 2])
                self._write(lines[len(lines) // 2 :])
            else:
                self._refuse(lines[0].number, f"{len(lines[0].data)} bytes are more than the server takes")
            return [], ""
        if status >= 300:
            raise FeedError(f"search server {self._server.shown} refused changes: {status} {reason_of(answer)}")
        items = items_of(answer, self._server)
        if len(items) != len(lines):
            raise FeedError(f"search server {self._server.shown} answered for {len(items)} of {len(lines)} documents")
        again, reason = [], ""
        for line, item in zip(lines, items, strict=True):
            if item.busy:
                again.append(line)
                reason = item.reason
            elif item.done:
                self.refused.pop(line.number, None)
            else:
                self._refuse(line.number, item.reason)
        return again, reason


def _meta(told: Any) -> dict[str, Any]:
    """What we left in an index's mapping; {} in one that is not ours."""
    for name in ("mappings", "_meta", "newscrawl"):
        told = told.get(name) if isinstance(told, dict) else None
    return told if isinstance(told, dict) else {}


def _line(index: str, story: StoryDocument) -> BulkAction:
    where = {"_index": index, "_id": str(story.number), "version": story.seq, "version_type": "external_gte"}
    if story.article is None:
        return BulkAction(story.number, f"{json.dumps({'delete': where})}\n".encode())
    source = json.dumps(
        document(story.article, story.members, story.seq, story.sites, story.titles), ensure_ascii=False
    )
    return BulkAction(story.number, f"{json.dumps({'index': where})}\n{source}\n".encode())


def _parts(lines: Sequence[BulkAction]) -> Iterator[list[BulkAction]]:
    """The lines in requests of at most MOST_BYTES, or of one line."""
    part: list[BulkAction] = []
    size = 0
    for line in lines:
        if part and size + len(line.data) > MOST_BYTES:
            yield part
            part, size = [], 0
        part.append(line)
        size += len(line.data)
    if part:
        yield part


def address(place: str) -> tuple[str, str]:
    """Server and alias of http(s)://HOST:PORT/ALIAS. Raises UsageError."""
    parts = web_address(place)
    if parts is None:
        raise UsageError(_HOW)
    path, _, alias = parts.path.rstrip("/").rpartition("/")
    if not alias or alias != alias.lower() or alias[0] in "-_+" or set(alias) & set('\\/*?"<>| ,#:'):
        raise UsageError(_HOW)
    return urlunsplit((parts.scheme, parts.netloc, path, "", "")), alias
