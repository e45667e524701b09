"""Reads from the database what decisions on stories need (`newscrawl.identity.story_updates.TextStore`), many texts a
query."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from sqlalchemy import Connection, bindparam, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import BigInteger

from newscrawl.identity.segmentation import Hashes
from newscrawl.identity.signature import shingles
from newscrawl.identity.stories import OTHERS, StoryPlace
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.duplicates import lsh_index
from newscrawl.storage.engine.sql import read_rows
from newscrawl.storage.tables.articles import articles
from newscrawl.storage.tables.duplicates import cluster_members, signatures

_FIRST: Final = (
    "SELECT article_id FROM cluster_members AS member WHERE member.representative_id = wanted.value"
    " AND member.article_id <> wanted.value ORDER BY member.first_seen, member.content_hash LIMIT {most}"
)  # a story may have a thousand members: the index finds the first without reading the others
_SQLITE_FIRST: Final = (
    "SELECT wanted.value, found.article_id"  # noqa: S608  nothing in it comes from outside
    " FROM json_each(:wanted) AS wanted CROSS JOIN cluster_members AS found"
    f" ON found.article_id IN ({_FIRST.format(most=':most')})"
)
_POSTGRESQL_FIRST: Final = (
    "SELECT wanted.value, found.article_id"  # noqa: S608  nothing in it comes from outside
    " FROM unnest(%(wanted)s::bigint[]) AS wanted(value)"
    f" CROSS JOIN LATERAL ({_FIRST.format(most='%(most)s')}) AS found"
)
_REJECTED: Final = "SELECT representative_id, article_id FROM rejected_members WHERE representative_id"
_SQLITE_REJECTED: Final = f"{_REJECTED} IN (SELECT value FROM json_each(:wanted))"  # noqa: S608  constants
_POSTGRESQL_REJECTED: Final = f"{_REJECTED} = ANY(%(wanted)s::bigint[])"


_OF_PLACE: Final = (
    "SELECT s.article_id, s.first_seen, s.content_hash, s.shingles, s.sketch, m.representative_id, m.cluster_id FROM"
)
_MEMBER: Final = "LEFT OUTER JOIN cluster_members AS m ON m.article_id = s.article_id"
_TYPES: Final = {
    name: signatures.c[name].type for name in ("article_id", "first_seen", "content_hash", "shingles", "sketch")
}
_SQLITE_PLACES: Final = text(
    f"{_OF_PLACE} signatures AS s {_MEMBER} WHERE s.article_id IN (SELECT value FROM json_each(:wanted))"  # noqa: S608
).columns(**_TYPES)
_POSTGRESQL_PLACES: Final = (
    text(f"{_OF_PLACE} unnest(:wanted) AS wanted(value) JOIN signatures AS s ON s.article_id = wanted.value {_MEMBER}")
    .bindparams(bindparam("wanted", type_=ARRAY(BigInteger)))
    .columns(**_TYPES)
)
# SQL written out as in lsh_index: SQLAlchemy's own statement has a parameter a number.


@dataclass(frozen=True, slots=True)
class NewText:
    """A text that is stored in this transaction and not decided yet, with its number of shingles."""

    place: StoryPlace
    size: int


NO_NEW_TEXTS: Final[Mapping[int, NewText]] = MappingProxyType({})


class DatabaseTextStore:
    """The stored texts, as `newscrawl.identity.story_updates.TextStore` asks for them.

    `new` are texts that are stored in this transaction and not decided yet; they are not looked up in the database.
    `texts` and `known` are texts and neighbours that the caller has read already, by article id.
    """

    def __init__(
        self,
        connection: Connection,
        texts: Mapping[int, str] | None = None,
        known: Mapping[int, Counter[int]] | None = None,
        new: Mapping[int, NewText] = NO_NEW_TEXTS,
    ) -> None:
        self.numbers: dict[int, int] = {}
        """The story numbers of the texts that have a row in `cluster_members`."""
        self._connection = connection
        self._new = new
        self._texts = dict(texts or {})
        self._hashes: dict[int, Hashes] = {}
        self._sizes: dict[int, int] = {number: text.size for number, text in new.items()}
        self._neighbours = dict(known or {})
        self._first: dict[int, list[int]] = {}
        self._rejected: dict[int, set[int]] = {}
        self._sketches: dict[int, list[int]] = {}

    def expect(self, numbers: Iterable[int], write: Callable[[], None] | None = None) -> None:
        """Looks up the neighbours of all these texts in one query, after `write`."""
        missing = [number for number in numbers if number not in self._neighbours]
        if not missing and write is None:
            return
        self._neighbours |= {number: Counter() for number in missing}
        sketches = {number: self._sketches[number] for number in missing if number in self._sketches}
        if missing and len(sketches) < len(missing):
            sketches = lsh_index.sketches_of(self._connection, missing)
        if write is not None:
            write()
        found = lsh_index.find(self._connection, {value for sketch in sketches.values() for value in sketch})
        self._neighbours |= lsh_index.counted(sketches, found)

    def expect_stories(self, representatives: Iterable[int]) -> None:
        """Looks up the first members of these stories, and the texts that the stories rejected."""
        unknown = {story for story in representatives if story not in self._first}
        self._first |= {story: [] for story in unknown}
        self._rejected |= {story: set() for story in unknown}
        missing = sorted(unknown - self._new.keys())  # a new text has no stored members
        if not missing:
            return
        given = {"wanted": missing, "most": OTHERS}
        for story, number in read_rows(self._connection, _SQLITE_FIRST, _POSTGRESQL_FIRST, given):
            self._first[story].append(number)
        for story, number in read_rows(self._connection, _SQLITE_REJECTED, _POSTGRESQL_REJECTED, {"wanted": missing}):
            self._rejected[story].add(number)

    def expect_texts(self, numbers: Iterable[int]) -> None:
        """Reads all these texts."""
        missing = sorted({number for number in numbers if number not in self._texts})
        for chunk in chunks(missing):
            query = select(articles.c.id, articles.c.text).where(articles.c.id.in_(chunk))
            self._texts.update((row.id, row.text) for row in self._connection.execute(query))

    def neighbours(self, number: int) -> Counter[int]:
        """See the protocol."""
        self.expect([number])
        return self._neighbours[number]

    def places(self, numbers: Collection[int]) -> Mapping[int, tuple[StoryPlace, int | None]]:
        """See the protocol."""
        places: dict[int, tuple[StoryPlace, int | None]] = {}
        stored: list[int] = []
        for number in numbers:
            if number in self._new:
                places[number] = self._new[number].place, None
            else:
                stored.append(number)
        if not stored:
            return places
        if self._connection.dialect.name == "postgresql":
            rows = self._connection.execute(_POSTGRESQL_PLACES, {"wanted": stored})
        else:
            rows = self._connection.execute(_SQLITE_PLACES, {"wanted": json.dumps(stored)})
        for number, first_seen, content_hash, size, sketch, representative, story in rows:
            self._sketches[number] = lsh_index.decode_sketch(sketch)
            if first_seen is None or content_hash is None:
                continue
            self._sizes[number] = size
            if story is not None:
                self.numbers[number] = story
            places[number] = StoryPlace(first_seen, content_hash, number), representative or number
        return places

    def first_others(self, representative: int) -> Sequence[int]:
        """See the protocol."""
        self.expect_stories([representative])
        return self._first[representative]

    def others(self, representative: int) -> Sequence[int]:
        """See the protocol."""
        return [
            number
            for number in members_of(self._connection, [representative])[representative]
            if number != representative
        ]

    def rejected(self, representative: int) -> Collection[int]:
        """See the protocol."""
        self.expect_stories([representative])
        return self._rejected[representative]

    def shingles(self, number: int) -> Hashes:
        """See the protocol."""
        if number not in self._hashes:
            self.expect_texts([number])
            self._hashes[number] = shingles(self._texts[number])
        return self._hashes[number]

    def size(self, number: int) -> int:
        """See the protocol."""
        return self._sizes[number] if number in self._sizes else len(self.shingles(number))


def members_of(connection: Connection, representatives: Iterable[int]) -> dict[int, dict[int, int]]:
    """Returns the members of stories by representative: article id -> story number."""
    wanted = sorted(set(representatives))
    members: dict[int, dict[int, int]] = defaultdict(dict)
    for chunk in chunks(wanted):
        query = select(cluster_members.c.representative_id, cluster_members.c.article_id, cluster_members.c.cluster_id)
        for row in connection.execute(query.where(cluster_members.c.representative_id.in_(chunk))):
            members[row.representative_id][row.article_id] = row.cluster_id
    return members
