"""`newscrawl status --check`: one line and an exit code for cron, Nagios and other monitors.

The exit codes are those of Nagios' plugins: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN. The check reads open alarms and the
numbers by hour; it counts no pages and no articles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from newscrawl.model.wording import counted
from newscrawl.storage.monitoring.alarms import FLEET, MACHINE, Alarm
from newscrawl.storage.monitoring.hours import Numbers

Level = Literal["OK", "WARNING", "CRITICAL", "UNKNOWN"]
EXIT_CODES: Final[Mapping[Level, int]] = {"OK": 0, "WARNING": 1, "CRITICAL": 2, "UNKNOWN": 3}
MIN_RESULTS: Final = 20
"""Results of a site in 24 hours from which the share of its failures is judged."""
MAX_REASONS: Final = 3
"""Largest number of reasons in the line."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The limits beyond which the check is not OK. `failed` is the share of a site's results in 24 hours (0 to 1),
    `silence` the time without a new article of any site, `site_silence` that of a single site (None: not checked)."""

    failed: float = 0.5
    silence: timedelta = timedelta(hours=24)
    site_silence: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """The result: its level and its line."""

    level: Level
    line: str

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        return EXIT_CODES[self.level]


def check(
    sites: Mapping[str, Numbers],
    alarms: Sequence[Alarm],
    now: datetime,
    thresholds: Thresholds = Thresholds(),
    gone: Sequence[str] = (),
) -> Checked:
    """Returns the result for these sites, given their last 24 hours with the newest article of any time, the open
    alarms, and the machines that are gone. Pure."""
    found = [*_alarms(alarms), *_of_machines(gone, alarms), *_of_sites(sites, now, thresholds)]
    reasons = sorted(found, key=lambda reason: -EXIT_CODES[reason[0]])
    if not reasons:
        return Checked("OK", f"OK: {_summary(sites, now)}")
    level = reasons[0][0]
    named = [text for _, text in reasons[:MAX_REASONS]]
    if len(reasons) > MAX_REASONS:
        named.append(f"{len(reasons) - MAX_REASONS} more")
    return Checked(level, " ".join(f"{level}: {'; '.join(named)} ({_summary(sites, now)})".split()))


def _alarms(alarms: Sequence[Alarm]) -> Iterator[tuple[Level, str]]:
    for alarm in alarms:
        site = "all sites" if alarm.site == FLEET else alarm.site
        yield "CRITICAL" if alarm.severity == "critical" else "WARNING", f"alarm: {site}: {alarm.message}"


def _of_machines(gone: Sequence[str], alarms: Sequence[Alarm]) -> Iterator[tuple[Level, str]]:
    """No process may be left that could open an alarm."""
    if gone and all(alarm.kind != MACHINE for alarm in alarms):
        yield "CRITICAL", f"{counted(len(gone), 'machine is', 'machines are')} gone: {', '.join(gone)}"


def _of_sites(sites: Mapping[str, Numbers], now: datetime, thresholds: Thresholds) -> Iterator[tuple[Level, str]]:
    newest = _newest(sites)
    if newest is None:
        yield "WARNING", "no new article was counted yet"
    elif now - newest >= thresholds.silence:
        yield "CRITICAL", f"no new article for {_span(now - newest)}"
    for name, site in sorted(sites.items()):
        # A page without a text was fetched and failed: it is one result, as in the alarm about a site's extraction.
        unread = sum(number for kind, number in site.codes.items() if kind.startswith("extraction/"))
        results = site.fetched + site.failed - unread + site.gone + site.refused
        if results >= MIN_RESULTS and site.failed >= thresholds.failed * results:
            yield "WARNING", f"{name}: {site.failed} of {results} requests failed in 24 hours"
        at = site.newest_article
        if thresholds.site_silence is not None and at is not None and now - at >= thresholds.site_silence:
            yield "WARNING", f"{name}: no new article for {_span(now - at)}"


def _summary(sites: Mapping[str, Numbers], now: datetime) -> str:
    stored, failed = sum(site.stored for site in sites.values()), sum(site.failed for site in sites.values())
    newest = _newest(sites)
    ago = f", newest stored {_span(now - newest)} ago" if newest is not None else ""
    return (
        f"{counted(len(sites), 'site')}, {counted(stored, 'new article')} and {counted(failed, 'failure')} in 24 hours"
        f"{ago}"
    )


def _newest(sites: Mapping[str, Numbers]) -> datetime | None:
    return max((site.newest_article for site in sites.values() if site.newest_article is not None), default=None)


def _span(span: timedelta) -> str:
    """The time in its largest unit: "40 s", "12 min", "3 h", "4 days"."""
    seconds = max(0, int(span.total_seconds()))
    if seconds < 120:
        return f"{seconds} s"
    if seconds < 7_200:
        return f"{seconds // 60} min"
    return f"{seconds // 3_600} h" if seconds < 172_800 else f"{seconds // 86_400} days"
