"""Sends changes to a search server with constant faults. At the end the index must equal the table.

    python -m benchmarks.feed.faults [--changes 5000] [--seconds 150]
    python -m benchmarks.feed.faults --changes 100000 --seconds 7200

A third of the changes are new texts of known pages, some are copies of another story, some pages are forgotten. One
request in five fails (newscrawl.testing.services.search_server). The server is killed three times and forgets all.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from datetime import UTC, datetime, timedelta
from functools import partial

from newscrawl.errors import FeedError
from newscrawl.feed.opensearch import OpenSearch
from newscrawl.feed.reader import FeedReader
from newscrawl.feed.search_server import SearchServer
from newscrawl.identity import content_hash, identity_key, url_key
from newscrawl.identity.signature import signature
from newscrawl.model import Article, Metadata, ProcessedPage, RawPage
from newscrawl.reports import articles
from newscrawl.storage.feed import changes
from newscrawl.storage.reader import open_reader
from newscrawl.storage.removal.forget import forget_url
from newscrawl.storage.store import Store, open_store
from newscrawl.testing.services.search_server import Proxy, Server, at_random, serving

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
STEP = 250
KILLS = 3


def page(number: int, text: str, hours: int) -> ProcessedPage:
    """Returns a page that shows the text."""
    url = f"http://site{number % 20}.example/{number}"
    raw = RawPage(url, url, 200, {}, None, NOW + timedelta(hours=hours), f"site{number % 20}", None)
    hashes = {"content_hash": content_hash(text), "identity_key": identity_key(text, url_key(url), 100)}
    article = Article(
        url=url,
        site=raw.site,
        text=text,
        verdict="article",
        extractor="made",
        metadata=Metadata(title=f"Story {number}", language="en"),
        signature=signature(text),
        **hashes,
    )
    return ProcessedPage(raw, article=article)


def change(store: Store, rng: random.Random, texts: dict[int, str], hours: int) -> None:
    """Makes one part of the changes."""
    waiting = []
    for _ in range(STEP):
        number = rng.randrange(len(texts)) if texts and rng.random() < 0.33 else len(texts)
        if texts and rng.random() < 0.2:
            text = f"{texts[rng.randrange(len(texts))]} Reported by editor {rng.randrange(1000)}."
        else:
            text = " ".join(f"w{rng.randrange(50_000)}" for _ in range(120))
        texts[number] = text
        waiting.append(store.save(page(number, text, hours)))
    for future in waiting:
        future.result()
    for number in rng.sample(range(len(texts)), 3):
        store.run(forget_url, page(number, "", 0).raw.url, NOW).result()


def difference(store: Store, server: Server) -> list[str]:
    """Returns the differences between the index and the table."""
    stories: dict[int, dict[int, str]] = {}
    with store.reading() as connection:
        for article in articles(connection):
            stories.setdefault(article.cluster, {})[article.id] = article.text
    found = server.documents("news")
    wrong = [f"story {number} is missing" for number in stories if str(number) not in found]
    for number, document in found.items():
        members = stories.get(int(number), {})
        if document["members"] != sorted(members):
            wrong.append(f"story {number} has {document['members']}, not {sorted(members)}")
        elif document["text"]["en"] != members[document["article"]]:
            wrong.append(f"story {number} has an old text")
    print(f"{len(stories)} stories in the table, {len(found)} in the index")
    return wrong


def main() -> None:
    """Prints the counts and the differences. The exit code is 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", type=int, default=5_000)
    parser.add_argument("--seconds", type=float, default=150, help="seconds after which no new changes are made")
    arguments = parser.parse_args()
    rng = random.Random(11)
    server = Server()
    proxy = Proxy(server, at_random(random.Random(12), 0.2))
    try:
        with tempfile.TemporaryDirectory() as folder, serving(proxy) as proxy_url:
            url = f"sqlite:///{folder}/news.db"
            with open_store(url, upgrade=True) as store:
                wrong = run(store, url, server, proxy_url, rng, arguments.changes, arguments.seconds)
    finally:
        server.kill()
    print("\n".join(wrong[:20]) or "the index equals the table")
    raise SystemExit(bool(wrong))


def run(
    store: Store, url: str, server: Server, proxy_url: str, rng: random.Random, wanted: int, seconds: float
) -> list[str]:
    """Makes changes and feeds them in turn. Returns the differences."""
    sink = OpenSearch(
        SearchServer(proxy_url, timeout=0.4, sleep=lambda pause: time.sleep(pause / 50)),
        "news",
        partial(open_reader, url),
    )
    reader = FeedReader(store, sink, "bench", lambda: NOW, batch=100)
    texts: dict[int, str] = {}
    made, errors, began, parts = 0, 0, time.monotonic(), 0
    kill_at = {wanted * part // (KILLS + 1) // STEP for part in range(1, KILLS + 1)}
    more = True
    while more:
        change(store, rng, texts, parts)
        parts += 1
        with store.reading() as connection:
            made = changes.newest(connection)
        more = made < wanted and time.monotonic() - began < seconds
        if parts in kill_at:
            server.kill()
            server.start()
        while True:
            try:
                if not reader.step():
                    break
            except FeedError:
                errors += 1
    sink.close()
    print(f"{made} changes in {time.monotonic() - began:.0f} s, {errors} feeds ended with an error and continued")
    return [*difference(store, server), *(f"story {number} refused" for number in sink.refused)]


if __name__ == "__main__":
    main()
