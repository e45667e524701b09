"""The watchdog's weekly look: new articles that a site shows and that none of its sources names are an alarm.

The look is made within an ordinary crawl of `newscrawl run`, after all sources of the site were read, by requests of
the crawl itself (newscrawl.crawling.spider.source_coverage).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from newscrawl.crawling.monitoring.checks import News
from newscrawl.discovery.proposals.coverage import EXAMPLES, Gap, left_out
from newscrawl.storage.frontier import coverage
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.alarms import Alarm

AGAIN: Final = timedelta(days=1)
"""After a look that failed, and while an alarm is open."""

GROWN: Final = 1.5
"""An accepted gap is an alarm again when so many times the articles are missing."""


def settle(connection: Any, site: str, gap: Gap | None, now: datetime) -> News:
    """A storage operation: opens, updates or closes the site's alarm, and plans the next look. `gap` is None where the
    front page could not be had."""
    alarm = coverage.open_alarm(connection, site)
    if gap is None:
        coverage.plan(connection, site, now + AGAIN)
        return News()
    counts = gap.counts and len(gap.missing) > GROWN * coverage.accepted(connection, site)
    coverage.plan(connection, site, now + (AGAIN if counts else coverage.EVERY))
    if not counts:
        if alarm is None or alarm.id is None:
            return News()
        alarms.end(connection, alarm.id, now)
        return News(closed=(replace(alarm, closed_at=now),))
    examples = [one.url for one in gap.missing[: 3 * EXAMPLES]]
    message = left_out(gap.missing)
    details = {"missing": len(gap.missing), "compared": gap.compared, "examples": examples}
    if alarm is not None and alarm.id is not None:
        alarms.grow(connection, alarm.id, "warning", message, details)
        return News()
    new = Alarm(site, coverage.KIND, "warning", now, now, message, details)
    return News(opened=(alarms.begin(connection, new),))
