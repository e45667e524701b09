"""The keys of reports as JSON objects and columns, in their order: what programs that read newscrawl's output rely on.

A key may be added. None may be removed or change its meaning (docs/reference/change-feed.md). `jsonable.names` says how
a text names keys and where their values are. The keys of a page's record are texts, because its schema is made from
them too (newscrawl.web.schemas); a record without keys here has all its fields.
"""

from __future__ import annotations

from typing import Final

from newscrawl.model.identity.patterns import ALL
from newscrawl.model.jsonable import each, names, view

ARTICLE_KEYS: Final = names(
    "id url canonical site title authors published modified language text extractor content_hash first_seen pages",
    "verdict section tags image site_name description cluster copies truncated contained_in contained_in_more sites",
    "published_offset modified_offset images videos audio live_entries confidence",
)
"""An article in the change feed (reports.export.ExportedArticle)."""
EXPORT_KEYS: Final = (*ARTICLE_KEYS, *names("structure"))
"""The same in exports, and in the change feed `--with structure`."""

HISTORY_KEYS: Final = names(
    "url site state current",
    each(
        "versions",
        names(
            "article_id seen_at last_seen change_class verdict title authors published published_offset modified",
            "extractor text new_entries diff confidence",
        ),
    ),
    "overlaps first_page",
)
"""`newscrawl history --json` (reports.history.History)."""

VERSION_KEYS: Final = names(
    "article_id seen_at last_seen change_class verdict title authors published modified canonical extractor fallback",
    "trace problems metadata.refused_dates confidence",
)
"""A version in `newscrawl why --json` (reports.history.StoredVersion)."""

REVIEW_JSON: Final = names("url_key url site at reasons failure extractor title characters confidence")
REVIEW_SCREEN: Final = "id url site at reasons failure extractor title characters beginning capture confidence"
"""A page in review (reports.review.InReview) in `newscrawl review list --json` and `newscrawl why --json`; and in
`/review.json`."""

SOURCE_JSON: Final = names(
    "site url kind failures failure_kind failing_since last_status last_fetched next_due not_before watermark etag"
    " last_modified answers named new unusable host_failures host_rests_until"
)
SOURCE_SCREEN: Final = (
    "url kind interval next_due last_fetched last_status last_new named new failures failure_kind failing_since"
    " retired_at moved_to"
)
"""A source (reports.sources.Source) in `newscrawl status --json` and `newscrawl why --json`; and in `/site.json`."""

LEASE_SCREEN: Final = "site owner expires"
RESTING_SCREEN: Final = "key since=last_request_at not_before=resting_until failures backoff"
HOST_SCREEN: Final = "key last_request_at backoff crawl_delay latency not_before failures requests_today robots"
CRAWL_SCREEN: Final = "started finished"
"""A lease and a resting host in `/queue.json`; a host and the last crawl of a site in `/site.json`."""

_COUNTED: Final = "found fetched not_modified stored duplicates new_versions in_review failed gone refused no_article"
DAY_JSON: Final = names(f"{_COUNTED} failures=codes")
STATUS_JSON: Final = names(
    "totals.site totals.pages totals.articles totals.duplicates totals.pending totals.failed totals.gone"
    " totals.dead_letters totals.fallback_share totals.extractors totals.failures totals.last_run totals.in_review"
    " totals.refused totals.no_article now.newest_article newest_published",
    ("last_24_hours", lambda one: view(one.now.day, DAY_JSON)),
    "now.control watchdog_learns=learning boilerplate",
    each("failing_sources", SOURCE_JSON),
    "alarms",
    each("patterns_given_up", names("pattern since")),
    each("patterns_of_kinds", names(("pattern", lambda row: row.pattern.replace(ALL, "/*")), "kind visits share")),
    "new_pages_bound_reached=full.limit_reached crawled_by",
)
"""A site in `newscrawl status --json` (reports.status.SiteStatus)."""
_TOTALS: Final = "pages articles duplicates pending failed gone refused no_article in_review dead_letters"
STATUS_CSV: Final = names(
    "totals.site",
    *(f"totals.{name}" for name in _TOTALS.split()),
    *(f"{name}_24h=now.day.{name}" for name in _COUNTED.split()),
    "now.newest_article last_run=totals.last_run.started newest_published",
)
"""The columns of `newscrawl status --csv`."""
SITE_SCREEN: Final = (
    "site state language country reasons=trouble day.found day.fetched day.stored day.duplicates day.in_review"
    " day.failed day.gone day.refused day.no_article day.failures day.other_results newest_article=shown_article"
    " last_good_read next_due sources failing_sources requests_today control.daily_requests paused_until is_paused"
    " crawled_by days"
)
"""A site in `/sites.json` (reports.sites.Site)."""
