"""The sink `opensearch` (and `elasticsearch`): keeps an index of stories equal to the database, across crashes.

A document's id is the number of its story, and its version is the number of the change (external_gte), so that a change
that is sent twice or too late has no effect. The index stores in the `_meta` of its mapping which change it has
reached, and its own id; both are written after the documents. So an index that was deleted or restored from a backup is
fed again from the change that it has.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Sequence
from typing import Any, Final
from urllib.parse import quote, urlunsplit
from uuid import uuid4

from newscrawl.errors import FeedBusy, FeedError, UsageError
from newscrawl.model.jsonable import to_text
from newscrawl.publishing.deliver.http import web_address
from newscrawl.publishing.feed.search_mapping import (
    ANALYSERS,
    MAPPING_VERSION,
    StoryDocument,
    document,
    template,
    touched,
)
from newscrawl.publishing.feed.search_server import SearchServer, reason_of
from newscrawl.publishing.feed.sending import TOO_LARGE, Piece, Reply, bodies
from newscrawl.publishing.feed.sink import Delivery, Entry, SinkOptions, SinkPosition, SinkType
from newscrawl.storage.feed import changes
from newscrawl.storage.reader import Reader

MAX_BYTES: Final = 5_000_000
"""Bytes of one request. Both servers' guides recommend 5 to 15 MB; the servers refuse more than 100."""
ITEM_ATTEMPTS: Final = 8
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

        reply = self._server.attempt(once, ITEM_ATTEMPTS)
        if waiting:
            raise FeedBusy(
                f"search server {self._server.shown} postponed {len(waiting)} documents {ITEM_ATTEMPTS} times: "
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
            if item.busy:
                again.append(piece)
                reason = item.reason
            elif item.done:
                self.refused.pop(piece.number, None)
            else:
                self._refuse(piece.number, item.reason)
        return again, reason


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
