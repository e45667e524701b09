"""What is stored of each site now: pages by state and by failure, and articles by extractor.

Each transaction that changes pages or the texts that they show adds the difference, so that readers count no rows. The
numbers are exact because what a transaction has read stays true (engine.transactions).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any, Final, Literal, NamedTuple, Self

from sqlalchemy import ColumnElement, Connection, Delete, bindparam, delete, select

from newscrawl.storage.engine.sql import chunks, read_rows, upsert
from newscrawl.storage.records import PageRow
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.hours import site_totals

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


class ShownVersion(NamedTuple):
    """A page that shows an article, with the version that it shows. The time has the driver's own type."""

    page_id: int
    site: str
    article_id: int
    seen_at: Any
    extractor: str
    fallback: bool


@contextmanager
def counted_again(connection: Connection, page_ids: Iterable[int]) -> Iterator[None]:
    """Counts stored pages again around what changes or deletes them. It must change what no other page shows."""
    numbers = sorted(set(page_ids))
    before = _stored(connection, numbers)
    own = own_versions(connection, before)
    yield
    after = _stored(connection, numbers)
    shown = shown_versions(connection, before, after)
    add(connection, difference(before, after, own, shown))


def add_states(connection: Connection, before: Iterable[PageRow], after: Iterable[PageRow]) -> None:
    """Adds pages that changed their state or failure and not what they show. Pages without an id are new."""
    old = [CountedPage.of(page) for page in before if page.id is not None]
    new = [CountedPage.of(page) for page in after]
    difference = _of_pages(new)
    difference.subtract(_of_pages(old))
    add(connection, difference)


def own_versions(connection: Connection, before: Mapping[int, CountedPage]) -> Sequence[ShownVersion]:
    """Returns the versions that pages show. Ask before the pages are written."""
    return _read(connection, "id", sorted(before))


def shown_versions(
    connection: Connection, before: Mapping[int, CountedPage], after: Mapping[int, CountedPage]
) -> Sequence[ShownVersion]:
    """Returns what all pages that show one of the texts show. Ask after the pages are written."""
    return _read(connection, "article_id", sorted(_articles(before) | _articles(after)))


def difference(
    before: Mapping[int, CountedPage],
    after: Mapping[int, CountedPage],
    own: Sequence[ShownVersion] = (),
    shown: Sequence[ShownVersion] = (),
) -> Counter[Key]:
    """Returns what a change of pages adds to the totals. `own` and `shown` are `own_versions` and `shown_versions`;
    without them no page shows another text than before."""
    changed = before.keys() | after.keys()
    new = _of_pages(after.values())
    old = _of_pages(before.values())
    new.update(_of_texts(shown))
    # The pages of others have not changed.
    others = (row for row in shown if row.page_id not in changed)
    old.update(_of_texts([*own, *others]))
    new.subtract(old)
    return new


def add(connection: Connection, difference: Mapping[Key, int]) -> None:
    """Adds to the totals. Rows that become 0 are deleted."""
    changed = sorted((key, number) for key, number in difference.items() if number)
    rows = [
        {"site": site, "counted": counted, "value": value, "number": number}
        for (site, counted, value), number in changed
    ]
    upsert(connection, site_totals, ["site", "counted", "value"], rows, {"number": _added})
    lowered = sorted({key[0] for key, number in changed if number < 0})
    for chunk in chunks(lowered):
        connection.execute(_delete_over(), {"sites": chunk})


@cache  # building it takes longer than running it
def _delete_over() -> Delete:
    """Returns the statement that deletes the rows of `sites` that are 0."""
    of_sites = site_totals.c.site.in_(bindparam("sites", expanding=True))
    return delete(site_totals).where(of_sites, site_totals.c.number == 0)


def load(connection: Connection, site: str | None = None) -> dict[str, dict[Counted, dict[str, int]]]:
    """Returns the counts by site, by what is counted, and by value; of one site, or of all."""
    query = select(site_totals)
    query = query if site is None else query.where(site_totals.c.site == site)
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


def _read(connection: Connection, column: Literal["id", "article_id"], numbers: list[int]) -> list[ShownVersion]:
    if not numbers:
        return []
    on_sqlite = f"{_SELECT} WHERE pages.{column} IN (SELECT value FROM json_each(:numbers))"  # noqa: S608  constants
    on_postgresql = f"{_SELECT} WHERE pages.{column} = ANY(%(numbers)s)"
    rows = read_rows(connection, on_sqlite, on_postgresql, {"numbers": numbers})
    return [ShownVersion(*row) for row in rows]


_SELECT: Final = (
    "SELECT pages.id, pages.site, pages.article_id, versions.seen_at, versions.extractor, versions.fallback "
    "FROM pages JOIN versions ON versions.page_id = pages.id AND versions.article_id = pages.article_id"
)


def _of_pages(counted: Iterable[CountedPage]) -> Counter[Key]:
    totals: Counter[Key] = Counter()
    for page in counted:
        totals[page.site, "state", page.state] += 1
        if page.failure_kind is not None:
            totals[page.site, "failure", page.failure_kind] += 1
    return totals


def _of_texts(shown: Iterable[ShownVersion]) -> Counter[Key]:
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


def _added(stored: ColumnElement[Any], incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return stored + incoming
