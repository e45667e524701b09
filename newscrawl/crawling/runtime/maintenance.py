"""Upkeep of the database: what is too old goes, and what crawls have left to be done is done.

`newscrawl db prune` does it when asked, `newscrawl run` once a day. Each step is many small transactions, between which
crawls write; killed anywhere, the next time does what is left.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from scrapy.settings import BaseSettings

from newscrawl.archive.archive_thread import ArchiveSettings
from newscrawl.archive.retention import Held, hold, keep_within, too_much
from newscrawl.config.retention import retention_of
from newscrawl.crawling.runtime.archive import archive_settings
from newscrawl.errors import NewscrawlError
from newscrawl.failpoints import PRUNED_PART, hit
from newscrawl.identity.signature import signature
from newscrawl.storage import Reader, Store
from newscrawl.storage.articles import credible_times
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.captures import locations
from newscrawl.storage.captures.locations import ArchiveFile
from newscrawl.storage.duplicates import first_pages, pending, signature_backfill, story_clusters
from newscrawl.storage.feed import changes, cursors
from newscrawl.storage.removal import retention
from newscrawl.storage.removal.retention import EVENT_TABLES, EVENTS_SPAN, SPAN, Retention
from newscrawl.storage.removal.unused_texts import remove_unused

logger = logging.getLogger(__name__)

T = TypeVar("T")
Connection = Any
"""Storage's; nothing here knows what can be done with one."""

SETTING: Final = "NEWSCRAWL_PRUNE_HOURS"
FIRST: Final = 600.0
"""Seconds from the start of `newscrawl run` to its first upkeep: what is due is crawled first."""
PAUSE: Final = 0.05
"""Seconds between two transactions beside a crawl."""
TEXTS: Final = 50
"""Texts removed or signed by one transaction."""
ROWS: Final = 500
"""Small rows removed by one transaction."""
LOOKED_FOR: Final = 20_000
"""Rows found by one look, which may go through a whole table."""
MOST_COUNTED: Final = 10**6

Tell = Callable[[str, int, int], None]
"""Is told (what is being done, how far, of how much)."""


def nobody(_doing: str, _done: int, _total: int) -> None:
    """Tells nobody."""


@dataclass(frozen=True)
class Upkeep:
    """What is to be done, and how.

    The counts of `look` and `work` have these names: `pages` whose texts were too old, `versions` of pages that stay,
    `texts` that went (with `work` only), `unused` texts that no page had, `events`, `signatures` made for texts from
    before there were any, `stories` of texts that are decided again, `fronts` of articles whose stories' first pages
    are chosen again, `changes` that later ones made needless, `future` pages and sources that were last read at a time
    of the future and whose visit is planned anew, archive `files` (`look` only) and their `captures`.
    """

    keep: Retention
    archive: ArchiveSettings | None
    now: datetime
    tell: Tell = nobody
    goes_on: Callable[[], bool] = lambda: True
    pause: float = 0.0

    def look(self, reading: Callable[[], Reader]) -> Counter[str]:
        """Counts what `work` would do, and changes nothing. Raises StorageError."""
        found: Counter[str] = Counter()
        for after in self._spans(reading):
            with reading() as connection:
                old = retention.old_pages(connection, after, self.keep, self.now)
            found.update(pages=len(old.pages), versions=len(old.versions) + len(old.headlines))
        found["events"] = sum(len(ids) for _, ids in self._events(reading))
        with reading() as connection:
            found["unused"] = len(retention.unused_texts(connection, MOST_COUNTED))
            found["signatures"] = signature_backfill.count(connection)
            found["future"] = sum(len(ids) for ids in credible_times.never_due(connection, self.now, MOST_COUNTED))
            found["stories"] = pending.count(connection)
            found["fronts"] = first_pages.count_touched(connection)
            found["changes"] = len(changes.superseded(connection, _read_by_all(connection), MOST_COUNTED))
            for one in self._files_too_many(locations.files(connection)):
                found.update(files=1, captures=locations.number_in(connection, one.file.id))
        return found

    def work(self, store: Store) -> Counter[str]:
        """Does it; returns what was done, which is less than all when `goes_on` said no. Raises StorageError."""
        done: Counter[str] = Counter()
        while self.goes_on() and (planned := store.run(credible_times.visit_again, self.now).result()):
            done["future"] += planned
            self._part_done()
        self._expire(store, done)
        for kind, ids in self._events(store.reading):
            done["events"] += store.run(retention.remove_events, kind, ids).result()
            self._part_done()
        for ids in self._found("texts of no page", store, retention.unused_texts, TEXTS):
            done["unused"] += len(store.run(remove_unused, ids, self.now).result())
            self._part_done()
        for ids in self._found("near-duplicates of old texts", store, signature_backfill.without_signature, TEXTS):
            with store.reading() as connection:
                found = signature_backfill.texts(connection, ids)
            signed = [replace(one, signature=signature(one.text)) for one in found]
            done["signatures"] += store.run(signature_backfill.sign, signed).result()
            self._part_done()
        self._decide_stories(store, done)
        self._choose_pages(store, done)
        for seqs in self._found("needless changes", store, _needless, ROWS):
            done["changes"] += store.run(changes.drop, seqs).result()
            self._part_done()
        if self.archive is not None and self.archive.folder.is_dir() and self.goes_on():
            done["captures"] = keep_within(self.archive.folder, store, self.archive.budget, self.now)
        return done

    def _expire(self, store: Store, done: Counter[str]) -> None:
        for after in self._spans(store.reading):
            with store.reading() as connection:
                if not retention.old_pages(connection, after, self.keep, self.now):
                    continue  # nobody who writes has to wait for a look
            removed = store.run(retention.expire, after, self.keep, self.now).result()
            done.update(pages=removed.pages, versions=removed.versions, texts=removed.articles)
            self._part_done()

    def _decide_stories(self, store: Store, done: Counter[str]) -> None:
        with store.reading() as connection:
            total = pending.count(connection)
        while self.goes_on():
            self.tell("stories of texts that came late", done["stories"], max(total, done["stories"]))
            decided = store.run(story_clusters.decide_again, self.now, story_clusters.STEP).result() if total else 0
            if not decided:
                return
            done["stories"] += decided
            self._part_done()

    def _choose_pages(self, store: Store, done: Counter[str]) -> None:
        with store.reading() as connection:
            total = first_pages.count_touched(connection)
        while total and self.goes_on():
            self.tell("first pages of stories", done["fronts"], max(total, done["fronts"]))
            chosen = store.run(first_pages.choose_touched, self.now, story_clusters.STEP).result()
            if not chosen:
                return
            done["fronts"] += chosen
            self._part_done()

    def _spans(self, reading: Callable[[], Reader]) -> Iterator[int]:
        """The id before each span of pages."""
        if not self.keep.limits("articles", "versions"):
            return
        with reading() as connection:
            last = retention.last_page(connection)
        yield from self._parts("old texts", range(0, last, SPAN), SPAN, last)

    def _events(self, reading: Callable[[], Reader]) -> Iterator[tuple[str, list[int]]]:
        """Too old rows of events, in parts, with the names of their tables."""
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
        self, doing: str, store: Store, find: Callable[[Connection, int], Sequence[int]], size: int
    ) -> Iterator[list[int]]:
        """What `find` finds, in parts of `size`, until it finds nothing or the same again."""
        before: set[int] = set()
        while self.goes_on():
            with store.reading() as connection:
                found = find(connection, LOOKED_FOR)
            if before.issuperset(found):
                return
            before = set(found)
            yield from self._parts(doing, list(chunks(found, size)), size, len(found))

    def _parts(self, doing: str, parts: Sequence[T], size: int, total: int) -> Iterator[T]:
        for number, part in enumerate(parts):
            if not self.goes_on():
                return
            self.tell(doing, number * size, total)
            yield part

    def _files_too_many(self, files: Iterable[ArchiveFile]) -> list[Held]:
        if self.archive is None or not self.archive.folder.is_dir():
            return []
        return too_much(hold(self.archive.folder, files), self.archive.budget, self.now)

    def _part_done(self) -> None:
        hit(PRUNED_PART)
        if self.pause:
            time.sleep(self.pause)


def _needless(connection: Connection, limit: int) -> list[int]:
    return changes.superseded(connection, _read_by_all(connection), limit)


def _read_by_all(connection: Connection) -> int:
    """The last change that every consumer has. `newscrawl search` is none: what goes is needless to its index, too."""
    slowest = cursors.slowest(connection)
    return changes.newest(connection) if slowest is None else slowest


def upkeep_of(settings: BaseSettings, now: datetime) -> Upkeep:
    """What the settings want. Raises ConfigurationError."""
    return Upkeep(retention_of(settings), archive_settings(settings), now)


@asynccontextmanager
async def kept_up(
    store: Store, settings: BaseSettings, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> AsyncIterator[None]:
    """Upkeep every NEWSCRAWL_PRUNE_HOURS, for as long as this is entered; beside the crawls, in a thread."""
    every = settings.getfloat(SETTING, 24.0) * 3_600
    if not every:
        yield
        return
    stopped = threading.Event()
    stop = asyncio.Event()

    async def again_and_again() -> None:
        wait = min(FIRST, every)
        while not await _is_set_within(stop, wait):
            wait = every
            upkeep = replace(upkeep_of(settings, now()), pause=PAUSE, goes_on=lambda: not stopped.is_set())
            try:
                log(await asyncio.to_thread(upkeep.work, store))
            except (NewscrawlError, OSError) as error:
                logger.error("upkeep of the database: %s", error)  # noqa: TRY400  its one line says all

    task = asyncio.get_running_loop().create_task(again_and_again())
    try:
        yield
    finally:
        stopped.set()
        stop.set()
        await task


async def _is_set_within(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


def log(done: Counter[str]) -> None:
    """One line, where anything was done."""
    said = ", ".join(f"{count} {name}" for name, count in sorted(done.items()) if count)
    if said:
        logger.info("upkeep of the database: %s", said)
