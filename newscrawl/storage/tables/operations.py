"""The tables of what happened: events, runs, ingests, what the watchdog keeps, the outbox, pages that wait for review,
and the processes that use the database."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Float, Index, Integer, LargeBinary, Table, UniqueConstraint

from newscrawl.storage.engine.types import (
    ENTRY_LIMIT,
    KEY,
    LINE,
    NAME,
    NAME_LIMIT,
    SAMPLE_LIMIT,
    TEXT_LIMIT,
    URL,
    URL_LIMIT,
    CleanJson,
    CleanText,
    Code,
    PartialIndex,
    UtcDateTime,
    id_column,
    metadata,
)

IS_DEAD_LETTER: Final = "kind = 'stored/dead_letter'"
"""The condition of the index of dead letters. A query has it as text, because SQLite compares no parameters with the
condition of an index."""

events = Table(
    "events",
    metadata,
    id_column(),
    Column("url_key", KEY, nullable=False),
    Column("url", URL, nullable=False),
    Column("site", NAME, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("kind", NAME, nullable=False),
    Column("reason", LINE, nullable=False),
    Column("status", Integer),
    Column("payload", CleanJson(20_000)),
    Index(None, "url_key", "id"),
    PartialIndex("ix_events_dead_letters", "site", condition=IS_DEAD_LETTER),
    sqlite_autoincrement=True,  # "newest" is decided by the id
)
"""A dead letter has in `payload` the item that the database refused, without its body. Its `url_key` is empty where the
item has no valid address."""

runs = Table(
    "runs",
    metadata,
    id_column(),
    Column("site", NAME, nullable=False),
    Column("started", UtcDateTime, nullable=False),
    Column("finished", UtcDateTime),
    Column("counters", CleanJson(NAME_LIMIT)),
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
`sample` is the JSON of a newscrawl.monitoring.samples.PageSample."""

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
    PartialIndex("ix_site_models_volume", "learned_at", condition=IS_VOLUME),
)
"""What was learned of each site (newscrawl.storage.monitoring.site_models): its baselines, of the kinds `volume` and
`extraction`, as JSON (newscrawl.monitoring.volume and .extraction), with the site "*" for all together; and the epochs
of its `boilerplate` (newscrawl.extraction.site_boilerplate.epoch), each with the number of stories that it was learned
from."""

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
    Column("message", LINE, nullable=False),
    Column("details", CleanJson(NAME_LIMIT)),
    PartialIndex("uq_alarms_open", "site", "kind", unique=True, condition="closed_at IS NULL"),
    sqlite_autoincrement=True,
)
"""An alarm is opened once and closed once."""

notices = Table(
    "notices",
    metadata,
    Column("stream", Code(16), primary_key=True),
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("subject", Code(NAME_LIMIT), nullable=False),
    Column("event", Code(16), nullable=False),
    Column("details", CleanJson(NAME_LIMIT), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Index(None, "stream", "subject", "id"),
)
"""The outbox of alarms and standing searches (newscrawl.storage.deliveries). It has no text of an article, so
`newscrawl forget` need not read it."""

PLACE_LIMIT: Final = URL_LIMIT + 16
"""Characters of a destination: an address with the kind before it."""

deliveries = Table(
    "deliveries",
    metadata,
    id_column(),
    Column("stream", Code(16), nullable=False),
    Column("subject", Code(NAME_LIMIT), nullable=False),
    Column("place", CleanText(PLACE_LIMIT), nullable=False),
    Column("digest_hours", Integer, nullable=False, server_default="0"),
    Column("sent_upto", BigInteger, nullable=False),
    Column("next_at", UtcDateTime, nullable=False, index=True),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("last_error", LINE),
    UniqueConstraint("stream", "subject", "place"),
)
"""One row for each destination: a place of a standing search, a receiver of all alarms."""

review_queue = Table(
    "review_queue",
    metadata,
    id_column(),
    Column("url_key", KEY, nullable=False, unique=True),
    Column("final_key", KEY, nullable=False, index=True),
    Column("url", URL, nullable=False),
    Column("site", NAME, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("status", Integer, nullable=False),
    Column("reasons", CleanJson(NAME_LIMIT)),
    Column("failure", NAME),
    Column("extractor", NAME),
    Column("title", LINE),
    Column("content_hash", Code(64)),
    Column("identity_key", Code(64)),
    Column("text", CleanText(TEXT_LIMIT)),
    Column("article", CleanJson(ENTRY_LIMIT)),
    Column("usage_rights", CleanJson(URL_LIMIT)),
    Column("confidence", Float),
    Index(None, "site", "at"),
    sqlite_autoincrement=True,
)
"""The newest reading of each page whose text is not credible (newscrawl.storage.monitoring.review_queue). It is not in
`articles`, so no reader of articles can show it. `url_key` is the key of the page, `final_key` that of the URL that
answered."""

MACHINE: Final = "machine"
"""The role of a row that stands for a machine."""

processes = Table(
    "processes",
    metadata,
    Column("process", Code(NAME_LIMIT), primary_key=True),
    Column("machine", Code(NAME_LIMIT), nullable=False),
    Column("role", Code(NAME_LIMIT), nullable=False),
    Column("version", Code(40), nullable=False),
    Column("revision", Code(40), nullable=False),
    Column("since", UtcDateTime, nullable=False),
    Column("last_seen", UtcDateTime, nullable=False),
    Column("removed_at", UtcDateTime),
    Column("removed_by", NAME),
)
"""The processes that crawl, and every machine on which one crawled. A process deletes its row when it ends; the row of
a killed one stays. The row of a machine has its name as `process` and the role MACHINE; it stays as well."""
