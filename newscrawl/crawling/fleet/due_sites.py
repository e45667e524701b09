"""Which sites of a fleet are due: by what the database has, by their timetables, or because they were never crawled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime
from itertools import islice

from newscrawl.crawling.fleet.declarations import Declarations
from newscrawl.crawling.scheduling.site_selection import SitePlan
from newscrawl.crawling.scheduling.site_state import SiteDue
from newscrawl.storage.frontier import sites
from newscrawl.storage.store import Store


class DueSites:
    """The sites that have something due, and those that are not to be tried now. `running` are the sites with a crawl;
    the fleet changes it. `places` is the number of crawls at once."""

    def __init__(
        self,
        declarations: Declarations,
        store: Store,
        running: Collection[str],
        places: int,
        now: Callable[[], datetime],
    ) -> None:
        self._declarations = declarations
        self._store = store
        self._running = running
        self._places = places
        self._now = now
        self._new: dict[str, datetime] = {}
        """Sites whose first crawl has not ended yet, with the time this process learned of them."""
        self._not_before: dict[str, datetime] = {}
        """Sites that are not tried before this time, because a crawl failed, a host rests, or another process has
        them."""
        self._next_start: dict[str, datetime] = {}
        """The next starts by the timetables of sites."""
        self._undeclared: set[str] = set()
        """Sites with something due that this fleet does not crawl."""

    @property
    def new(self) -> Collection[str]:
        """The sites whose first crawl has not ended yet."""
        return self._new.keys()

    async def find_new(self, names: list[str]) -> None:
        """Reads which of the sites were never crawled. All others are no longer new. Raises StorageError."""
        new = await asyncio.to_thread(self.never_crawled, names)
        self._new = {site: self._new.get(site, self._now()) for site in new}

    def never_crawled(self, names: list[str]) -> list[str]:
        """Returns those of the sites whose first crawl has not ended. Blocks."""
        with self._store.reading() as connection:
            known = sites.history(connection, names, self._now())
        return [row.site for row in known if row.last_finished is None]

    def read(self, now: datetime) -> list[SiteDue]:
        """Returns what is due, and sites that are due by their own timetable or were never crawled. Blocks. Raises
        StorageError."""
        declared = self._declarations.sites
        with self._store.reading() as connection:
            rows = sites.due(connection, now, leave_out=self._undeclared)
            self._undeclared |= {row.site for row in rows} - declared.keys()
            rows = [row for row in rows if row.site in declared]
            further = self._new_or_by_timetable(now) - {row.site for row in rows}
            if further:
                rows += sites.history(connection, further, now)
        rows = [replace(row, overdue_since=self._new.get(row.site, row.overdue_since)) for row in rows]
        for row in rows:
            timetable = declared[row.site].plan.timetable
            if row.last_finished is not None:
                self._new.pop(row.site, None)
            if timetable.is_fixed and row.site not in self._running:
                due = timetable.next_start(row.last_started, now)
                if due is not None:
                    self._next_start[row.site] = due
        return rows

    def _new_or_by_timetable(self, now: datetime) -> set[str]:
        """Returns sites that may be due although nothing of theirs in the database is."""
        ready = (site for site in self._new if self._may_begin(site, now))
        new = list(islice(ready, 4 * self._places))
        by_timetable = [
            name
            for name, site in self._declarations.sites.items()
            if site.plan.timetable.is_fixed and self._next_start.get(name, now) <= now
        ]
        return {site for site in (*new, *by_timetable) if site not in self._running}

    def _may_begin(self, site: str, now: datetime) -> bool:
        declared = self._declarations.sites.get(site)
        if declared is None or site in self._running or site in self._not_before:
            return False
        return not self._declarations.plan(site).paused and not declared.plan.timetable.is_quiet(now)

    def plans(self, now: datetime) -> dict[str, SitePlan]:
        """Returns the plans of all sites; sites that are not to be tried now are paused in them."""
        self._not_before = {site: until for site, until in self._not_before.items() if until > now}
        plans = self._declarations.plans
        for site in self._not_before.keys() & plans.keys():
            plans[site] = replace(plans[site], paused=True)
        return plans

    def next_due(self) -> dict[str, datetime]:
        """Returns when each site is due next. Blocks. Raises StorageError."""
        declared = self._declarations.sites
        with self._store.reading() as connection:
            next_due = sites.next_due(connection, declared)
        return next_due | {site: due for site, due in self._next_start.items() if site in declared}

    def begun(self, site: str) -> None:
        """Notes that a crawl of the site begins."""
        if site in self._new:  # until its first crawl has ended, but after the others
            self._new[site] = self._new.pop(site)
        self._next_start.pop(site, None)

    def put_off(self, site: str, until: datetime) -> None:
        """Keeps the site from being tried before this time."""
        self._not_before[site] = until

    def is_put_off(self, site: str) -> bool:
        """Returns whether the site is not to be tried now."""
        return site in self._not_before

    def file_changed(self, site: str) -> None:
        """Notes that the site's declaration was read again: it may be tried at once."""
        self._not_before.pop(site, None)
        self._next_start.pop(site, None)

    def declarations_changed(self) -> None:
        """Notes that sites may have been declared which were not before."""
        self._undeclared -= self._declarations.sites.keys()
