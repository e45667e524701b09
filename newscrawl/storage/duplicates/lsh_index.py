"""The index of signature values: which stored articles share values with a signature.

A batch needs one query to look values up and one statement to store them. At most `MAX_ARTICLES` articles are stored
for a value. A value that more articles have is boilerplate, or the first articles with it find the text already. So the
cost of a look-up does not grow with the number of stored articles. When articles are removed, other articles take their
places.
"""

from __future__ import annotations

import struct
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, delete, select

from newscrawl.model import Signature
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.engine.row_mapping import Values
from newscrawl.storage.engine.sql import read_rows
from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.tables.duplicates import signature_bands, signatures

if TYPE_CHECKING:  # its module loads numpy
    from newscrawl.identity.stories import StoryPlace

MAX_ARTICLES: Final = 100
"""The greatest number of articles that are stored for one value."""
MIN_SHARED: Final = 2
"""Values that two sketches must share before their texts are compared. One shared value may be a common phrase. Among
excerpts of half a text this misses 0.3 % (docs/measurements/near-duplicates.md)."""

_SQLITE_FIND: Final = (
    "SELECT value, article_id FROM signature_bands WHERE value IN (SELECT value FROM json_each(:wanted))"
)
_POSTGRESQL_FIND: Final = (
    "SELECT band.value, band.article_id FROM unnest(%(wanted)s::bigint[]) AS wanted(value) CROSS JOIN LATERAL "
    "(SELECT value, article_id FROM signature_bands WHERE value = wanted.value ORDER BY article_id LIMIT %(most)s)"
    " AS band"
)
"""One index look-up a value. For `value = ANY(...)` PostgreSQL estimates half of the table, as long as it has no
statistics on the values, and reads the whole table."""
_SQLITE_ADD: Final = "INSERT INTO signature_bands (value, article_id) VALUES (?, ?) ON CONFLICT DO NOTHING"
_POSTGRESQL_ADD: Final = (
    "INSERT INTO signature_bands (value, article_id) SELECT * FROM unnest(%(values)s::bigint[],"
    " %(article_ids)s::bigint[]) ON CONFLICT DO NOTHING"
)
# SQL written out: SQLAlchemy's own statements have a parameter a value, which takes longer than the query.


@dataclass(frozen=True, slots=True)
class NewRecords:
    """The rows of the signatures of new articles.

    `shared` has, for each new article, the articles whose sketches share at least `MIN_SHARED` values with its own, and
    how many. They were stored before or come earlier among the new ones.
    """

    shared: Mapping[int, Counter[int]]
    bands: Sequence[tuple[int, int]]
    signatures: Sequence[Values]

    @classmethod
    def of(
        cls,
        signed: Mapping[int, Signature],
        places: Mapping[int, StoryPlace],
        articles_of: defaultdict[int, list[int]],
    ) -> NewRecords:
        """Compares the signatures with the stored articles of each value (`find`), and adds the new ones to these."""
        shared: dict[int, Counter[int]] = {}
        bands: list[tuple[int, int]] = []
        for number, signature in signed.items():
            near: list[int] = []
            for value in signature.sketch:
                others = articles_of[value]
                near += others
                if len(others) < MAX_ARTICLES:
                    others.append(number)
                    bands.append((value, number))
            if near:  # most texts share no value with another
                counts = Counter(near)
                del counts[number]
                shared[number] = enough(counts)
            else:
                shared[number] = Counter()
        rows = [
            {
                "article_id": number,
                "algorithm": signature.algorithm,
                "shingles": signature.shingles,
                "sketch": encode_sketch(signature.sketch),
                "first_seen": places[number].first_seen,
                "content_hash": places[number].content_hash,
            }
            for number, signature in signed.items()
        ]
        return cls(shared, sorted(bands), rows)  # in key order, so that neighbouring rows are written together

    def write(self, connection: Connection) -> None:
        """Stores the rows."""
        add(connection, self.bands)
        upsert(connection, signatures, ["article_id"], self.signatures)


def values_of(signed: Mapping[int, Signature]) -> set[int]:
    """Returns the values of the sketches."""
    return {value for signature in signed.values() for value in signature.sketch}


def candidates_of_stored(connection: Connection, article_ids: Iterable[int]) -> dict[int, Counter[int]]:
    """Returns the same counts as `record`, for articles whose signatures are stored."""
    sketches = sketches_of(connection, article_ids)
    values = {value for sketch in sketches.values() for value in sketch}
    return counted(sketches, find(connection, values) if values else {})


def sketches_of(connection: Connection, article_ids: Iterable[int]) -> dict[int, list[int]]:
    """Returns the stored sketches of the articles, by id."""
    sketches: dict[int, list[int]] = {}
    for chunk in chunks(sorted(set(article_ids))):
        stored = select(signatures.c.article_id, signatures.c.sketch).where(signatures.c.article_id.in_(chunk))
        sketches.update((number, decode_sketch(sketch)) for number, sketch in connection.execute(stored))
    return sketches


def counted(sketches: Mapping[int, Sequence[int]], articles_of: Mapping[int, Sequence[int]]) -> dict[int, Counter[int]]:
    """Returns for each sketch the other articles that share values with it. `articles_of` are the articles of each
    value (`find`)."""
    return {
        number: enough(Counter(other for value in sketch for other in articles_of.get(value, ()) if other != number))
        for number, sketch in sketches.items()
    }


def enough(counts: Counter[int]) -> Counter[int]:
    """Returns the counts that are high enough for a comparison of the texts."""
    return Counter({other: count for other, count in counts.items() if count >= MIN_SHARED})


def find(connection: Connection, values: Iterable[int]) -> defaultdict[int, list[int]]:
    """Returns the ids of the articles that have each of the values, in ascending order."""
    articles_of: defaultdict[int, list[int]] = defaultdict(list)
    wanted = sorted(values)
    if not wanted:
        return articles_of
    given = _array(wanted) if connection.dialect.name == "postgresql" else wanted
    rows = read_rows(connection, _SQLITE_FIND, _POSTGRESQL_FIND, {"wanted": given, "most": MAX_ARTICLES})
    for value, article_id in sorted(rows):
        articles_of[value].append(article_id)
    return articles_of


def forget(connection: Connection, article_ids: Iterable[int]) -> set[int]:
    """Removes the signatures of the articles and their values in the index.

    Returns the values that had `MAX_ARTICLES` articles, so that other articles were left out (`refill`).
    """
    full: set[int] = set()
    for chunk in chunks(sorted(set(article_ids))):
        stored = select(signatures.c.article_id, signatures.c.sketch).where(signatures.c.article_id.in_(chunk))
        sketches = {article_id: decode_sketch(sketch) for article_id, sketch in connection.execute(stored)}
        articles_of = find(connection, {value for sketch in sketches.values() for value in sketch})
        full.update(value for value, articles in articles_of.items() if len(articles) >= MAX_ARTICLES)
        for article_id, sketch in sketches.items():
            mine = signature_bands.c.value.in_(sketch)
            connection.execute(delete(signature_bands).where(mine, signature_bands.c.article_id == article_id))
        connection.execute(delete(signatures).where(signatures.c.article_id.in_(chunk)))
    return full


def refill(connection: Connection, values: Collection[int], article_ids: Iterable[int]) -> None:
    """Stores the values, up to `MAX_ARTICLES` articles each, for articles whose sketches have them, first seen first.

    Without this, the copies of a text would not find each other once the first hundred of them are gone.
    """
    if not values:
        return
    wanted: list[tuple[datetime, int, list[int]]] = []
    for chunk in chunks(sorted(set(article_ids))):
        columns = (signatures.c.first_seen, signatures.c.article_id, signatures.c.sketch)
        for first_seen, article_id, sketch in connection.execute(
            select(*columns).where(signatures.c.article_id.in_(chunk), signatures.c.first_seen.is_not(None))
        ):
            shared = [value for value in decode_sketch(sketch) if value in values]
            if shared:
                wanted.append((first_seen, article_id, shared))
    articles_of = (
        find(connection, {value for _, _, shared in wanted for value in shared}) if wanted else defaultdict(list)
    )
    rows: list[tuple[int, int]] = []
    for _, article_id, shared in sorted(wanted):
        for value in shared:
            if len(articles_of[value]) < MAX_ARTICLES and article_id not in articles_of[value]:
                articles_of[value].append(article_id)
                rows.append((value, article_id))
    add(connection, sorted(rows))


def encode_sketch(sketch: Sequence[int]) -> bytes:
    """Returns the sketch in its stored form: eight bytes a value, big-endian."""
    return struct.pack(f">{len(sketch)}Q", *sketch)


def decode_sketch(sketch: bytes) -> list[int]:
    """Returns the values of a sketch in its stored form."""
    return list(struct.unpack(f">{len(sketch) // 8}Q", sketch))


def _array(numbers: Iterable[int]) -> str:
    """Returns the numbers as PostgreSQL writes an array. The driver takes ten times as long."""
    return f"{{{','.join(map(str, numbers))}}}"


def add(connection: Connection, rows: Sequence[tuple[int, int]]) -> None:
    """Stores pairs of a value and an article id in the index."""
    if not rows:
        return
    if connection.dialect.name == "postgresql":
        values, article_ids = map(list, zip(*rows, strict=True))
        connection.exec_driver_sql(_POSTGRESQL_ADD, {"values": _array(values), "article_ids": _array(article_ids)})
    else:
        connection.exec_driver_sql(_SQLITE_ADD, list(rows))
