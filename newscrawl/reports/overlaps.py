"""The larger texts that a text is part of, and the smaller ones that it contains, with addresses that show them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, select

from newscrawl.storage.duplicates import story_pages
from newscrawl.storage.engine.sql import rows_among
from newscrawl.storage.tables.articles import pages, versions


@dataclass(frozen=True, slots=True)
class Overlap:
    """Another text that contains a text or is contained in it: its article id, the address of a page that shows or has
    shown it, and the share of the smaller text that the larger one has (0 to 1)."""

    article_id: int
    url: str
    containment: float


@dataclass(frozen=True, slots=True)
class Overlaps:
    """`contained_in` are larger texts, at most `story_pages.MAX_LINKS`; `more` counts further ones. `contains`
    are smaller texts."""

    contained_in: Sequence[Overlap] = ()
    more: int = 0
    contains: Sequence[Overlap] = ()


NONE: Final = Overlaps()


def overlaps(connection: Connection, article_id: int) -> Overlaps:
    """Returns the texts of other stories that contain a text or are contained in it."""
    outside = story_pages.containers_of(connection, [article_id]).get(article_id, story_pages.NOWHERE)
    inside = story_pages.parts_of(connection, article_id)
    urls = _addresses(connection, {*outside.containers, *inside})
    return Overlaps(_shown(outside.containers, urls), outside.more, _shown(inside, urls))


def containing(connection: Connection, article_ids: Iterable[int]) -> dict[int, Overlaps]:
    """Returns the larger texts of the articles by article id, without `contains`. Articles that are part of no text are
    left out."""
    found = story_pages.containers_of(connection, article_ids)
    urls = _addresses(connection, {number for contained in found.values() for number in contained.containers})
    return {
        article: Overlaps(_shown(contained.containers, urls), contained.more) for article, contained in found.items()
    }


def _shown(found: Mapping[int, float], urls: Mapping[int, str]) -> tuple[Overlap, ...]:
    return tuple(Overlap(number, urls[number], containment) for number, containment in found.items() if number in urls)


def _addresses(connection: Connection, article_ids: Collection[int]) -> dict[int, str]:
    """Returns the address of a page for each article: the first page that shows or has shown it."""
    addresses: dict[int, str] = {}
    query = select(versions.c.article_id, pages.c.url).join(pages, pages.c.id == versions.c.page_id)
    query = query.order_by(versions.c.seen_at, pages.c.id)
    for row in rows_among(connection, query, versions.c.article_id, article_ids):
        addresses.setdefault(row.article_id, row.url)
    return addresses
