"""The results of each site since the process started, one small record a site, and the answers to GET and HEAD of
/health and /metrics on 127.0.0.1: whether the fleet works, and the counters of each site. Pure except for the server,
`now` is a parameter.

The server runs in the crawler's own event loop, so an answer also shows that this loop runs. /metrics is in Prometheus'
text format (version 0.0.4), which needs no library.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from newscrawl.crawling.runtime.summary import NOTES, Summary, summarise
from newscrawl.crawling.spider.responses import HOME
from newscrawl.errors import UsageError
from newscrawl.publishing.deliver.sender import AlarmCounts
from newscrawl.storage.monitoring.alarms import Alarm

REFUSALS: Final = ("robots/", "politeness/", "security/", "offsite/", "redirect/")
"""Prefixes of the counters of requests that were refused before they were sent, except `_NO_REFUSALS`."""
_NO_REFUSALS: Final = NOTES | {HOME}
"""A page that leads to the home page was requested and answered."""

BROKEN: Final = "broken"
HOUR: Final = timedelta(hours=1)
PARTS: Final = 12
"""The number of parts in which an hour is counted."""


@dataclass(slots=True)
class LastHour:
    """A count over the last hour, precise to five minutes."""

    _counts: deque[tuple[datetime, int]] = field(default_factory=lambda: deque(maxlen=PARTS + 1))

    def add(self, number: int, now: datetime) -> None:
        """Adds to the count."""
        if self._counts and now - self._counts[-1][0] < HOUR / PARTS:
            begun, before = self._counts.pop()
            self._counts.append((begun, before + number))
        else:
            self._counts.append((now, number))

    def total(self, now: datetime) -> int:
        """Returns the count of the last hour."""
        return sum(number for begun, number in self._counts if now - begun <= HOUR)


@dataclass(slots=True)
class SiteRecord:
    """One site. The counts are sums over its crawls in this process."""

    site: str
    state: str = "idle"
    """idle, crawling, resting (its host asked for a pause), leased_elsewhere (another process
    crawls it), broken (its declaration or crawl failed) or budget_reached (today's request budget is used up)."""
    crawls: int = 0
    failed_crawls: int = 0
    requests: int = 0
    pages: int = 0
    unchanged: int = 0
    articles: int = 0
    new_versions: int = 0
    held_for_review: int = 0
    """Pages held for review because the site's extraction looks broken."""
    failures: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    due: int = 0
    last_started: datetime | None = None
    last_finished: datetime | None = None
    next_due: datetime | None = None
    problem: str = ""
    articles_hour: LastHour = field(default_factory=LastHour)
    counted: int = 0
    """The articles of the running crawl that are in `articles_hour` already."""


class Board:
    """All sites of the process."""

    def __init__(self) -> None:
        self.records: dict[str, SiteRecord] = {}
        self.articles_hour = LastHour()
        self.last_tick: datetime | None = None
        self.tick_seconds = 0.0
        self.problem = ""
        """The problem that keeps the whole fleet from working, "" without one."""
        self.broken: dict[str, str] = {}
        """The problems of declarations, by site or file of spiders/."""
        self.gone_machines: tuple[str, ...] = ()
        """The machines whose processes neither ended nor were seen lately."""
        self.alarms: tuple[Alarm, ...] = ()
        """The open alarms of the database, as they were read last."""
        self.deliveries = AlarmCounts()
        """Counts of alarms that were accepted and of attempts that failed."""

    def record(self, site: str) -> SiteRecord:
        """Returns the site's record, a new one if there is none."""
        return self.records.setdefault(site, SiteRecord(site))

    def show_broken(self, problems: Mapping[str, str]) -> None:
        """Records which declarations cannot be used now; sites whose declaration works again become idle."""
        for name in self.broken.keys() - problems.keys():
            if name in self.records and self.records[name].state == BROKEN:
                self.records[name].state, self.records[name].problem = "idle", ""
        self.broken = dict(problems)
        for name, problem in problems.items():
            record = self.record(name)
            record.problem = problem
            if record.state == "idle":
                record.state = BROKEN

    def show_gone(self, machines: Iterable[str]) -> None:
        """Records which machines are gone now."""
        self.gone_machines = tuple(sorted(machines))

    def show_alarms(self, alarms: Iterable[Alarm]) -> None:
        """Records which alarms are open now."""
        self.alarms = tuple(alarms)

    def keep_only(self, sites: Iterable[str]) -> None:
        """Removes sites that are no longer declared."""
        for name in self.records.keys() - set(sites):
            del self.records[name]

    def begun(self, site: str, now: datetime) -> None:
        """Records that a crawl of the site begins."""
        record = self.record(site)
        record.state, record.last_started, record.counted = "crawling", now, 0

    def count_articles(self, site: str, counters: Mapping[str, object], now: datetime) -> None:
        """Adds what a running crawl has stored since its articles were counted last to those of the last hour."""
        record, stored = self.record(site), counters.get("outcome/inserted", 0)
        if isinstance(stored, int) and stored > record.counted:
            record.articles_hour.add(stored - record.counted, now)
            self.articles_hour.add(stored - record.counted, now)
            record.counted = stored

    def finished(self, site: str, counters: Mapping[str, object], now: datetime) -> Summary:
        """Adds the counters of a crawl to the site's record; returns their summary."""
        record = self.record(site)
        began = record.last_started or now
        summary = summarise(site, counters, (now - began).total_seconds())
        record.crawls += 1
        record.requests += summary.answered
        record.pages += summary.fetched
        record.unchanged += summary.unchanged
        record.articles += summary.inserted
        record.new_versions += summary.new_versions
        record.held_for_review += summary.in_review
        record.failures += summary.failed
        for name, number in counters.items():
            if name.startswith(REFUSALS) and isinstance(number, int) and name not in _NO_REFUSALS:
                record.refusals[name] += number
        record.last_finished = now
        self.count_articles(site, counters, now)
        record.counted = 0
        return summary


LOOPBACK: Final = "127.0.0.1"
LATE: Final = timedelta(seconds=60)
"""A fleet that has not read for this long which sites are due counts as hung."""
PATIENCE: Final = 5.0
"""Seconds for a client to send its request and take the answer."""
MAX_BYTES: Final = 8_192
HEAD: Final = "HEAD"
"""The method of which uptime monitors and load balancers read the status only."""

TOTALS: Final = (
    ("crawls", "Crawls that ended."),
    ("failed_crawls", "Crawls that could not be made."),
    ("requests", "Answers to all requests."),
    ("pages", "Pages sent to extraction, or found unchanged."),
    ("unchanged", "Answers 304."),
    ("articles", "Articles stored."),
    ("new_versions", "New versions of known articles."),
    ("held_for_review", "Pages held for review because the site's extraction looks broken."),
    ("failures", "Pages and sources that could not be fetched or read."),
)
"""Counters of a SiteRecord, with a description of each."""


async def serve(
    board: Board, running: Callable[[], int], port: int, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> asyncio.Server:
    """Starts the server; it answers until it is closed. `running` returns the number of crawls that are running. Raises
    UsageError if the port is taken."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(TimeoutError, ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(PATIENCE):
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(answer_bytes(head, *respond(head, board, running(), now())))
                await writer.drain()
        writer.close()

    try:
        return await asyncio.start_server(answer, LOOPBACK, port, limit=MAX_BYTES)
    except OSError as error:
        raise _unusable(port, error) from error


def check_port(port: int) -> None:
    """Raises UsageError if the port is taken. Call it before anything is opened."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as asyncio has it
        try:
            probe.bind((LOOPBACK, port))
            probe.listen(1)
        except OSError as error:
            raise _unusable(port, error) from error


def _unusable(port: int, error: OSError) -> UsageError:
    reason = os.strerror(error.errno).lower() if error.errno else str(error)
    return UsageError(f"option --health: port {port} cannot be used: {reason}; give another")


def answer_bytes(head: bytes, status: str, kind: str, body: bytes) -> bytes:
    """Returns the bytes of the answer to a request with this head. The answer to HEAD is the head of the answer to
    GET."""
    allow = "Allow: GET, HEAD\r\n" if status.startswith("405") else ""
    lines = (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{allow}Connection: close\r\n\r\n"
    )
    return lines.encode() + (b"" if head.startswith(f"{HEAD} ".encode()) else body)


def respond(head: bytes, board: Board, running: int, now: datetime) -> tuple[str, str, bytes]:
    """Returns status line, content type and body for a request's head."""
    method, _, rest = head.decode("latin-1").partition(" ")
    path = rest.partition(" ")[0].partition("?")[0]
    if method not in {"GET", HEAD}:
        return "405 Method Not Allowed", "text/plain", b"only GET and HEAD\n"
    if path == "/health":
        state = health(board, running, now)
        body = json.dumps(state, indent=1).encode() + b"\n"
        return ("200 OK" if state["healthy"] else "503 Service Unavailable"), "application/json", body
    if path == "/metrics":
        lines = "\n".join(metrics(board, running, now)) + "\n"
        return "200 OK", "text/plain; version=0.0.4; charset=utf-8", lines.encode()
    return "404 Not Found", "text/plain", b"the paths are /health and /metrics\n"


def health(board: Board, running: int, now: datetime) -> dict[str, Any]:
    """Returns whether the fleet works: its last tick was not long ago, and its database answers."""
    late = board.last_tick is None or now - board.last_tick > LATE
    problem = board.problem or ("it has not checked lately which sites are due" if late else "")
    states: dict[str, int] = {}
    for record in board.records.values():
        states[record.state] = states.get(record.state, 0) + 1
    return {
        "healthy": not problem,
        "problem": problem,
        "last_tick": board.last_tick.isoformat() if board.last_tick else None,
        "tick_seconds": round(board.tick_seconds, 4),
        "sites": len(board.records),
        "crawling": running,
        "states": dict(sorted(states.items())),
        "broken_declarations": dict(sorted(board.broken.items())),
        "alarms": [
            {"site": one.site, "kind": one.kind, "severity": one.severity, "since": one.since.isoformat()}
            for one in board.alarms
        ],
        "articles_last_hour": board.articles_hour.total(now),
    }


def metrics(board: Board, running: int, now: datetime) -> Iterator[str]:
    """Yields the lines of /metrics."""
    yield from _gauge("newscrawl_up", "Whether the fleet works.", int(health(board, running, now)["healthy"]))
    yield from _gauge("newscrawl_sites", "Sites of this process.", len(board.records))
    yield from _gauge("newscrawl_crawling", "Crawls that are running.", running)
    yield from _gauge("newscrawl_tick_seconds", "CPU time of the last check of what is due.", board.tick_seconds)
    records = sorted(board.records.values(), key=lambda record: record.site)
    for name, description in TOTALS:
        yield from _head(f"newscrawl_{name}_total", description, "counter")
        for record in records:
            yield f"newscrawl_{name}_total{{site={_label(record.site)}}} {getattr(record, name)}"
    yield from _head("newscrawl_refused_total", "Requests that were not made, by reason.", "counter")
    for record in records:
        for kind, number in sorted(record.refusals.items()):
            yield f"newscrawl_refused_total{{site={_label(record.site)},kind={_label(kind)}}} {number}"
    yield from _head("newscrawl_due", "Sources and pages that are due.", "gauge")
    for record in records:
        yield f"newscrawl_due{{site={_label(record.site)}}} {record.due}"
    yield from _head("newscrawl_declaration_broken", "Sites or files of spiders/ that cannot be used.", "gauge")
    for name in sorted(board.broken):
        yield f"newscrawl_declaration_broken{{site={_label(name)}}} 1"
    yield from _head("newscrawl_machine_gone", "Machines that neither ended nor were seen lately.", "gauge")
    for name in board.gone_machines:
        yield f"newscrawl_machine_gone{{machine={_label(name)}}} 1"
    for name, description, counts in (
        ("newscrawl_alerts_sent_total", "Alarm events that a receiver accepted.", board.deliveries.accepted),
        ("newscrawl_alerts_failed_total", "Attempts to send an alarm event that failed.", board.deliveries.failed),
    ):
        yield from _head(name, description, "counter")
        for receiver, number in sorted(counts.items()):
            yield f"{name}{{receiver={_label(receiver)}}} {number}"
    yield from _head("newscrawl_last_finished_seconds", "When the last crawl ended (Unix time).", "gauge")
    for record in records:
        if record.last_finished is not None:
            at = record.last_finished.timestamp()
            yield f"newscrawl_last_finished_seconds{{site={_label(record.site)}}} {at:.3f}"


def _head(name: str, description: str, kind: str) -> Iterator[str]:
    yield f"# HELP {name} {description}"
    yield f"# TYPE {name} {kind}"


def _gauge(name: str, description: str, value: float) -> Iterator[str]:
    yield from _head(name, description, "gauge")
    yield f"{name} {value}"


def _label(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
