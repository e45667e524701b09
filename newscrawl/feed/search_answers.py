"""Reads the answers of a search server. Nothing is assumed of them: a proxy may answer with any JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from newscrawl.errors import FeedError
from newscrawl.feed.search_server import BUSY, SearchServer, reason_of


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
        return self.status in BUSY or self.status >= 500

    @property
    def done(self) -> bool:
        """Whether the document was written, or was missing already, or the index has a later version."""
        return self.status < 300 or (self.status == 404 and "error" not in self.content) or self.status == 409


def as_object(content: Any, server: SearchServer, what: str) -> dict[str, Any]:
    """Returns the content if it is a JSON object. Raises FeedError for anything else."""
    if not isinstance(content, dict):
        raise _unexpected(server, f"{what} is {_kind(content)}")
    return content


def items_of(content: Any, server: SearchServer) -> list[Item]:
    """Returns the items of a `_bulk` answer. Raises FeedError if there are none."""
    items = content.get("items") if isinstance(content, dict) else None
    if not isinstance(items, list):
        raise _unexpected(server, "a _bulk answer has no items")
    return [_item(item, server) for item in items]


def _item(item: Any, server: SearchServer) -> Item:
    content = next(iter(item.values()), None) if isinstance(item, dict) and len(item) == 1 else None
    status = content.get("status") if isinstance(content, dict) else None
    if not isinstance(content, dict) or not isinstance(status, int):
        raise _unexpected(server, "an item of a _bulk answer has no status")
    return Item(status, content)


def hits_of(content: Any, server: SearchServer) -> Iterator[tuple[int, list[Any]]]:
    """Yields the number and the members of each story that a search found. Raises FeedError."""
    outer = content.get("hits") if isinstance(content, dict) else None
    hits = outer.get("hits") if isinstance(outer, dict) else None
    if not isinstance(hits, list):
        raise _unexpected(server, "a _search answer has no hits")
    for hit in hits:
        source = hit.get("_source") if isinstance(hit, dict) else None
        members = source.get("members") if isinstance(source, dict) else None
        number = str(hit.get("_id")) if isinstance(hit, dict) else ""
        if not isinstance(members, list) or not (number.isascii() and number.isdecimal()):
            raise _unexpected(server, "a hit of a _search answer is no story")
        yield int(number), [member for member in members if isinstance(member, int)]


def _unexpected(server: SearchServer, what: str) -> FeedError:
    return FeedError(f"search server {server.shown} did not answer as a search server does: {what}; check the address")


def _kind(content: Any) -> str:
    return "null" if content is None else f"a JSON {type(content).__name__}"
