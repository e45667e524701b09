"""Which texts are part of larger texts of other stories: a report in a round-up, an agency's text in an article.

A link is stored when the later of the two texts is stored. `join` finds the links.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, delete, func, select

from newscrawl.storage.engine.sql import change_among, chunks, insert, rows_among
from newscrawl.storage.tables.articles import articles, text_links

if TYPE_CHECKING:  # its module loads numpy
    from newscrawl.identity.stories import ContainmentLink

MAX_LINKS: Final = 20
"""The greatest number of larger texts that are named for one part. The others are counted."""


@dataclass(frozen=True, slots=True)
class Contained:
    """The larger texts that a text is part of.

    `containers` maps the id of a larger text to the share of the part that it contains, 0 to 1. `more` counts the
    larger texts that are not named.
    """

    containers: Mapping[int, float]
    more: int = 0


NOWHERE: Final = Contained({})


def write(connection: Connection, links: Sequence[ContainmentLink]) -> None:
    """Stores the links that were found when texts were decided."""
    rows = [{"article_id": one.part, "container_id": one.whole, "containment": one.containment} for one in links]
    if rows:
        connection.execute(insert(connection, text_links).on_conflict_do_nothing(), rows)


def by_article(connection: Connection, article_ids: Iterable[int]) -> dict[int, Contained]:
    """Returns the larger texts of the articles by article id: of each the first `MAX_LINKS`, and how many more there
    are. Articles that are part of no text are left out."""
    found: dict[int, dict[int, float]] = defaultdict(dict)
    totals: dict[int, int] = {}
    part = text_links.c.article_id
    place = func.row_number().over(partition_by=part, order_by=text_links.c.container_id).label("place")
    total = func.count().over(partition_by=part).label("total")
    for chunk in chunks(sorted(set(article_ids))):
        every = select(text_links, place, total).where(part.in_(chunk)).subquery()
        first = select(every).where(every.c.place <= MAX_LINKS)
        for row in connection.execute(first.order_by(every.c.article_id, every.c.place)):
            found[row.article_id][row.container_id] = row.containment
            totals[row.article_id] = row.total
    return {number: Contained(named, totals[number] - len(named)) for number, named in found.items()}


def parts_of(connection: Connection, article_id: int) -> dict[int, float]:
    """Returns the smaller texts that a text contains: article id -> share of the smaller text, 0 to 1."""
    query = select(text_links).where(text_links.c.container_id == article_id).order_by(text_links.c.article_id)
    return {row.article_id: row.containment for row in connection.execute(query)}


def containers_by_story(connection: Connection, numbers: Iterable[int]) -> dict[int, int]:
    """Returns how many other stories contain texts of each story, by story number. Stories without any are left out."""
    part, whole = articles.alias(), articles.alias()
    story, container = (func.coalesce(one.c.story_id, one.c.id) for one in (part, whole))
    links = part.join(text_links, text_links.c.article_id == part.c.id).join(
        whole, whole.c.id == text_links.c.container_id
    )
    counted = select(story, func.count(container.distinct())).select_from(links).where(container != story)
    return {number: count for number, count in rows_among(connection, counted.group_by(story), story, numbers)}  # noqa: C416  to mypy, rows are not pairs


def forget(connection: Connection, article_ids: Iterable[int]) -> None:
    """Removes the links from and to the articles."""
    numbers = set(article_ids)
    for column in (text_links.c.article_id, text_links.c.container_id):
        change_among(connection, delete(text_links), column, numbers)
