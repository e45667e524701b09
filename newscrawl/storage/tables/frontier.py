"""The tables of the frontier: sources and what they name, sites with their leases, URL patterns, hosts, and the numbers
of each site by hour."""

from __future__ import annotations

from typing import Final

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
    Table,
    UniqueConstraint,
    false,
)

from newscrawl.storage.engine.types import (
    KEY,
    LINE,
    NAME,
    NAME_LIMIT,
    PATTERN_LIMIT,
    URL,
    CleanJson,
    CleanText,
    Code,
    PartialIndex,
    UtcDateTime,
    id_column,
    metadata,
)

DECIDED: Final = "paused OR priority IS NOT NULL OR daily_requests IS NOT NULL"
"""The sites about which a command decided something: few rows, in an index of their own."""
VALUE_LIMIT: Final = 2_000
"""Characters of an expression, and of a setting's value."""

sources = Table(
    "sources",
    metadata,
    id_column(),
    Column("site", NAME, nullable=False),
    Column("url_key", KEY, nullable=False),
    Column("url", URL, nullable=False),
    Column("kind", Code(16), nullable=False),
    Column("etag", LINE),
    Column("last_modified", NAME),
    Column("watermark", UtcDateTime),
    Column("interval", Float),
    Column("next_due", UtcDateTime),
    Column("last_fetched", UtcDateTime),
    Column("last_status", Integer),
    Column("failures", Integer, nullable=False),
    Column("failure_kind", NAME),
    Column("answers", Integer, nullable=False),
    Column("named", Integer, nullable=False),
    Column("new", Integer, nullable=False),
    Column("unusable", Integer, nullable=False),
    Column("parent", URL),
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
    Column("moved_to", URL),
    Column("moved_times", Integer, nullable=False, server_default="0"),
    Column("moved_since", UtcDateTime),
    UniqueConstraint("site", "url_key"),
    Index(None, "next_due"),
)

sightings = Table(
    "sightings",
    metadata,
    Column("url_key", KEY, primary_key=True),
    Column("source_id", ForeignKey("sources.id", ondelete="CASCADE"), primary_key=True, index=True),
    # What the source said last, by which an announced edit is recognized.
    Column("title", LINE),
    Column("date", UtcDateTime),
    Column("listed", Boolean, nullable=False, server_default=false()),
    # Of the latest visit that was brought forward.
    Column("announced", UtcDateTime),
    Column("signal", Code(16)),
    PartialIndex("ix_sightings_listed", "source_id", condition="listed"),
)
"""Which feeds and sitemaps named an address (newscrawl.storage.frontier.sightings)."""

sites = Table(
    "sites",
    metadata,
    Column("site", Code(NAME_LIMIT), primary_key=True),
    # The lease.
    Column("owner", NAME),
    Column("token", BigInteger, nullable=False, server_default="0"),
    Column("expires", UtcDateTime),
    # Its crawls.
    Column("last_started", UtcDateTime),
    Column("last_finished", UtcDateTime),
    Column("day", Date),
    Column("requests_today", Integer, nullable=False, server_default="0"),
    Column("over_budget_count", Integer, nullable=False, server_default="0"),
    Column("coverage_due", UtcDateTime),
    Column("newest_article", UtcDateTime),
    # Decided with commands.
    Column("paused", Boolean, nullable=False, server_default=false()),
    Column("paused_until", UtcDateTime),
    Column("priority", Float),
    Column("daily_requests", Code(20)),
    Column("changed", UtcDateTime),
    # Declared by the site's file.
    Column("home", URL),
    Column("language", Code(40)),
    Column("country", Code(40)),
    Column("patterns", CleanJson(VALUE_LIMIT)),
    Column("settings", CleanJson(VALUE_LIMIT)),
    Column("noted", UtcDateTime),
    Column("republishes", Boolean),
    Column("reextracted", CleanJson(NAME_LIMIT)),
    Column("installation", Code(36)),
    PartialIndex("ix_sites_owned", "site", condition="owner IS NOT NULL"),
    PartialIndex("ix_sites_decided", "site", condition=DECIDED),
)
"""One row for each site (newscrawl.storage.frontier.sites), one for each other name that has had a lease
(newscrawl.storage.frontier.leases), and one under "*" with the identity of the installation, a UUID. No row is deleted,
because the token of a lease must grow. A row is narrow, because it is written every few seconds; the index of leases is
not by `expires`, which every renewal changes. `reextracted` maps a machine to the epoch and the time (ISO 8601) of its
last extraction (newscrawl.storage.captures.reextractions)."""

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
whose latest first visits had the same verdict `kind` (newscrawl.crawling.scheduling.rejected_patterns)."""

hosts = Table(
    "hosts",
    metadata,
    Column("key", Code(NAME_LIMIT * 2), primary_key=True),
    Column("owner", NAME),
    Column("busy_until", Float),
    Column("wanted_until", Float),
    Column("next_at", Float),
    Column("delay", Float),
    Column("backoff", Float),
    Column("failures", Integer, nullable=False),
    Column("crawl_delay", Float),
    Column("latency", Float),
    Column("day", Date),
    Column("requests_today", Integer, nullable=False),
    Column("robots_body", LargeBinary),
    Column("robots_status", Integer),
    Column("robots_fetched_at", UtcDateTime),
    Column("robots_reading", Code(16)),
    Column("robots_expires_at", UtcDateTime),
    Column("robots_failures", Integer, nullable=False, server_default="0"),
    Column("robots_reason", LINE),
    Column("robots_good_at", UtcDateTime),
)
"""Two kinds of rows: of domains and addresses (newscrawl.storage.frontier.hosts), and of the robots.txt of each
authority."""

REQUESTED: Final = "new_pages_requested"
ARTICLES: Final = "new_articles"
LIMIT: Final = "limit_reached"
BROUGHT: Final = "brought_forward"
"""The kind of the number of visits that were brought forward because a source announced edits."""
OF_DAYS: Final = (REQUESTED, ARTICLES, LIMIT)
"""The kinds by which the limit of new addresses a day is made. The row of `LIMIT` has the day's first hour and the
limit itself."""

site_hours = Table(
    "site_hours",
    metadata,
    Column("site", CleanText(NAME_LIMIT * 2), primary_key=True),
    Column("hour", UtcDateTime, primary_key=True),
    Column("kind", NAME, primary_key=True),
    Column("number", Integer, nullable=False),
    # The latest hours of all sites, which most readers want, and the oldest, which the upkeep removes.
    Index(None, "hour", "site", "kind", "number"),
    sqlite_with_rowid=False,  # the key is nearly the whole row
)
"""The numbers of a site's crawls in an hour (newscrawl.storage.monitoring.hours). `kind` is one of `NUMBERS` there,
one of `OF_DAYS`, `BROUGHT`, or a reason code, which has a slash."""
