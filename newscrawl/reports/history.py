"""The versions of one page for display: time, class of the change, and difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from newscrawl.reports.copies import FirstPage, first_page
from newscrawl.reports.overlaps import NONE, Overlaps, overlaps
from newscrawl.storage.articles.deciding.differences import readable
from newscrawl.storage.articles.lookup import page_at
from newscrawl.storage.tables.articles import articles, headlines, versions


@dataclass(frozen=True, slots=True)
class PastVersion:
    """A version: a text with a title. `published_offset` is in minutes east of UTC. `diff` is the difference from the
    version before (differences.readable)."""

    article_id: int
    seen_at: datetime
    last_seen: datetime
    change_class: str
    verdict: str
    title: str | None
    authors: Sequence[str]
    published: datetime | None
    published_offset: int | None
    modified: datetime | None
    extractor: str
    text: str
    new_entries: Sequence[Mapping[str, Any]] = ()
    """The new entries of a live report: `at` (ISO 8601, UTC) and `title`."""
    diff: Sequence[str] = ()
    confidence: float | None = None
    """How right and whole the text probably is; None for one stored by an earlier newscrawl."""


@dataclass(frozen=True, slots=True)
class History:
    """A page and its versions, oldest first. `current` is the id of the article it shows now; None if it shows none."""

    url: str
    site: str
    state: str
    current: int | None
    versions: Sequence[PastVersion]
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


def _with_titles(row: Row[Any], labels: Sequence[Row[Any]]) -> Iterator[PastVersion]:
    """Yields the version, and another for each further title it had."""
    version = PastVersion(
        row.article_id,
        row.seen_at,
        row.last_seen,
        row.change_class,
        row.verdict,
        row.title,
        tuple(row.authors or ()),
        row.published,
        row.published_offset,
        row.modified,
        row.extractor,
        row.text,
        tuple(row.new_entries or ()),
        confidence=row.confidence,
    )
    if not labels:
        yield version
        return
    first, *further = labels
    yield replace(version, title=first.title, authors=tuple(first.authors or ()), last_seen=first.last_seen)
    for label in further:
        metadata = {"title": label.title, "authors": tuple(label.authors or ()), "change_class": "headline"}
        metadata["new_entries"] = ()
        yield replace(version, seen_at=label.seen_at, last_seen=label.last_seen, **metadata)


def _compared(ordered: Sequence[PastVersion]) -> Iterator[PastVersion]:
    before: PastVersion | None = None
    for version in ordered:
        if before is None:
            yield version
        else:
            titles = [f"~ title: {before.title} -> {version.title}"] if before.title != version.title else []
            yield replace(version, diff=(*titles, *readable(before.text, version.text)))
        before = version
