"""Learns the boilerplate of a site from its archive, and extracts again what a new epoch changes.

Only this makes a new epoch: `newscrawl learn`, and the upkeep of `newscrawl run` if NEWSCRAWL_RUN_LEARN_BOILERPLATE is
on. It reads the newest captures of the site in the archive of this machine. Their texts are replaced as `newscrawl
reextract` replaces them: no version is made, the page keeps its visits, and the change feed names the reason
`re-extracted`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from newscrawl.archive.ingest.worker import Batch, Settings
from newscrawl.archive.reextract.run import Reextraction, ReextractionProgress
from newscrawl.archive.writer import ArchiveSettings
from newscrawl.extraction.article.from_page import read_lines
from newscrawl.extraction.site_boilerplate import SiteBoilerplate
from newscrawl.extraction.site_boilerplate.epoch import key_of
from newscrawl.extraction.site_boilerplate.learn import (
    MIN_CHANGED,
    RECENT_TEXTS,
    RecentText,
    changed_lines,
    changed_share,
    learn,
)
from newscrawl.model.identity import url_key
from newscrawl.storage.captures import reextractions
from newscrawl.storage.captures.locations import Selection, StoredCapture, time_of_newest
from newscrawl.storage.monitoring import site_models
from newscrawl.storage.store import Store

FIRST_CAPTURES: Final = 8
"""Captures with an article from which a site is learned for the first time."""
MAX_NEW: Final = 5_000
"""Further captures after which a site is learned again at the latest; before, whenever their number has doubled. So
learning reads at most one page for 25 that a large site stores."""


@dataclass(frozen=True, slots=True)
class Learned:
    """The boilerplate learned of a site. `is_stored` says whether `new` is its current epoch now; otherwise `old`
    is."""

    site: str
    old: SiteBoilerplate
    new: SiteBoilerplate
    pages: int
    changed: float
    """Share of the pages that `new` changes."""
    is_stored: bool = False


class BoilerplateLearning(Reextraction):
    """Reads the newest captures of a site and collects the lines of their pages."""

    def __init__(self, store: Store, archive: ArchiveSettings, site: str, settings: Settings) -> None:
        with store.reading() as connection:
            since = time_of_newest(connection, site, RECENT_TEXTS)
        settings = replace(settings, work=read_lines)
        super().__init__(store, archive, Selection(site, since), settings)
        self.texts: list[RecentText] = []

    def _take(self, batch: Batch) -> None:
        self.progress.done += len(batch.pages) + sum(batch.skipped.values())
        self.progress.pages += len(batch.pages)
        for page in batch.pages:
            article = page.article
            if article is not None:
                number = key_of(url_key(page.raw.final_url))
                self.texts.append(RecentText.of(number, article.text, article.left_out, article.metadata.title))


class AffectedReextraction(Reextraction):
    """Extracts again the captures whose articles a new epoch changes, and stores the results."""

    def __init__(
        self, store: Store, archive: ArchiveSettings, site: str, settings: Settings, articles: set[int]
    ) -> None:
        self._articles = articles
        super().__init__(store, archive, Selection(site), settings, apply=True)

    def _is_wanted(self, row: StoredCapture) -> bool:
        return row.article_id in self._articles


def learn_site(
    store: Store,
    archive: ArchiveSettings,
    site: str,
    settings: Settings,
    now: datetime,
    *,
    stores: bool = True,
    goes_on: Callable[[], bool] = lambda: True,
) -> Learned:
    """Learns a site and stores the next epoch if it changes enough recent pages. `settings` have the options with which
    the site's pages are extracted. Nothing is learned once `goes_on` returns False. Raises StorageError, ArchiveError,
    WorkerDied."""
    work = BoilerplateLearning(store, archive, site, settings)
    is_complete = _ran(work, goes_on)
    with store.reading() as connection:
        old = site_models.boilerplate(connection, site)
    if not is_complete:
        return Learned(site, old, old, len(work.texts), 0.0)
    new = learn(work.texts, old)
    changed = changed_share(work.texts, old, new)
    found = Learned(site, old, new, len(work.texts), changed)
    if not stores or changed < MIN_CHANGED:
        return found
    is_stored = store.run(site_models.add_boilerplate, site, new, now).result()
    store.run(site_models.evict_boilerplate, now).result()
    return replace(found, is_stored=is_stored)


def reextract_site(
    store: Store,
    archive: ArchiveSettings,
    site: str,
    settings: Settings,
    now: datetime,
    *,
    goes_on: Callable[[], bool] = lambda: True,
) -> ReextractionProgress:
    """Extracts again what the current epoch changes since the one with which this machine last did so, and notes that
    it has. Without a new epoch nothing is read. Once `goes_on` returns False it ends without the note, and the next
    call does the rest. Raises StorageError, ArchiveError, WorkerDied."""
    with store.reading() as connection:
        current = site_models.boilerplate(connection, site)
        done, _ = reextractions.checked(connection, site, archive.machine)
        before = site_models.boilerplate_epoch(connection, site, done) if done else SiteBoilerplate()
        keys = changed_lines(before, current) if done != current.epoch else frozenset()
        affected = reextractions.articles_with(connection, site, keys) if keys else set()
    progress = ReextractionProgress()
    if affected:
        options = settings.of_sites.get(site, settings.options).with_boilerplate(current)
        settings = replace(settings, of_sites={**settings.of_sites, site: options})
        work = AffectedReextraction(store, archive, site, settings, affected)
        is_complete = _ran(work, goes_on)
        progress = work.progress
        if not is_complete:
            return progress
    store.run(reextractions.note_checked, site, archive.machine, current.epoch, now).result()
    return progress


def _ran(work: Reextraction, goes_on: Callable[[], bool]) -> bool:
    """Runs until all is done, or `goes_on` returns False; then the workers end after their current pages. Returns
    whether all is done."""
    with closing(work.run()) as steps:
        for _ in steps:
            if not goes_on():
                return False
    return True


def is_due(before: int, new: int) -> bool:
    """Returns whether a site is learned again, which had `before` captures when that was last done and has `new` ones
    since."""
    return new >= max(FIRST_CAPTURES, min(before, MAX_NEW))


def due_sites(store: Store, machine: str, sites: Iterable[str]) -> Iterator[str]:
    """Yields those of the sites that are to be learned, or extracted again on this machine."""
    with store.reading() as connection:
        pending = set(reextractions.not_reextracted(connection, machine))
    for site in sites:
        with store.reading() as connection:
            _, since = reextractions.checked(connection, site, machine)
            numbers = reextractions.captures_since(connection, site, since)
        if site in pending or is_due(*numbers):
            yield site


def learn_due(
    store: Store,
    archive: ArchiveSettings,
    sites: Iterable[str],
    settings: Settings,
    now: datetime,
    goes_on: Callable[[], bool],
    *,
    learns: bool = True,
) -> Counter[str]:
    """Learns the sites that are due, one after the other, and extracts again what that changes; without `learns` only
    the latter. Sites that do not leave out their boilerplate are passed over.
    Returns the numbers of new `epochs` and `reextracted` pages."""
    done: Counter[str] = Counter()
    for site in due_sites(store, archive.machine, sites):
        if not goes_on():
            break
        if not settings.of_sites.get(site, settings.options).leaves_out_boilerplate:
            continue
        if learns:
            done["epochs"] += learn_site(store, archive, site, settings, now, goes_on=goes_on).is_stored
        if not goes_on():
            break  # `reextract_site` would note that the site was looked at
        done["reextracted"] += reextract_site(store, archive, site, settings, now, goes_on=goes_on).changed
    return done
