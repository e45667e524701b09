"""The Protocol of sinks, which receive the changes of articles, the description of a kind of sink, and an entry as
JSON, as the sinks jsonl and webhook write it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from importlib.resources import files
from typing import Any, Final, Protocol, runtime_checkable

from newscrawl.model.identity.masking import masked, without_users
from newscrawl.model.jsonable import builtins, view
from newscrawl.reports import ExportedArticle
from newscrawl.reports.views import ARTICLE_KEYS, EXPORT_KEYS
from newscrawl.storage.feed.changes import ChangedPage, Op, Reason
from newscrawl.storage.reader import Reader


@dataclass(frozen=True, slots=True)
class Entry:
    """A change, and the article as it is now. docs/reference/change-feed.md explains each field.

    `seq` can serve as the document's version: a later change has a higher one, a repeated entry the same. `op` is
    `upsert` if there is a document; without one it is `remove`, or `merge` for a story that another one replaces. An
    entry of a merge has the negative number of the story as `article_id`, so that it names no article.
    """

    seq: int
    op: Op
    article_id: int
    at: datetime
    document: ExportedArticle | None
    story_id: int = 0
    into: int | None = None
    reason: Reason | None = None
    change_class: str | None = None
    pages: Sequence[ChangedPage] = ()
    replaces: Sequence[int] = ()
    replaced_by: Sequence[int] = ()
    new_entries: Sequence[Mapping[str, Any]] = ()
    with_structure: bool = False
    """Whether the consumer asks for the structure of the text, too."""


@dataclass(frozen=True, slots=True)
class SinkPosition:
    """The position of a sink: `index_id` identifies its target, `seq` is the last change, None if it does not store
    it."""

    index_id: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """The results of entries by article id: `accepted` ones are safely stored; `refused` ones will never be accepted as
    they are, with the reason."""

    accepted: frozenset[int]
    refused: Mapping[int, str] = field(default_factory=dict)


class Sink(Protocol):
    """Receives entries in order. Raises FeedError if it could not; the entries are then sent again.

    The consumer's cursor advances after `send` has returned, so all accepted entries must be stored so that they
    survive a kill and a power failure. Entries may be sent twice: an entry that is not newer than the sink's state of
    the article (`Entry.seq`) must be accepted without effect.
    """

    def position(self) -> SinkPosition:
        """Returns what the sink itself stores. An index that was created again has another `index_id` or a lower
        `seq`."""

    def send(self, entries: Sequence[Entry]) -> Delivery:
        """Sends the entries. When it returns, the accepted ones are safely stored. Each is accepted or refused."""

    def close(self) -> None:
        """Closes files and connections."""


@runtime_checkable
class ReindexingSink(Protocol):
    """A sink that can fill a new index while its old one still answers searches."""

    def switch(self) -> None:
        """Replaces the old index by the new one. Call it when the new index has all changes."""


@dataclass(frozen=True, slots=True)
class SinkOptions:
    """The options with which a built-in sink is opened. Each kind uses the options that concern it.

    `read` opens the database for reading. `max_bytes` limits the body of one request to a webhook; None means the
    sink's own limit. `reindex` asks for a new index (`ReindexingSink`).
    """

    read: Callable[[], Reader]
    max_bytes: int | None = None
    reindex: bool = False


@dataclass(frozen=True, slots=True)
class SinkType:
    """A kind of sink that newscrawl has itself. `newscrawl.publishing.feed.registry` lists all of them.

    - `usage`: the arguments of `newscrawl feed` that name such a sink, for error messages.
    - `open`: opens the sink at a place, which is the part of the argument after the colon. It raises UsageError for a
      place that cannot be one, and FeedError if the sink cannot be opened.
    - `consumer`: the default name of the consumer for an argument. The position in the feed is stored under this name,
      so it must stay the same, and it must contain no secret.
    - `shown`: the argument as messages show it, without secrets.
    - `has_index`: whether the sink keeps an index of whole stories. Then `--reindex` is allowed and filters are not.
    """

    usage: str
    open: Callable[[str, SinkOptions], Sink]
    consumer: Callable[[str], str] = without_users
    shown: Callable[[str], str] = masked
    has_index: bool = False


class SinkFactory(Protocol):
    """Opens a sink: a class or function that a package or NEWSCRAWL_SINKS names."""

    def __call__(self, place: str, /) -> Sink:
        """Returns the sink of `newscrawl feed NAME:PLACE`; `place` is the text after the colon, "" without one.

        Raises FeedError if the sink cannot be opened, with what to do.
        """


VERSION: Final = 2
"""The version of the format of a change. It increases when a field is removed or changes its meaning, not when a field
is added."""


def change_schema() -> str:
    """Returns the JSON schema (draft 2020-12) of a change, as the file change.schema.json of this package has it."""
    return files("newscrawl.publishing.feed").joinpath("change.schema.json").read_text(encoding="utf-8")


def as_json(entry: Entry) -> dict[str, Any]:
    """Returns the entry as JSON values, with all fields of docs/reference/change-feed.md. `article` has the fields of
    `newscrawl export`, `structure` only if it is asked for."""
    keys = EXPORT_KEYS if entry.with_structure else ARTICLE_KEYS
    return {
        "version": VERSION,
        "seq": entry.seq,
        "op": entry.op,
        "reason": entry.reason,
        "change_class": entry.change_class,
        "at": entry.at.isoformat(),
        "story_id": entry.story_id,
        "into": entry.into,
        "article_id": entry.article_id if entry.op != "merge" else None,
        "pages": [
            {"page_id": page.page_id, "url": page.url, "first_seen": page.first_seen.isoformat()}
            for page in entry.pages
        ],
        "replaces": list(entry.replaces),
        "replaced_by": list(entry.replaced_by),
        "new_entries": [dict(one) for one in entry.new_entries],
        "article": (builtins(view(entry.document, keys)) if entry.document is not None else None),
    }


def plain(value: object) -> str:
    """Converts dates, and times in UTC, to ISO 8601; the `default` of json.dumps for what `as_json` returns. Raises
    TypeError."""
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"cannot write {type(value).__name__} as JSON")
