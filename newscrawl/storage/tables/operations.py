"""The tables of what happened: events, runs, ingests, and what the watchdog keeps."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, Table, false

from newscrawl.storage.engine.types import CleanJson, CleanText, Code, UtcDateTime
from newscrawl.storage.tables.columns import (
    NAME_LIMIT,
    SAMPLE_LIMIT,
    condition_on,
    id_column,
    key_type,
    line_type,
    metadata,
    name_type,
    url_type,
)

IS_DEAD_LETTER: Final = "kind = 'stored/dead_letter'"
"""The condition of the index of dead letters. A query has it as text, because SQLite compares no parameters with the
condition of an index."""

events = Table(
    "events",
    metadata,
    id_column(),
    Column("url_key", key_type(), nullable=False),
    Column("url", url_type(), nullable=False),
    Column("site", name_type(), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("kind", name_type(), nullable=False),
    Column("reason", line_type(), nullable=False),
    Column("status", Integer),
    Column("payload", CleanJson(20_000)),
    Index(None, "url_key", "id"),
    Index("ix_events_dead_letters", "site", **condition_on(IS_DEAD_LETTER)),
    sqlite_autoincrement=True,  # "newest" is decided by the id
)
"""A dead letter has in `payload` the item that the database refused, without its body. Its `url_key` is empty where the
item has no valid address."""

runs = Table(
    "runs",
    metadata,
    id_column(),
    Column("site", name_type(), nullable=False),
    Column("started", UtcDateTime, nullable=False),
    Column("finished", UtcDateTime),
    Column("counters", CleanJson(NAME_LIMIT)),
    Column("owner", name_type()),
    Index(None, "site", "started"),
)

ingests = Table(
    "ingests",
    metadata,
    Column("input_key", Code(64), primary_key=True),
    Column("span_start", BigInteger, primary_key=True, autoincrement=False),
    Column("member_offset", BigInteger, nullable=False),
    Column("record_number", BigInteger, nullable=False),
    Column("updated", UtcDateTime, nullable=False),
    Column("broken", Integer, nullable=False, server_default="0"),
    Column("file_mtime_ns", BigInteger),
)
"""The progress of each span of an ingested file (newscrawl.storage.captures.ingests)."""

page_samples = Table(
    "page_samples",
    metadata,
    id_column(),
    Column("site", Code(NAME_LIMIT), nullable=False),
    Column("sample", CleanText(SAMPLE_LIMIT), nullable=False),
)
"""Results of pages since the last check of the watchdog, which removes them (newscrawl.storage.monitoring.samples).
`sample` is JSON (newscrawl.monitoring.codec)."""

IS_VOLUME: Final = "kind = 'volume'"
"""The condition of the index of volume baselines, by which the watchdog finds the sites that it has to check."""

site_models = Table(
    "site_models",
    metadata,
    Column("site", Code(NAME_LIMIT), primary_key=True),
    Column("kind", Code(16), primary_key=True),
    Column("epoch", Integer, primary_key=True, autoincrement=False),
    Column("stories", Integer),
    Column("body", LargeBinary, nullable=False),
    Column("learned_at", UtcDateTime, nullable=False),
    Index("ix_site_models_volume", "learned_at", **condition_on(IS_VOLUME)),
)
"""What was learned of each site (newscrawl.storage.monitoring.site_models): its baselines, of the kinds `volume` and
`extraction`, as JSON (newscrawl.monitoring.codec), with the site "*" for all together; and the epochs of its
`boilerplate` (newscrawl.site_boilerplate.epoch), each with the number of stories that it was learned from. `body` is
empty for a baseline that is to be learned again."""

alarms = Table(
    "alarms",
    metadata,
    id_column(),
    Column("site", Code(NAME_LIMIT), nullable=False),
    Column("kind", Code(16), nullable=False),
    Column("severity", Code(16), nullable=False),
    Column("since", UtcDateTime, nullable=False),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("closed_at", UtcDateTime),
    Column("message", line_type(), nullable=False),
    Column("details", CleanJson(NAME_LIMIT)),
    Column("open_notified", Boolean, nullable=False, server_default=false()),
    Column("close_notified", Boolean, nullable=False, server_default=false()),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("notify_at", UtcDateTime),
    Column("accepted_by", CleanJson(NAME_LIMIT)),
    Index("uq_alarms_open", "site", "kind", unique=True, **condition_on("closed_at IS NULL")),
    Index("ix_alarms_notify_at", "notify_at", **condition_on("notify_at IS NOT NULL")),
    sqlite_autoincrement=True,
)
"""An alarm is opened once and closed once. `notify_at` is when its receivers are notified next; `accepted_by` names
those that have the event already, while others do not."""
