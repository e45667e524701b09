"""Stores which texts are part of larger texts of other stories: a report in a round-up, an agency's text in an article.

A link is found when the later of the two texts is decided. The first `MAX_LINKS` links of a part are stored. Further
links are only counted, once for each text whose decision finds them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import ColumnElement, Connection, delete, func, or_, select

from newscrawl.storage.engine.sql import chunks, upsert
from newscrawl.storage.tables.duplicates import cluster_members, text_link_counts, text_links

if TYPE_CHECKING:  # its module loads numpy
    from newscrawl.identity.stories import ContainmentLink

MAX_LINKS: Final = 20
"""The greatest number of links that are stored for one part."""


@dataclass(frozen=True, slots=True)
class Contained:
    """The larger texts that a text is part of.

    `containers` maps the id of a larger text to the share of the part that it contains, 0 to 1. `more` counts the
    larger texts that were found and are not stored.
    """

    containers: Mapping[int, float]
    more: int = 0

    @property
    def count(self) -> int:
        """The number of all larger texts, stored or not."""
        return len(self.containers) + self.more


NOWHERE: Final = Contained({})


def write(
    connection: Connection,
    found: Mapping[int, Sequence[ContainmentLink]],
    again: Collection[int],
    new: Collection[int] = (),
) -> None:
    """Stores the containment links that were found when texts were decided.

    `found` has the links by the id of the decided text. `again` are texts that were decided before: call `drop` for
    them first. `new` are texts for which no link is stored yet.
    """
    parts = {link.part for links in found.values() for link in links}
    if not parts:
        return
    stored = _counts(connection, parts.difference(new))
    rows = []
    more: Counter[int] = Counter()
    for number, links in found.items():
        for link in links:
            if stored[link.part] < MAX_LINKS:
                stored[link.part] += 1
                rows.append(_row(number, link))
            elif number not in again:
                more[link.part] += 1
    upsert(connection, text_links, ["article_id", "container_id"], rows)
    counted = [{"article_id": number, "further_containers": count} for number, count in more.items()]
    added = {"further_containers": lambda stored, incoming: stored + incoming}
    upsert(connection, text_link_counts, ["article_id"], counted, added)


def drop(connection: Connection, again: Collection[int]) -> None:
    """Removes the links that were found when these texts were decided before. It reads nothing."""
    for chunk in chunks(sorted(again)):
        connection.execute(delete(text_links).where(text_links.c.found_by.in_(chunk)))


def by_article(connection: Connection, article_ids: Iterable[int]) -> dict[int, Contained]:
    """Returns the larger texts of the articles by article id. Articles that are part of no text are left out."""
    containers: dict[int, dict[int, float]] = defaultdict(dict)
    more: dict[int, int] = {}
    for chunk in chunks(sorted(set(article_ids))):
        query = select(text_links).where(text_links.c.article_id.in_(chunk)).order_by(text_links.c.container_id)
        for row in connection.execute(query):
            containers[row.article_id][row.container_id] = row.containment
        counts = select(text_link_counts).where(text_link_counts.c.article_id.in_(chunk))
        more.update((row.article_id, row.further_containers) for row in connection.execute(counts))
    return {number: Contained(containers.get(number, {}), more.get(number, 0)) for number in {*containers, *more}}


def parts_of(connection: Connection, article_id: int) -> dict[int, float]:
    """Returns the smaller texts that a text contains: article id -> share of the smaller text, 0 to 1."""
    query = select(text_links).where(text_links.c.container_id == article_id).order_by(text_links.c.article_id)
    return {row.article_id: row.containment for row in connection.execute(query)}


def containers_by_story(connection: Connection, numbers: Iterable[int]) -> dict[int, int]:
    """Returns how many other stories contain texts of each story, by story number. Stories without any are left out."""
    part, whole = cluster_members.alias(), cluster_members.alias()
    story = func.coalesce(part.c.cluster_id, text_links.c.article_id)
    container = func.coalesce(whole.c.cluster_id, text_links.c.container_id)
    links = text_links.outerjoin(part, part.c.article_id == text_links.c.article_id).outerjoin(
        whole, whole.c.article_id == text_links.c.container_id
    )
    query = select(story, func.count(container.distinct())).select_from(links).where(container != story).group_by(story)
    containing: Counter[int] = Counter()
    wanted = set(numbers)
    for chunk in chunks(sorted(wanted)):
        members = select(cluster_members.c.article_id).where(cluster_members.c.cluster_id.in_(chunk))
        mine = or_(text_links.c.article_id.in_(chunk), text_links.c.article_id.in_(members))
        containing.update({number: count for number, count in connection.execute(query.where(mine))})  # noqa: C416
        containing.update(_more(connection, chunk, members))
    return {number: containing[number] for number in wanted if containing[number]}


def forget(connection: Connection, article_ids: Iterable[int]) -> None:
    """Removes the links from and to the articles."""
    for chunk in chunks(sorted(set(article_ids))):
        for column in (text_links.c.article_id, text_links.c.container_id, text_link_counts.c.article_id):
            connection.execute(delete(column.table).where(column.in_(chunk)))


def _more(connection: Connection, chunk: Sequence[int], members: object) -> dict[int, int]:
    story = func.coalesce(cluster_members.c.cluster_id, text_link_counts.c.article_id)
    counts = text_link_counts.outerjoin(cluster_members, cluster_members.c.article_id == text_link_counts.c.article_id)
    column: ColumnElement[int] = text_link_counts.c.article_id
    query = select(story, func.sum(text_link_counts.c.further_containers)).select_from(counts).group_by(story)
    mine = or_(column.in_(chunk), column.in_(members))  # type: ignore[arg-type]
    return {number: int(count) for number, count in connection.execute(query.where(mine))}


def _counts(connection: Connection, parts: Iterable[int]) -> Counter[int]:
    counts: Counter[int] = Counter()
    for chunk in chunks(sorted(parts)):
        mine = text_links.c.article_id.in_(chunk)
        query = select(text_links.c.article_id, func.count()).where(mine).group_by(text_links.c.article_id)
        counts.update({number: count for number, count in connection.execute(query)})  # noqa: C416
    return counts


def _row(number: int, link: ContainmentLink) -> dict[str, int | float]:
    return {
        "article_id": link.part,
        "container_id": link.whole,
        "found_by": number,
        "containment": link.containment,
    }
