"""The tables. docs/reference/tables.md explains each column.

Batches of crawls and their other frequent transactions are written beside each other (engine.transactions.begin_batch),
all other transactions one after the other (engine.transactions.begin_write). Every rule that must always hold is a
unique key as well: one URL row and one page for each URL key, one article for each identity, one version for each page
and article.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    UniqueConstraint,
    false,
    text,
)

from newscrawl.storage.engine.types import CleanJson, CleanText, Code, UtcDateTime

URL_LIMIT: Final = 4_096
"""Characters of a URL; nearly twice the limit of newscrawl.identity."""
NAME_LIMIT: Final = 200
PATTERN_LIMIT: Final = 400
"""Characters of a URL pattern. newscrawl.identity.patterns makes none longer."""
LINE_LIMIT: Final = 2_000
"""Characters of a title, a reason, a description: a line or a short paragraph."""
SAMPLE_LIMIT: Final = 2_000
ENTRY_LIMIT: Final = 20_000
"""Characters of the text of an entry of a live report."""
BASELINE_LIMIT: Final = 100_000
"""Characters of a baseline. It is never reached, because newscrawl.monitoring limits its size; a document that was cut
would count as damaged."""
TEXT_LIMIT: Final = 2_000_000
"""Characters of a text. No news article is this long (War and Peace has 3.2 million characters): a longer text is an
error or an attack."""

Id = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _key() -> Code:
    return Code(URL_LIMIT)


def _line() -> CleanText:
    return CleanText(LINE_LIMIT)


def _name() -> CleanText:
    return CleanText(NAME_LIMIT)


def _url() -> CleanText:
    return CleanText(URL_LIMIT)


def _where(condition: str) -> dict[str, Any]:
    """The condition of a partial index, on both databases."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


def _id_column() -> Column[Any]:
    return Column("id", Id, primary_key=True, autoincrement=True)


articles = Table(
    "articles",
    metadata,
    _id_column(),
    Column("identity_key", Code(64), nullable=False, unique=True),
    Column("content_hash", Code(64), nullable=False, index=True),
    Column("text", CleanText(TEXT_LIMIT), nullable=False),
    Column("language", _name()),
    Column("extractor", _name(), nullable=False),
    Column("first_seen", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,  # an article's id is never used again
)

pages = Table(
    "pages",
    metadata,
    _id_column(),
    Column("url_key", _key(), nullable=False, unique=True),
    Column("url", _url(), nullable=False),
    Column("site", _name(), nullable=False),
    Column("state", Code(16), nullable=False),
    Column("verdict", Code(16)),
    Column("first_seen", UtcDateTime, nullable=False),
    Column("last_fetched", UtcDateTime),
    Column("last_change", UtcDateTime),
    Column("next_due", UtcDateTime),
    Column("etag", _line()),
    Column("last_modified", _name()),
    Column("failures", Integer, nullable=False),
    Column("failure_kind", _name()),
    Column("last_status", Integer),
    Column("article_id", ForeignKey("articles.id"), index=True),
    Column("discovery_kind", Code(16)),
    Column("discovery_source", _url()),
    Column("discovery_title", _line()),
    Column("discovery_published", UtcDateTime),
    Column("visits", Integer, nullable=False, server_default="0"),
    Column("edits", Integer, nullable=False, server_default="0"),
    Column("noindex", Boolean),
    Column("noarchive", Boolean),
    Column("nosnippet", Boolean),
    Column("tdm_reservation", Boolean),
    Column("tdm_policy", _url()),
    Column("claimed_canonical_key", _key()),
    Index(None, "site", "state", "next_due"),
    # For each tick of the fleet: which sites have pages to fetch. Both indexes have only those few rows.
    Index("ix_pages_due", "next_due", "state", "site", **_where("next_due IS NOT NULL")),
    Index("ix_pages_found", "site", **_where("state = 'found'")),
    sqlite_autoincrement=True,
)

urls = Table(
    "urls",
    metadata,
    Column("url_key", _key(), primary_key=True),
    Column("url", _url(), nullable=False),
    Column("page_id", ForeignKey("pages.id"), nullable=False, index=True),
)

versions = Table(
    "versions",
    metadata,
    _id_column(),
    Column("page_id", ForeignKey("pages.id"), nullable=False),
    Column("article_id", ForeignKey("articles.id"), nullable=False, index=True),
    Column("seen_at", UtcDateTime, nullable=False),
    Column("last_seen", UtcDateTime, nullable=False),
    Column("change_class", Code(16), nullable=False),
    Column("new_entries", CleanJson(LINE_LIMIT)),
    Column("verdict", Code(16), nullable=False),
    Column("title", _line()),
    Column("authors", CleanJson(NAME_LIMIT)),
    Column("published", UtcDateTime),
    Column("published_source", _name()),
    Column("published_precision", Code(16)),
    Column("published_zone_stated", Boolean),
    Column("published_offset", Integer),
    Column("modified", UtcDateTime),
    Column("modified_source", _name()),
    Column("modified_precision", Code(16)),
    Column("modified_zone_stated", Boolean),
    Column("modified_offset", Integer),
    Column("language", _name()),
    Column("section", _line()),
    Column("tags", CleanJson(NAME_LIMIT)),
    Column("image", _url()),
    Column("canonical", _url()),
    Column("site_name", _line()),
    Column("description", _line()),
    Column("extractor", _name(), nullable=False),
    Column("fallback", Boolean, nullable=False, server_default=false()),
    Column("trace", CleanJson(LINE_LIMIT)),
    Column("problems", CleanJson(LINE_LIMIT)),
    Column("refused_dates", CleanJson(LINE_LIMIT)),
    Column("images", CleanJson(URL_LIMIT)),
    Column("videos", CleanJson(URL_LIMIT)),
    Column("audio", CleanJson(URL_LIMIT)),
    Column("live_entries", CleanJson(ENTRY_LIMIT)),
    Column("confidence", Float),
    Column("boilerplate_epoch", Integer),
    Column("left_out", CleanJson(NAME_LIMIT)),
    UniqueConstraint("page_id", "article_id"),
    Index(None, "seen_at"),  # a day of a site in the views
)

sources = Table(
    "sources",
    metadata,
    _id_column(),
    Column("site", _name(), nullable=False),
    Column("url_key", _key(), nullable=False),
    Column("url", _url(), nullable=False),
    Column("kind", Code(16), nullable=False),
    Column("etag", _line()),
    Column("last_modified", _name()),
    Column("watermark", UtcDateTime),
    Column("interval", Float),
    Column("next_due", UtcDateTime),
    Column("last_fetched", UtcDateTime),
    Column("last_status", Integer),
    Column("failures", Integer, nullable=False),
    Column("failure_kind", _name()),
    Column("answers", Integer, nullable=False),
    Column("named", Integer, nullable=False),
    Column("new", Integer, nullable=False),
    Column("unusable", Integer, nullable=False),
    Column("parent", _url()),
    Column("first_seen", UtcDateTime),
    Column("last_new", UtcDateTime),
    Column("last_full", UtcDateTime),
    Column("not_before", UtcDateTime),
    Column("failing_since", UtcDateTime),
    Column("retired_at", UtcDateTime),
    Column("content_hash", Code(64)),
    Column("validator_mismatches", Integer, nullable=False, server_default="0"),
    Column("arrival_rate", Float),
    Column("arrival_state", CleanJson(NAME_LIMIT)),
    Column("announcement_trust", CleanJson(NAME_LIMIT)),
    Column("moved_to", _url()),
    Column("moved_times", Integer, nullable=False, server_default="0"),
    Column("moved_since", UtcDateTime),
    UniqueConstraint("site", "url_key"),
    Index(None, "next_due"),
)

sightings = Table(
    "sightings",
    metadata,
    Column("url_key", _key(), primary_key=True),
    Column("source_id", ForeignKey("sources.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("at", UtcDateTime, nullable=False),
    Column("title", _line()),
    Column("published", UtcDateTime),
    # The columns below are those of the latest reading, by which an announced edit is recognized
    # (newscrawl.storage.frontier.announcements).
    Column("latest_title", _line()),
    Column("latest_date", UtcDateTime),
    Column("listed", Boolean, nullable=False, server_default=false()),
    Column("announced", UtcDateTime),
    Column("signal", Code(16)),
    Index("ix_sightings_listed", "source_id", **_where("listed")),
)

mentions = Table(
    "mentions",
    metadata,
    _id_column(),
    Column("site", _name(), nullable=False),
    Column("url_key", _key(), nullable=False),
    Column("url", _url(), nullable=False),
    Column("source", _url(), nullable=False),
    Column("title", _line()),
    Column("published", UtcDateTime),
    Column("first_seen", UtcDateTime, nullable=False),
    UniqueConstraint("site", "url_key"),
    sqlite_autoincrement=True,  # "newest" is decided by the id
)

leases = Table(
    "leases",
    metadata,
    Column("site", Code(NAME_LIMIT), primary_key=True),
    Column("owner", _name()),
    Column("token", BigInteger, nullable=False),
    Column("expires", UtcDateTime),
)

sites = Table(
    "sites",
    metadata,
    Column("site", Code(NAME_LIMIT), primary_key=True),
    Column("last_started", UtcDateTime),
    Column("last_finished", UtcDateTime),
    Column("day", Date),
    Column("requests_today", Integer, nullable=False),
    Column("over_budget_count", Integer, nullable=False),
    Column("coverage_due", UtcDateTime),
)

url_patterns = Table(
    "url_patterns",
    metadata,
    Column("site", Code(NAME_LIMIT), primary_key=True),
    Column("pattern", CleanText(PATTERN_LIMIT), primary_key=True),
    Column("visits_without_article", Integer, nullable=False),
    Column("last_visit", UtcDateTime, nullable=False),
    Column("given_up_at", UtcDateTime),
    Column("last_probe", Date),
    Column("kind", Code(64)),
)
"""URL patterns whose latest first visits found no new article (newscrawl.storage.frontier.patterns), and directories
whose latest first visits had the same verdict `kind` (newscrawl.scheduling.rejected_patterns)."""

site_days = Table(
    "site_days",
    metadata,
    Column("name", Code(NAME_LIMIT * 2), primary_key=True),
    Column("day", Date, primary_key=True),
    Column("new_pages_requested", Integer, nullable=False),
    Column("new_articles", Integer, nullable=False),
    Column("limit_reached", Integer),
    Index("ix_site_days_full", "day", **_where("limit_reached IS NOT NULL")),
)
"""Requests of each site and their results, by day (newscrawl.storage.frontier.site_days)."""

hosts = Table(
    "hosts",
    metadata,
    Column("key", Code(NAME_LIMIT * 2), primary_key=True),
    Column("last_request_at", UtcDateTime),
    Column("delay", Float),
    Column("not_before", UtcDateTime),
    Column("failures", Integer, nullable=False),
    Column("robots_body", LargeBinary),
    Column("robots_status", Integer),
    Column("robots_fetched_at", UtcDateTime),
    Column("day", Date),
    Column("requests_today", Integer, nullable=False),
    Column("crawl_delay", Float),
    Column("latency", Float),
    Column("robots_reading", Code(16)),
    Column("robots_expires_at", UtcDateTime),
    Column("robots_failures", Integer, nullable=False, server_default="0"),
    Column("robots_reason", _line()),
    Column("robots_good_at", UtcDateTime),
    Column("owner", _name()),
    Column("busy_until", UtcDateTime),
    Column("wanted_at", UtcDateTime),
)

events = Table(
    "events",
    metadata,
    _id_column(),
    Column("url_key", _key(), nullable=False),
    Column("url", _url(), nullable=False),
    Column("site", _name(), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("kind", _name(), nullable=False),
    Column("reason", _line(), nullable=False),
    Column("status", Integer),
    Index(None, "url_key", "id"),
    sqlite_autoincrement=True,  # "newest" is decided by the id
)

dead_letters = Table(
    "dead_letters",
    metadata,
    _id_column(),
    Column("url", _url(), nullable=False),
    Column("site", _name(), nullable=False, index=True),
    Column("at", UtcDateTime, nullable=False),
    Column("error", _line(), nullable=False),
    Column("payload", CleanJson(20_000)),
)

runs = Table(
    "runs",
    metadata,
    _id_column(),
    Column("site", _name(), nullable=False),
    Column("started", UtcDateTime, nullable=False),
    Column("finished", UtcDateTime),
    Column("counters", CleanJson(NAME_LIMIT)),
    Column("owner", _name()),
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
    Column("future", Integer, nullable=False, server_default="0"),
    Column("file_mtime_ns", BigInteger),
)
"""The progress of each span of an ingested file (newscrawl.storage.captures.ingests)."""

page_samples = Table(
    "page_samples",
    metadata,
    _id_column(),
    Column("site", Code(NAME_LIMIT), nullable=False),
    Column("sample", CleanText(SAMPLE_LIMIT), nullable=False),
)
"""Results of pages since the last check of the watchdog, which removes them (newscrawl.storage.monitoring.samples).
`sample` is JSON (newscrawl.monitoring.codec)."""

baselines = Table(
    "baselines",
    metadata,
    Column("site", Code(NAME_LIMIT), primary_key=True),
    Column("volume", CleanText(BASELINE_LIMIT)),
    Column("extraction", CleanText(BASELINE_LIMIT)),
    Column("next_check", UtcDateTime, nullable=False, index=True),
)
"""The baselines of each site, and under "*" those of all sites together, as JSON (newscrawl.monitoring.codec)."""

alarms = Table(
    "alarms",
    metadata,
    _id_column(),
    Column("site", Code(NAME_LIMIT), nullable=False),
    Column("kind", Code(16), nullable=False),
    Column("severity", Code(16), nullable=False),
    Column("since", UtcDateTime, nullable=False),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("closed_at", UtcDateTime),
    Column("message", _line(), nullable=False),
    Column("details", CleanJson(NAME_LIMIT)),
    Column("open_notified", Boolean, nullable=False, server_default=false()),
    Column("close_notified", Boolean, nullable=False, server_default=false()),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("notify_at", UtcDateTime),
    Column("accepted_by", CleanJson(NAME_LIMIT)),
    Index("uq_alarms_open", "site", "kind", unique=True, **_where("closed_at IS NULL")),
    Index("ix_alarms_notify_at", "notify_at", **_where("notify_at IS NOT NULL")),
    sqlite_autoincrement=True,
)
"""An alarm is opened once and closed once. `notify_at` is when its receivers are notified next; `accepted_by` names
those that have the event already, while others do not."""
