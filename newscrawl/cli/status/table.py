"""The columns of `newscrawl status`: all numbers for a terminal, the most important ones for a file or pipe, where CSV
and JSON give all."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from newscrawl.cli.common.show import Column
from newscrawl.crawling.runtime.summary import INTERRUPTED
from newscrawl.reports.status import SiteStatus
from newscrawl.reports.views import STATUS_CSV

WIDTH: Final = 190
"""Least width of the table: a long line is better than a cut name."""


def _time(at: datetime | None, without: str = "") -> str:
    return f"{at:%Y-%m-%d %H:%M}" if at is not None else without


def _run(one: SiteStatus) -> str:
    run = one.totals.last_run
    if run is None:
        return "never"
    interrupted = ", interrupted" if run.counters.get(INTERRUPTED) else ""
    return f"{_time(run.started)}{interrupted if run.finished else ', not finished'}"


def _severity(one: SiteStatus) -> str:
    """The severity of the worst of its own alarms."""
    own = {alarm.severity for alarm in one.now.alarms}
    return "critical" if "critical" in own else next(iter(own), "-")


_SITE: Final = Column("site", lambda one: one.totals.site, whole=True)
_LAST_DAY: Final = (
    Column("new 24 h", lambda one: one.now.day.stored, right=True, whole=True),
    Column("failed 24 h", lambda one: one.now.day.failed, right=True, whole=True),
)
_LAST_RUN: Final = Column("last run (UTC)", _run, whole=True)
TABLE: Final = (
    _SITE,
    Column("articles", lambda one: one.totals.articles, right=True, whole=True),
    Column("pages", lambda one: one.totals.pages, right=True, whole=True),
    Column("duplicates", lambda one: one.totals.duplicates, right=True, whole=True),
    Column("fallback", lambda one: f"{one.totals.fallback_share:.0%}", right=True, whole=True),
    Column("pending", lambda one: one.totals.pending, right=True, whole=True),
    Column("failed", lambda one: one.totals.failed, right=True, whole=True),
    Column("gone", lambda one: one.totals.gone or None, right=True, whole=True),
    Column("refused", lambda one: one.totals.refused or None, right=True, whole=True),
    Column("no article", lambda one: one.totals.no_article or None, right=True, whole=True),
    Column("in review", lambda one: one.totals.in_review or None, right=True, whole=True),
    *_LAST_DAY,
    Column("newest stored", lambda one: _time(one.now.newest_article), whole=True),
    Column("newest published", lambda one: _time(one.newest_published), whole=True),
    _LAST_RUN,
)
"""`newest stored` is when the newest article was stored, `newest published` the newest publication date that a page of
the last seven days states."""
FEW: Final = (
    _SITE,
    Column("alarm", _severity),
    *_LAST_DAY,
    Column("in review", lambda one: one.totals.in_review),
    Column("newest stored", lambda one: _time(one.now.newest_article, "-")),
    Column("newest published", lambda one: _time(one.newest_published, "-")),
    _LAST_RUN,
)
"""A line with these columns fits an e-mail of cron."""
CSV: Final = tuple(Column(key, value) for key, value in STATUS_CSV)
"""Times are UTC."""
