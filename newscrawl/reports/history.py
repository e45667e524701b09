"""The versions of one page for display: time, class of the change, and difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, select

from newscrawl.model import Attempt, Dated, Metadata
from newscrawl.model.flat import of_row, reader_of
from newscrawl.reports.story import NONE, FirstPage, Overlaps, first_page, overlaps
from newscrawl.storage.articles.deciding.differences import readable
from newscrawl.storage.articles.lookup import page_at
from newscrawl.storage.tables.articles import articles, headlines, versions


@dataclass(frozen=True)
class StoredVersion(Dated):
    """A version of a page: a text with the metadata that the page states with it, and how it was extracted.

    `title`, `authors`, `published` (a time) and the other metadata are attributes of the version, too. `text` is "" if
    it was not read. `new_entries` are those of a live report: `at` (ISO 8601, UTC) and `title`. `diff` is the
    difference from the version before (differences.readable). `confidence` says how right and whole the text probably
    is; None for one stored by an earlier newscrawl.
    """

    article_id: int
    seen_at: datetime
    last_seen: datetime
    change_class: str
    verdict: str
    metadata: Metadata
    extractor: str
    fallback: bool
    trace: Sequence[Attempt]
    problems: Sequence[str]
    confidence: float | None
    new_entries: Sequence[Mapping[str, Any]]
    text: str = ""
    diff: Sequence[str] = ()

    @classmethod
    def of(cls, row: Row[Any], text: str = "") -> StoredVersion:
        """Returns the version of a row of `versions`."""
        values = row._asdict()
        return cls(
            metadata=of_row(values),
            trace=_TRACE(row.trace),
            problems=tuple(row.problems or ()),
            new_entries=tuple(row.new_entries or ()),
            text=text,
            **{name: values[name] for name in _AS_STORED},
        )


_TRACE: Final = reader_of(Attempt)
_AS_STORED: Final = (
    *("article_id", "seen_at", "last_seen", "change_class", "verdict", "extractor", "fallback", "confidence"),
)


@dataclass(frozen=True, slots=True)
class History:
    """A page and its versions, oldest first. `current` is the id of the article it shows now; None if it shows none."""

    url: str
    site: str
    state: str
    current: int | None
    versions: Sequence[StoredVersion]
    overlaps: Overlaps = NONE
    first_page: FirstPage | None = None
    """The first page of the story of the current article."""


def history(connection: Connection, url: str) -> History | None:
    """Returns the versions of the page that an address leads to; None for an unknown address. Raises InvalidUrl."""
    page = page_at(connection, url)
    if page is None or page.id is None:
        return None
    query = select(versions, articles.c.text).join(articles).where(versions.c.page_id == page.id)
    kept = select(headlines).where(headlines.c.page_id == page.id).order_by(headlines.c.seen_at, headlines.c.id)
    labels: dict[int, list[Row[Any]]] = {}
    for label in connection.execute(kept):
        labels.setdefault(label.article_id, []).append(label)
    past = [
        version for row in connection.execute(query) for version in _with_titles(row, labels.get(row.article_id, []))
    ]
    ordered = sorted(past, key=lambda version: (version.seen_at, version.article_id))
    whole = History(page.url, page.site, page.state, page.article_id, tuple(_compared(ordered)))
    if page.article_id is None:
        return whole
    first = first_page(connection, page.article_id)
    return replace(whole, overlaps=overlaps(connection, page.article_id), first_page=first)


def _with_titles(row: Row[Any], labels: Sequence[Row[Any]]) -> Iterator[StoredVersion]:
    """Yields the version, and another for each further title it had."""
    version = StoredVersion.of(row, row.text)
    if not labels:
        yield version
        return
    first, *further = labels
    yield replace(_titled(version, first), last_seen=first.last_seen)
    for label in further:
        times = {"seen_at": label.seen_at, "last_seen": label.last_seen}
        yield replace(_titled(version, label), **times, change_class="headline", new_entries=())


def _titled(version: StoredVersion, label: Row[Any]) -> StoredVersion:
    stated = replace(version.metadata, title=label.title, authors=tuple(label.authors or ()))
    return replace(version, metadata=stated)


def _compared(ordered: Sequence[StoredVersion]) -> Iterator[StoredVersion]:
    before: StoredVersion | None = None
    for version in ordered:
        if before is None:
            yield version
        else:
            titles = [f"~ title: {before.title} -> {version.title}"] if before.title != version.title else []
            yield replace(version, diff=(*titles, *readable(before.text, version.text)))
        before = version
