"""What is stored of each site now: pages by state and by failure, and articles by extractor.

Each transaction that changes pages or the texts that they show adds the difference, so that readers count no rows. The
numbers are exact because the writers' lock keeps true what a transaction has read (engine.database.begin_write).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, Literal, Self

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, delete, select

from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.records import PageRow
from newscrawl.storage.tables.hours import site_totals
from newscrawl.storage.tables.schema import pages, versions

Counted = Literal["state", "failure", "article", "fallback", "duplicate"]
"""`state` and `failure` count pages by state and by reason code. The others count pages that show a text, by extractor:
`article` those that showed it first, `fallback` those of them whose text is from a later step of the chain, `duplicate`
those that showed it after another page."""

Key = tuple[str, Counted, str]
"""Site, what is counted, and its value."""


@dataclass(frozen=True, slots=True)
class CountedPage:
    """What counts of a page."""

    site: str
    state: str
    failure_kind: str | None
    article_id: int | None

    @classmethod
    def of(cls, page: PageRow) -> Self:
        """Returns what counts of a stored page."""
        return cls(page.site, page.state, page.failure_kind, page.article_id)


class Recount:
    """The totals of some pages before a transaction changes them; `write` adds the difference.

    `before` are the pages as they are stored, by id. Make it before the pages and their versions are written.
    """

    def __init__(self, connection: Connection, before: Mapping[int, CountedPage]) -> None:
        self._connection = connection
        self._before = before
        self._articles = _articles(before)
        self._texts = _texts(connection, self._articles)

    def write(self, after: Mapping[int, CountedPage]) -> None:
        """Adds the difference. `after` are the pages as they are stored now; those that were deleted are left out."""
        new = _articles(after) - self._articles
        texts = _texts(self._connection, self._articles | new)
        changed = self._before.keys() | after.keys()
        # Of a text that these pages did not show before, the other pages have not changed.
        earlier = [*self._texts, *(row for row in texts if row.article_id in new and row.page_id not in changed)]
        difference = _of_pages(after.values())
        difference.update(_of_texts(texts))
        difference.subtract(_of_pages(self._before.values()))
        difference.subtract(_of_texts(earlier))
        add(self._connection, difference)


@contextmanager
def counted_again(connection: Connection, page_ids: Iterable[int]) -> Iterator[None]:
    """Counts stored pages again around what changes or deletes them."""
    numbers = sorted(set(page_ids))
    recount = Recount(connection, _stored(connection, numbers))
    yield
    recount.write(_stored(connection, numbers))


def add_states(connection: Connection, before: Iterable[PageRow], after: Iterable[PageRow]) -> None:
    """Adds pages that changed their state or failure and not what they show. Pages without an id are new."""
    difference = _of_pages(CountedPage.of(page) for page in after)
    difference.subtract(_of_pages(CountedPage.of(page) for page in before if page.id is not None))
    add(connection, difference)


def add(connection: Connection, difference: Mapping[Key, int]) -> None:
    """Adds to the totals. Rows that become 0 are deleted."""
    changed = sorted((key, number) for key, number in difference.items() if number)
    rows = [
        {"site": site, "counted": counted, "value": value, "number": number}
        for (site, counted, value), number in changed
    ]
    upsert(connection, site_totals, ["site", "counted", "value"], rows, {"number": _sum})
    lowered = sorted({key[0] for key, number in changed if number < 0})
    for chunk in chunks(lowered):
        connection.execute(delete(site_totals).where(site_totals.c.site.in_(chunk), site_totals.c.number == 0))


def load(connection: Connection, site: str | None = None) -> dict[str, dict[Counted, dict[str, int]]]:
    """Returns the totals by site, by what is counted, and by value; of one site, or of all."""
    query = select(site_totals) if site is None else select(site_totals).where(site_totals.c.site == site)
    found: dict[str, dict[Counted, dict[str, int]]] = {}
    for row in connection.execute(query.order_by(*site_totals.primary_key)):
        found.setdefault(row.site, {}).setdefault(row.counted, {})[row.value] = row.number
    return found


def _stored(connection: Connection, page_ids: Sequence[int]) -> dict[int, CountedPage]:
    columns = (pages.c.id, pages.c.site, pages.c.state, pages.c.failure_kind, pages.c.article_id)
    return {
        row.id: CountedPage(row.site, row.state, row.failure_kind, row.article_id)
        for chunk in chunks(page_ids)
        for row in connection.execute(select(*columns).where(pages.c.id.in_(chunk)))
    }


def _articles(counted: Mapping[int, CountedPage]) -> set[int]:
    return {page.article_id for page in counted.values() if page.article_id is not None}


def _texts(connection: Connection, article_ids: Iterable[int]) -> list[Row[Any]]:
    """Returns each page that shows one of the articles, with the version that it shows."""
    return [
        row
        for chunk in chunks(sorted(article_ids))
        for row in connection.execute(_SHOWN.where(pages.c.article_id.in_(chunk)))
    ]


_SHOWN: Final[Select[Any]] = select(
    *(pages.c.id.label("page_id"), pages.c.site, pages.c.article_id),
    *(versions.c.seen_at, versions.c.extractor, versions.c.fallback),
).join(versions, and_(versions.c.page_id == pages.c.id, versions.c.article_id == pages.c.article_id))


def _of_pages(counted: Iterable[CountedPage]) -> Counter[Key]:
    totals: Counter[Key] = Counter()
    for page in counted:
        totals[page.site, "state", page.state] += 1
        if page.failure_kind is not None:
            totals[page.site, "failure", page.failure_kind] += 1
    return totals


def _of_texts(shown: Iterable[Row[Any]]) -> Counter[Key]:
    totals: Counter[Key] = Counter()
    ordered = sorted(shown, key=lambda row: (row.article_id, row.seen_at, row.page_id))
    for _, of_article in groupby(ordered, key=lambda row: row.article_id):
        first, *later = of_article
        totals[first.site, "article", first.extractor] += 1
        if first.fallback:
            totals[first.site, "fallback", first.extractor] += 1
        for row in later:
            totals[row.site, "duplicate", row.extractor] += 1
    return totals


def _sum(stored: ColumnElement[Any], incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return stored + incoming
