"""Stored codes, counters and problems under plain names; the newest visit of each site; the day of each failure.

Rows are rewritten only where they hold a word that has another name now. Finding those takes one pass over `runs`,
`events`, `alarms` and those `versions` whose text is from another extractor than the first of the chain. `downgrade`
puts the former words back.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"

_CODES: Final = {
    "politeness/budget_spent": "politeness/daily_budget_reached",
    "politeness/new_pages_spent": "politeness/new_page_limit_reached",
    "watchdog/coverage_looks": "watchdog/coverage_checks",
    "discovery/sources_asked": "discovery/sources_requested",
}
"""Reason codes and counters: the name until 0030 -> the name from 0031."""
_OF_REASONS: Final = (("events", "kind"), ("sources", "failure_kind"))
"""Columns with reason codes. Codes of requests that were not sent are in no other."""
_PROBLEM: Final = ("text not believed", "suspect text")
"""What an alarm of broken extraction says of suspect pages, in its message and its details."""
_TRACE: Final = ('"not believed: ', '"not credible: ')
"""Begins a reason in the trace of a version, as JSON."""

_VISITS: Final = """
INSERT INTO site_totals (site, counted, value, number)
SELECT site, 'last_visit', '', {hour} FROM pages WHERE last_fetched IS NOT NULL GROUP BY site
"""
_HOURS: Final = {
    "sqlite": "CAST(strftime('%s', max(last_fetched)) AS INTEGER) / 3600",
    "postgresql": "CAST(floor(extract(epoch FROM max(last_fetched)) / 3600) AS INTEGER)",
}
"""The hours from 1970 to the newest visit."""
_DAYS: Final = {"sqlite": "date(hour)", "postgresql": "(hour AT TIME ZONE 'UTC')::date"}

SITE_FAILURES: Final = """
CREATE VIEW site_failures AS
SELECT site, {day} AS day, kind, CASE
    WHEN kind IN ('http/404', 'http/410') THEN 'gone'
    WHEN kind = 'robots/forbidden' THEN 'refused'
    WHEN kind LIKE 'verdict/%' THEN 'no article'
    WHEN kind LIKE 'review/%' THEN 'in review'
    ELSE 'failure' END AS counted_as, sum(number) AS number
FROM site_hour_failures GROUP BY site, {day}, kind
"""


def upgrade() -> None:
    _rename(_CODES, _PROBLEM, _TRACE)
    dialect = op.get_bind().dialect.name
    op.execute(_VISITS.format(hour=_HOURS[dialect]))
    with _without_view("day"):
        op.add_column("site_hour_failures", sa.Column("day", sa.Date()))
        op.execute(f"UPDATE site_hour_failures SET day = {_DAYS[dialect]}")  # noqa: S608  constants of this module
        with op.batch_alter_table("site_hour_failures") as table:
            table.alter_column("day", existing_type=sa.Date(), nullable=False)
    columns = ["day", "site", "kind", "number"]
    op.create_index("ix_site_hour_failures_day_site_kind_number", "site_hour_failures", columns)


def downgrade() -> None:
    op.drop_index("ix_site_hour_failures_day_site_kind_number", "site_hour_failures")
    with _without_view(_DAYS[op.get_bind().dialect.name]), op.batch_alter_table("site_hour_failures") as table:
        table.drop_column("day")
    op.execute("DELETE FROM site_totals WHERE counted = 'last_visit'")
    codes = {new: old for old, new in _CODES.items()}
    _rename(codes, _PROBLEM[::-1], _TRACE[::-1])


@contextmanager
def _without_view(day: str) -> Iterator[None]:
    """Replaces the view `site_failures` by one with this expression of the day, while its table changes. PostgreSQL
    keeps the rights on a view only if the view stays."""
    view = SITE_FAILURES.format(day=day)
    if op.get_bind().dialect.name == "postgresql":
        replaced = view.replace("CREATE VIEW", "CREATE OR REPLACE VIEW", 1)
        if day != "day":  # the view may not need the column that is dropped
            op.execute(replaced)
        yield
        if day == "day":
            op.execute(replaced)
        return
    op.execute("DROP VIEW site_failures")
    yield
    op.execute(view)


def _rename(codes: Mapping[str, str], problem: tuple[str, ...], trace: tuple[str, ...]) -> None:
    for table, column in _OF_REASONS:
        rows = sa.table(table, sa.column(column, sa.String()))
        for old, new in codes.items():
            op.execute(sa.update(rows).where(rows.c[column] == old).values({column: new}))
    _replace_in_json("runs", "counters", {f'"{old}"': f'"{new}"' for old, new in codes.items()})
    _replace_in_json("alarms", "details", {f'"{problem[0]}"': f'"{problem[1]}"'})
    alarms = sa.table("alarms", sa.column("message", sa.String()))
    replaced = sa.func.replace(alarms.c.message, *problem)
    op.execute(sa.update(alarms).where(alarms.c.message.contains(problem[0])).values(message=replaced))
    _replace_in_json("versions", "trace", {trace[0]: trace[1]}, "fallback AND ")


def _replace_in_json(table: str, column: str, words: Mapping[str, str], only: str = "") -> None:
    """Replaces words in the text of a JSON column."""
    text = renamed = f"CAST({column} AS TEXT)"
    for old, new in words.items():
        renamed = f"replace({renamed}, '{old}', '{new}')"
    value = f"CAST({renamed} AS JSON)" if op.get_bind().dialect.name == "postgresql" else renamed
    has_any = " OR ".join(f"{text} LIKE '%{old}%'" for old in words)
    statement = f"UPDATE {table} SET {column} = {value} WHERE {only}({has_any})"  # noqa: S608  names of our own
    op.execute(sa.text(statement.replace(":", "\\:")))
