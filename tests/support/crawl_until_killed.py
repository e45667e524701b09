"""A crawl without a network, for test_crashes.py to kill: python crawl_until_killed.py DATABASE_URL PAGES DUPLICATES.

Its feed answers once with everything it has, and 304 from then on, as a server does whose validators were stored.
Says "open" once the work begins.
"""

from __future__ import annotations

import sys

from made_pages import NOW, made_page

from newscrawl.crawling.scheduling.announced_edits import earlier_visits
from newscrawl.crawling.scheduling.sources import plan
from newscrawl.model import Candidate, Discovery, ProcessedPage
from newscrawl.storage.frontier import pages, sources
from newscrawl.storage.frontier.source_state import Reading
from newscrawl.storage.records import DuePage, SourceAnswer
from newscrawl.storage.store import Store, open_store

FEED = "https://harbour.example/feed.xml"


def read_feed(store: Store, count: int) -> None:
    known = [source for source in store.run(sources.load_site, "harbour").result() if source.etag]
    answer = SourceAnswer("harbour", FEED, "feed", 304 if known else 200, NOW, etag='"v1"')
    urls = [] if known else [f"https://harbour.example/{n}" for n in range(count)]
    store.record(
        Reading(answer, [Candidate(url, Discovery("feed", FEED)) for url in urls], NOW, plan, earlier_visits)
    ).result()


def fetched(due: DuePage, duplicates: int) -> ProcessedPage:
    number = int(due.url.rpartition("/")[2])
    text = f"Ferry number {number if number >= duplicates else number + duplicates} left the harbour. " * 20
    return made_page(due.url, text, fetched_at=NOW, discovery=due.discovery, title=f"Ferry {number}")


def main(url: str, count: int, duplicates: int) -> None:
    with open_store(url, upgrade=False, batch_size=20, max_wait=0.05) as store:
        print("open", flush=True)
        read_feed(store, count)
        while due := store.run(pages.due, "harbour", NOW, 20).result():
            for future in [store.save(fetched(page, duplicates)) for page in due]:
                future.result()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
