"""A crawl with an archive and without a network, to be killed: archive_child.py DATABASE FOLDER PAGES FILE_BYTES MOST.

Its feed answers once with everything. Every fifth page has the bytes of the one before. Says "open" once the work
begins. With FORGET in the environment it forgets that address instead. With MACHINE it does what that machine was asked
to remove. With OBJECTS that folder is an object store into which closed files are moved, with MOVE those of an earlier
process alone.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from made_pages import NOW, made_page
from source_items import as_planned, hourly

from newscrawl.archive import objects as object_store
from newscrawl.archive.remove import forget, remove_asked
from newscrawl.archive.retention import ArchiveBudget, keep_within
from newscrawl.archive.upload import move_all
from newscrawl.archive.writer import ArchiveSettings, ArchiveWriter
from newscrawl.model import Candidate, Discovery, Exchange, ProcessedPage, RawPage
from newscrawl.storage.frontier import pages, sources
from newscrawl.storage.frontier.source_state import Reading
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import Store, open_store

FEED = "https://harbour.example/feed.xml"


def body(number: int) -> bytes:
    return f"<p>Ferry number {number - (number % 5 == 1)} left the harbour. ".encode() * 20


def fetched(url: str) -> RawPage:
    number = int(url.rpartition("/")[2])
    return RawPage(url, url, 200, {"content-type": "text/html"}, body(number), NOW, "harbour", None, Exchange())


def processed(raw: RawPage) -> ProcessedPage:
    made = made_page(raw.url, (raw.body or b"").decode(), title="Ferry")
    return replace(made, raw=replace(raw, body=None, exchange=None))


def crawl(store: Store, keeper: ArchiveWriter, count: int) -> None:
    if not [source for source in store.run(sources.load_site, "harbour").result() if source.etag]:
        answer = SourceAnswer("harbour", FEED, "feed", 200, NOW, etag='"v1"')
        found = [Candidate(f"https://harbour.example/{n}", Discovery("feed", FEED)) for n in range(count)]
        store.record(Reading(answer, found, NOW, hourly, as_planned)).result()
    while due := store.run(pages.due, "harbour", NOW, 10).result():
        raws = [fetched(page.url) for page in due]
        kept = [(raw, keeper.keep(raw)) for raw in raws]
        saved = [store.save(processed(replace(raw, capture=future.result()))) for raw, future in kept]
        for future in saved:
            future.result()


def local_objects(folder: Path) -> object_store.ObjectPlace:
    """Returns an object store in a folder: that of obstore, with the conditional writes of the others."""
    from obstore.store import LocalStore

    opened = LocalStore(folder, mkdir=True)
    object_store.connect = lambda _address: (opened, opened)
    return object_store.object_place_at("s3://harbour/archive")


def main(database: str, folder: Path, count: int, file_bytes: int, most: int) -> None:
    objects = local_objects(Path(os.environ["OBJECTS"])) if "OBJECTS" in os.environ else None
    address = objects.address if objects is not None else None
    with open_store(database, upgrade=False, batch_size=10, max_wait=0.02) as store:
        print("open", flush=True)
        if "FORGET" in os.environ:
            forget(store, ArchiveSettings(folder, store_address=address), [os.environ["FORGET"]])
            return
        if objects is not None and "MOVE" in os.environ:
            archive = ArchiveSettings(folder, budget=ArchiveBudget(bytes=most or None), store_address=address)
            move_all(archive, store, objects)
            keep_within(objects, store, archive.budget, datetime.now(UTC), archive.machine)
            return
        if "MACHINE" in os.environ:
            remove_asked(store, ArchiveSettings(folder, machine=os.environ["MACHINE"]), NOW)
            return
        keeper = ArchiveWriter(
            ArchiveSettings(folder, file_bytes, ArchiveBudget(bytes=most or None), store_address=address),
            store,
        )
        crawl(store, keeper, count)
        keeper.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
