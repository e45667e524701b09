"""Ids for the new texts and pages of a batch, in the order of the batch.

On PostgreSQL the rows are inserted in the order of their keys, so that no two batches wait for each other. Their ids
are taken before. On SQLite, which has one writer, the rows are inserted in the order of the batch, with the ids after
the highest that was ever used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from newscrawl.storage.articles.deciding.known import Incoming
from newscrawl.storage.engine.pipeline import Answer, Sent
from newscrawl.storage.engine.row_mapping import Values

_TAKE: Final = """
SELECT {table!r}, key, nextval(pg_get_serial_sequence({table!r}, 'id')) FROM (
    SELECT key FROM unnest(%({table})s::text[]) WITH ORDINALITY AS wanted(key, place)
    WHERE NOT EXISTS (SELECT 1 FROM {known} = wanted.key) ORDER BY place OFFSET 0
) AS missing
"""  # the rows must be in order before they are numbered, hence the OFFSET
_TAKE_ALL: Final = " UNION ALL ".join(
    (
        _TAKE.format(table="articles", known="articles WHERE identity_key"),
        _TAKE.format(table="pages", known="urls WHERE url_key"),
    )
)
_HIGHEST: Final = " UNION ALL ".join(
    f"SELECT '{table}', '', max(coalesce((SELECT max(id) FROM {table}), 0),"  # noqa: S608  constants
    f" coalesce((SELECT seq FROM sqlite_sequence WHERE name = '{table}'), 0))"
    for table in ("articles", "pages")
)


def ask(sent: Sent, batch: Sequence[Incoming]) -> Answer:
    """Takes ids for the texts and pages that are not stored. On SQLite it asks for the highest ids."""
    articles = [item.page.article for item in batch]
    identities = [article.identity_key for article in articles if article is not None and article.identity_key]
    keys = [item.key for item in batch]
    given = {"articles": list(dict.fromkeys(identities)), "pages": list(dict.fromkeys(keys))}
    return sent.read(_HIGHEST, _TAKE_ALL, given if sent.raw is not None else {})


def taken(answer: Answer, table: str) -> dict[str, int]:
    """Returns the ids for new rows of a table, by key; on SQLite the highest id, by an empty key."""
    return {key: number for name, key, number in answer.rows if name == table}


def numbered(rows: Mapping[str, Values], ids: Mapping[str, int], *, is_on_server: bool) -> list[Values]:
    """Returns new rows, given by key, in the order in which they are inserted, with their ids. If there is no id for
    one on PostgreSQL, none gets one here."""
    if not is_on_server:
        return [{"id": number} | row for number, row in enumerate(rows.values(), ids[""] + 1)]
    ordered = [(key, rows[key]) for key in sorted(rows)]
    if rows.keys() <= ids.keys():
        return [{"id": ids[key]} | row for key, row in ordered]
    return [row for _, row in ordered]
