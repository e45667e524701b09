"""Tables, columns and stored codes under the names that crawler engineers use.

Tables, columns and indexes are renamed in place. Rows are rewritten only where they hold a code that has another name
now; finding those takes one pass over `events`, `pages`, `captures` and `runs`. PostgreSQL renames indexes, constraints
and sequences. SQLite cannot: the indexes are built again there, and `review_queue`, which is small, for its constraint.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

_TABLES = {
    "quarantine": "dead_letters",
    "held": "review_queue",
    "patterns": "url_patterns",
    "touched_texts": "pending_texts",
    "touched_fronts": "pending_first_pages",
    "story_fronts": "story_first_pages",
    "refused_ties": "rejected_members",
    "declarations": "declared_sites",
    "blocked": "blocklist",
}

_COLUMNS = {
    "review_queue": {"use": "usage_rights"},
    "url_patterns": {"fruitless": "visits_without_article", "seen": "last_visit", "tried": "last_probe"},
    "text_link_counts": {"more": "further_containers"},
    "sources": {
        "lies": "validator_mismatches",
        "memory": "arrival_state",
        "rate": "arrival_rate",
        "trust": "announcement_trust",
    },
    "sites": {"over_budget": "over_budget_count"},
    "site_days": {"asked": "new_pages_requested", "articles": "new_articles", "bound": "limit_reached"},
    "pages": {"claimed_key": "claimed_canonical_key"},
    "captures": {"asked": "requested_url"},
    "ingests": {
        "origin": "span_start",
        "reached": "member_offset",
        "number": "record_number",
        "changed": "file_mtime_ns",
    },
    "alarms": {"told_opened": "open_notified", "told_closed": "close_notified", "tell_at": "notify_at"},
}


class _Index(NamedTuple):
    """An index whose name has a part that is renamed: its old and new name, its table and columns of today."""

    old: str
    new: str
    table: str
    columns: tuple[str, ...]
    where: str | None = None


_INDEXES = (
    _Index("ix_quarantine_site", "ix_dead_letters_site", "dead_letters", ("site",)),
    _Index("ix_held_site_at", "ix_review_queue_site_at", "review_queue", ("site", "at")),
    _Index("ix_held_final_key", "ix_review_queue_final_key", "review_queue", ("final_key",)),
    _Index("ix_touched_texts_first_seen", "ix_pending_texts_first_seen", "pending_texts", ("first_seen",)),
    _Index(
        "ix_refused_ties_representative_id",
        "ix_rejected_members_representative_id",
        "rejected_members",
        ("representative_id",),
    ),
    _Index("ix_alarms_tell_at", "ix_alarms_notify_at", "alarms", ("notify_at",), "notify_at IS NOT NULL"),
)

_CODES = (
    ("events", "kind", "stored/quarantined", "stored/dead_letter"),
    ("events", "kind", "stored/held", "stored/held_for_review"),
    ("pages", "failure_kind", "stored/quarantined", "stored/dead_letter"),
    ("pages", "failure_kind", "held/broken", "review/looks_broken"),
    ("captures", "failure", "held/broken", "review/looks_broken"),
)
"""Table, column, code until 0016, code from 0017."""

_COUNTERS = (
    ('"outcome/quarantined"', '"outcome/dead_letter"'),
    ('"outcome/held"', '"outcome/held_for_review"'),
    ('"hold/held"', '"review/queued"'),
    ('"hold/', '"review/'),
)
"""Names in the JSON of `runs.counters`, and how they are found in its text. No value is a text."""

_MESSAGE = ("`newscrawl held` shows what is held back", "`newscrawl review list` shows what is held for review")
"""What an alarm of broken extraction says to do."""


def upgrade() -> None:
    is_postgresql = op.get_bind().dialect.name == "postgresql"
    for old, new in _TABLES.items():
        op.rename_table(old, new)
        if is_postgresql:
            _rename_parts(old, new)
    for table, names in _COLUMNS.items():
        for old, new in names.items():
            op.execute(f'ALTER TABLE {table} RENAME COLUMN "{old}" TO "{new}"')
    if not is_postgresql:
        _rebuild_review_queue()
    for index in _INDEXES:
        _rename_index(index, is_postgresql=is_postgresql)
    _rename_codes()
    _rename_counters(is_postgresql=is_postgresql)
    _rename_in_messages()


def _rename_parts(old: str, new: str) -> None:
    """PostgreSQL's constraints and sequences of the table, which keep the names that they were made with."""
    connection = op.get_bind()
    constraints = sa.text(
        "SELECT conname FROM pg_constraint WHERE conrelid = CAST(:table AS regclass) ORDER BY conname"
    )
    for name in connection.execute(constraints, {"table": new}).scalars().all():
        renamed = re.sub(rf"(^|_){old}(?=_|$)", rf"\g<1>{new}", name, count=1)
        if renamed != name:
            op.execute(f'ALTER TABLE {new} RENAME CONSTRAINT "{name}" TO "{renamed}"')
    op.execute(f"ALTER SEQUENCE IF EXISTS {old}_id_seq RENAME TO {new}_id_seq")


def _rebuild_review_queue() -> None:
    """SQLite's table with its unique constraint under the new name; a number given out once still never comes again."""
    given = op.get_bind().execute(sa.text("SELECT seq FROM sqlite_sequence WHERE name = 'review_queue'")).scalar()
    kwargs = {"sqlite_autoincrement": True}
    with op.batch_alter_table("review_queue", recreate="always", table_kwargs=kwargs) as table:
        table.drop_constraint("uq_held_url_key", type_="unique")
        table.create_unique_constraint("uq_review_queue_url_key", ["url_key"])
    op.execute("DELETE FROM sqlite_sequence WHERE name = 'review_queue'")
    if given is not None:
        sequence = sa.table("sqlite_sequence", sa.column("name"), sa.column("seq"))
        op.execute(sequence.insert().values(name="review_queue", seq=given))


def _rename_index(index: _Index, *, is_postgresql: bool) -> None:
    if is_postgresql:
        op.execute(f"ALTER INDEX {index.old} RENAME TO {index.new}")
        return
    op.drop_index(index.old, index.table)
    where = sa.text(index.where) if index.where else None
    op.create_index(index.new, index.table, list(index.columns), sqlite_where=where)


def _rename_codes() -> None:
    for table, column, old, new in _CODES:
        rows = sa.table(table, sa.column(column, sa.String()))
        op.execute(sa.update(rows).where(rows.c[column] == old).values({column: new}))


def _rename_counters(*, is_postgresql: bool) -> None:
    text = renamed = "CAST(counters AS TEXT)"
    for old, new in _COUNTERS:
        renamed = f"replace({renamed}, '{old}', '{new}')"
    value = f"CAST({renamed} AS JSON)" if is_postgresql else renamed
    holds_any = " OR ".join(f"{text} LIKE '%{old}%'" for old, _ in _COUNTERS)
    op.execute(f"UPDATE runs SET counters = {value} WHERE {holds_any}")  # noqa: S608  names of our own


def _rename_in_messages() -> None:
    alarms = sa.table("alarms", sa.column("message", sa.String()))
    old, new = _MESSAGE
    replaced = sa.func.replace(alarms.c.message, old, new)
    op.execute(sa.update(alarms).where(alarms.c.message.contains(old)).values(message=replaced))
