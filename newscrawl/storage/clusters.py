"""Articles of nearly the same words, joined.

A cluster is a connected part of the graph whose edges are ties (newscrawl.identity.resemblance) between texts. A tie
depends on two texts alone and is found when the later one comes, so the parts are the same in whatever order articles
arrive. The exceptions are limits: of a value's holders (newscrawl.storage.bands) and of the texts that one is compared
with; docs/near-duplicates.md says what they mean. Joined articles are never parted again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, func, select, update

from newscrawl.identity import resemblance
from newscrawl.identity.segmentation import Hashes
from newscrawl.identity.signature import shingles
from newscrawl.model import Signature
from newscrawl.storage import bands, changes
from newscrawl.storage.lookup import chunks
from newscrawl.storage.near_tables import cluster_members
from newscrawl.storage.schema import articles
from newscrawl.storage.upsert import upsert

COMPARED: Final = 16
"""Texts that a new one is compared with, those of most shared values first."""
COMPARED_OF_CLUSTER: Final = 3
"""Of these, texts of one cluster: to belong to it, one is enough."""


@dataclass(frozen=True, slots=True)
class New:
    """An article that this batch stores, and when it was fetched."""

    article_id: int
    text: str
    signature: Signature | None
    fetched_at: datetime


@dataclass(frozen=True, slots=True)
class Membership:
    """An article's cluster, and its strongest tie to another member."""

    article_id: int
    cluster_id: int
    nearest_id: int
    kind: str
    resemblance: float
    containment: float

    @property
    def strength(self) -> tuple[float, float, int]:
        """What the strongest tie has most of; of equals, the one to the article stored first."""
        return self.resemblance, self.containment, -self.nearest_id


@dataclass(frozen=True, slots=True)
class Joined:
    """What new ties make of the memberships: rows to write, and clusters that became part of others (old id -> new)."""

    rows: tuple[Membership, ...]
    renamed: Mapping[int, int]


def link(connection: Connection, new: Sequence[New], *, told: bool = True) -> None:
    """Joins new articles to their near-duplicates, stored before or in the same batch; in the batch's transaction.

    Stored articles that came into another cluster are told to the change feed (`merge`); `told` says that the feed
    learns of the new ones anyway.
    """
    new = sorted(new, key=lambda one: one.article_id)
    signed = {one.article_id: one.signature for one in new if one.signature is not None}
    shared = bands.record(connection, signed)
    members = of_articles(connection, {other for counts in shared.values() for other in counts})
    candidates = {number: chosen(counts, members) for number, counts in shared.items() if counts}
    if not candidates:
        return
    ties = _ties(connection, candidates, {one.article_id: one.text for one in new})
    result = joined(members, ties)
    if result.rows:
        _write(connection, result, members, signed.keys() if told else frozenset(), max(one.fetched_at for one in new))


def chosen(shared: Counter[int], members: Mapping[int, Membership]) -> list[int]:
    """The articles to compare with, of those that share values."""
    of_cluster: Counter[int] = Counter()
    found: list[int] = []
    for number, _ in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        cluster = members[number].cluster_id if number in members else number
        of_cluster[cluster] += 1
        if of_cluster[cluster] <= COMPARED_OF_CLUSTER:
            found.append(number)
    return found[:COMPARED]


def joined(members: Mapping[int, Membership], ties: Sequence[tuple[int, int, resemblance.Tie]]) -> Joined:
    """What the ties (article, article, tie) make of the stored memberships."""
    parents: dict[int, int] = {}
    strongest: dict[int, Membership] = {}
    for one, other, tie in ties:
        first, second = (_root(parents, _cluster(members, number)) for number in (one, other))
        parents[max(first, second)] = min(first, second)
        for number, nearest in ((one, other), (other, one)):
            row = Membership(number, 0, nearest, tie.kind, tie.resemblance, tie.containment)
            known = strongest.get(number) or members.get(number)
            strongest[number] = row if known is None or row.strength > known.strength else known
    rows = [_in_cluster(row, _root(parents, _cluster(members, number))) for number, row in sorted(strongest.items())]
    stored = {row.cluster_id for row in members.values()}
    renamed = {old: _root(parents, old) for old in sorted(stored) if _root(parents, old) != old}
    return Joined(tuple(rows), renamed)


def of_articles(connection: Connection, article_ids: Iterable[int]) -> dict[int, Membership]:
    """The memberships of those of the articles that have near-duplicates."""
    found = {}
    for chunk in chunks(sorted(set(article_ids))):
        for row in connection.execute(select(cluster_members).where(cluster_members.c.article_id.in_(chunk))):
            found[row.article_id] = Membership(*row)
    return found


def of_cluster(connection: Connection, cluster_id: int) -> list[Membership]:
    """The members of a cluster, by article id; empty when the article has no near-duplicates."""
    query = select(cluster_members).where(cluster_members.c.cluster_id == cluster_id)
    return [Membership(*row) for row in connection.execute(query.order_by(cluster_members.c.article_id))]


def forget(connection: Connection, article_ids: Iterable[int], now: datetime) -> None:
    """Removes all that near-duplicates know of the articles. Those they were joined with stay together.

    A cluster that loses the article whose number it has gets the number of the first that is left, and its members are
    told to the change feed (`merge`); a member that is left alone is a cluster no longer.
    """
    numbers = sorted(set(article_ids))
    touched = {member.cluster_id for member in of_articles(connection, numbers).values()}
    bands.forget(connection, numbers)
    for chunk in chunks(numbers):
        connection.execute(delete(cluster_members).where(cluster_members.c.article_id.in_(chunk)))
    moved: list[int] = []
    for cluster in sorted(touched):
        moved += _renumber(connection, cluster)
    shown = changes.still_shown(connection, moved)
    changes.append(connection, "merge", [number for number in moved if number in shown], now)


def _renumber(connection: Connection, cluster: int) -> Sequence[int]:
    """Gives a cluster that lost members the number of its first; its members where that is another number."""
    mine = cluster_members.c.cluster_id == cluster
    found = select(func.count(), func.min(cluster_members.c.article_id)).where(mine)
    size, first = connection.execute(found).one()
    if size == 1:
        connection.execute(delete(cluster_members).where(mine))
        return [first] if first != cluster else []
    if size == 0 or first == cluster:
        return []
    members = [member.article_id for member in of_cluster(connection, cluster)]
    connection.execute(update(cluster_members).where(mine).values(cluster_id=first))
    return members


def _ties(
    connection: Connection, candidates: Mapping[int, Sequence[int]], texts: dict[int, str]
) -> list[tuple[int, int, resemblance.Tie]]:
    """The ties between the articles and their candidates, by their texts."""
    missing = {other for others in candidates.values() for other in others if other not in texts}
    for chunk in chunks(sorted(missing)):
        rows = connection.execute(select(articles.c.id, articles.c.text).where(articles.c.id.in_(chunk)))
        texts.update((row.id, row.text) for row in rows)
    of_text = _kept(texts)
    found = []
    for number, others in candidates.items():
        for other in others:
            tie = resemblance.tie(of_text(number), of_text(other)) if other in texts else None
            if tie is not None:
                found.append((number, other, tie))
    return found


def _kept(texts: Mapping[int, str]) -> Callable[[int], Hashes]:
    made: dict[int, Hashes] = {}

    def of_text(number: int) -> Hashes:
        if number not in made:
            made[number] = shingles(texts[number])
        return made[number]

    return of_text


def _write(
    connection: Connection, result: Joined, members: Mapping[int, Membership], new: AbstractSet[int], now: datetime
) -> None:
    moved = {row.article_id for row in result.rows if _cluster(members, row.article_id) != row.cluster_id}
    for old, cluster in result.renamed.items():
        moved.update(member.article_id for member in of_cluster(connection, old))
        of_old = update(cluster_members).where(cluster_members.c.cluster_id == old)
        connection.execute(of_old.values(cluster_id=cluster))
    changed = [asdict(row) for row in result.rows if members.get(row.article_id) != row]
    upsert(connection, cluster_members, ["article_id"], changed)
    changes.append(connection, "merge", sorted(moved - new), now)


def _cluster(members: Mapping[int, Membership], number: int) -> int:
    return members[number].cluster_id if number in members else number


def _root(parents: Mapping[int, int], cluster: int) -> int:
    while parents.get(cluster, cluster) != cluster:
        cluster = parents[cluster]
    return cluster


def _in_cluster(row: Membership, cluster: int) -> Membership:
    return Membership(row.article_id, cluster, row.nearest_id, row.kind, row.resemblance, row.containment)
