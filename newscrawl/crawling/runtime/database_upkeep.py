"""The upkeep of the database: removes what is too old and finishes work that crawls have postponed.

Each step is many small transactions, between which crawls can write. If the process is killed, the next upkeep does the
rest. `newscrawl db prune` does it on demand, `newscrawl run` at intervals beside its crawls.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, TypeVar

from newscrawl.archive.retention import keep_within, too_many
from newscrawl.archive.writer import ArchiveSettings
from newscrawl.config.catalogue import Config
from newscrawl.config.derived.retention import retention_of
from newscrawl.config.logs.lines import SaidOnce
from newscrawl.crawling.runtime.archive import archive_settings
from newscrawl.crawling.runtime.repeating import GoesOn, working
from newscrawl.errors import NewscrawlError
from newscrawl.storage import events, machines
from newscrawl.storage.captures import locations
from newscrawl.storage.engine.sql import chunks
from newscrawl.storage.feed import changes, consumers
from newscrawl.storage.monitoring import hours
from newscrawl.storage.reader import Connection, Database, Reader
from newscrawl.storage.removal import retention
from newscrawl.storage.removal.retention import EVENT_TABLES, EVENTS_SPAN, SPAN, RetentionLimits
from newscrawl.workers.processes.failpoints import UPKEEP_PART, hit

logger = logging.getLogger(__name__)

T = TypeVar("T")

ROWS: Final = 500
"""Small rows that one transaction removes."""
LOOKED_FOR: Final = 20_000
"""The most rows that one query finds, because it may read a whole table."""
MAX_COUNTED: Final = 10**6
FIRST: Final = 600.0
"""Seconds from the start of `newscrawl run` to its first upkeep, so that due sites are crawled first."""
PAUSE: Final = 0.05
"""Seconds between two transactions beside a crawl."""

ProgressReport = Callable[[str, int, int], None]
"""Called with the progress: (name of the step, number done, total)."""
FurtherUpkeep = Callable[[bool, GoesOn], Counter[str]]
"""Further work of an upkeep: called with whether this process does the upkeep of the database. Returns counts for the
log."""


def no_report(_doing: str, _done: int, _total: int) -> None:
    """Ignores the progress."""


@dataclass(frozen=True)
class Upkeep:
    """One run of the upkeep and its options.

    The counts of `look` and `work` have these names: `pages` whose texts were too old, `versions` of pages that stay,
    removed `texts` (`work` only), `events` that are too old or too many, `changes` that later ones superseded, `hours`
    of sites whose numbers are too old or of the future, `processes` seen in the future, archive `files` (`look` only)
    and their `captures`.
    """

    keep: RetentionLimits
    archive: ArchiveSettings | None
    now: datetime
    report: ProgressReport = no_report
    goes_on: GoesOn = lambda: True
    pause: float = 0.0

    def look(self, reading: Callable[[], Reader]) -> Counter[str]:
        """Returns the counts of what `work` would do, and changes nothing. Raises StorageError."""
        counts: Counter[str] = Counter()
        for after in self._spans(reading):
            with reading() as connection:
                old = retention.old_pages(connection, after, self.keep, self.now)
            counts.update(pages=len(old.pages), versions=len(old.versions) + len(old.headlines))
        counts["events"] = sum(len(ids) for _, ids in self._events(reading))
        with reading() as connection:
            counts["events"] += len(events.surplus(connection, MAX_COUNTED))
            counts["hours"] = len(hours.oldest_hours(connection, self.now, MAX_COUNTED))
            counts["processes"] = len(machines.of_the_future(connection))
            counts["changes"] = len(consumers.needless_changes(connection, MAX_COUNTED))
            if (archive := self.archive) is not None:
                files = locations.files(connection)
                for expired in too_many(archive.place, files, archive.budget, self.now, archive.machine):
                    counts.update(files=1, captures=locations.number_in(connection, expired.id))
        return counts

    def work(self, store: Database) -> Counter[str]:
        """Does the upkeep and returns its counts. It stops early once `goes_on` returns False. Raises StorageError."""
        done: Counter[str] = Counter()
        self._expire(store, done)
        for kind, ids in self._events(store.reading):
            done["events"] += store.run(retention.remove_events, kind, ids).result()
            self._part_done()
        for ids in self._found("surplus events", store, events.surplus, ROWS):
            done["events"] += store.run(retention.remove_events, "events", ids).result()
            self._part_done()
        for seqs in self._found("needless changes", store, consumers.needless_changes, ROWS):
            done["changes"] += store.run(changes.drop, seqs).result()
            self._part_done()
        while self.goes_on() and (removed := store.run(hours.tidy, self.now).result()):
            done["hours"] += removed
            self._part_done()
        if removed := store.run(machines.remove_future).result():
            done["processes"] = removed
        done.update(self.work_on_archive(store))
        return done

    def work_on_archive(self, store: Database) -> Counter[str]:
        """Keeps this machine's archive, or the object store, within its budget, and returns the count. Raises
        ArchiveError, StorageError."""
        archive = self.archive
        if archive is None or not self.goes_on():
            return Counter()
        return Counter(captures=keep_within(archive.place, store, archive.budget, self.now, archive.machine))

    def _expire(self, store: Database, done: Counter[str]) -> None:
        for after in self._spans(store.reading):
            with store.reading() as connection:
                if not retention.old_pages(connection, after, self.keep, self.now):
                    continue  # without a write transaction, which would make others wait
            removed = store.run(retention.expire, after, self.keep, self.now).result()
            done.update(pages=removed.pages, versions=removed.versions, texts=removed.articles)
            self._part_done()

    def _spans(self, reading: Callable[[], Reader]) -> Iterator[int]:
        """Yields the id before each span of pages."""
        if not self.keep.limits("articles", "versions"):
            return
        with reading() as connection:
            last = retention.last_page(connection)
        yield from self._parts("old texts", range(0, last, SPAN), SPAN, last)

    def _events(self, reading: Callable[[], Reader]) -> Iterator[tuple[str, list[int]]]:
        """Yields the ids of event rows that are too old, in parts, with the names of their tables."""
        for kind, (_, limit) in EVENT_TABLES.items():
            if not self.keep.limits(limit):
                continue
            with reading() as connection:
                last = retention.last_event(connection, kind)
            for after in self._parts(f"old {kind}", range(0, last, EVENTS_SPAN), EVENTS_SPAN, last):
                with reading() as connection:
                    ids = retention.old_events(connection, kind, after, self.keep, self.now)
                for part in chunks(ids, ROWS):
                    yield kind, part

    def _found(
        self, doing: str, store: Database, find: Callable[[Connection, int], Sequence[int]], size: int
    ) -> Iterator[list[int]]:
        """Yields the results of `find` in parts of `size`, until it finds nothing or the same again."""
        before: set[int] = set()
        while self.goes_on():
            with store.reading() as connection:
                ids = find(connection, LOOKED_FOR)
            if before.issuperset(ids):
                return
            before = set(ids)
            yield from self._parts(doing, list(chunks(ids, size)), size, len(ids))

    def _parts(self, doing: str, parts: Sequence[T], size: int, total: int) -> Iterator[T]:
        for number, part in enumerate(parts):
            if not self.goes_on():
                return
            self.report(doing, number * size, total)
            yield part

    def _part_done(self) -> None:
        hit(UPKEEP_PART)
        if self.pause:
            time.sleep(self.pause)


def upkeep_of(config: Config, now: datetime) -> Upkeep:
    """Returns the upkeep that the settings ask for. Raises ConfigurationError."""
    return Upkeep(retention_of(config), archive_settings(config), now)


async def _always() -> bool:
    return True


@asynccontextmanager
async def running_upkeep(
    store: Database,
    config: Config,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    *,
    is_ours: Callable[[], Awaitable[bool]] = _always,
    further: FurtherUpkeep | None = None,
) -> AsyncIterator[None]:
    """Does the upkeep every NEWSCRAWL_PRUNE_INTERVAL_HOURS in a thread beside the crawls, until the block is left.

    While `is_ours` is false, another process does it for the database, and this one keeps only its own archive within
    its budget. `further` is called after it.
    """
    every = config.retention.prune_interval_hours * 3_600
    if not every:
        yield
        return

    async def keep_up(goes_on: GoesOn) -> None:
        upkeep = replace(upkeep_of(config, now()), pause=PAUSE, goes_on=goes_on)
        ours = await is_ours()
        log(await asyncio.to_thread(upkeep.work if ours else upkeep.work_on_archive, store))
        if further is not None and goes_on():
            log(await asyncio.to_thread(_guarded, further, ours, goes_on))

    said = SaidOnce(logger, "upkeep of the database: %s", "upkeep of the database is done again")
    async with working(every, keep_up, said, first=min(FIRST, every)):
        yield


def _guarded(further: FurtherUpkeep, ours: bool, goes_on: GoesOn) -> Counter[str]:
    """Calls `further`. An error of it is logged: the upkeep of the database and the crawls go on."""
    try:
        return further(ours, goes_on)
    except (NewscrawlError, OSError):
        raise  # logged in one line
    except Exception:
        logger.exception("upkeep of the database: further work failed")
        return Counter()


def log(done: Counter[str]) -> None:
    """Logs one line with the counts, if anything was done."""
    counts = ", ".join(f"{count} {name}" for name, count in sorted(done.items()) if count)
    if counts:
        logger.info("upkeep of the database: %s", counts)
