"""The size of the search index and the time of a query: made articles, stored and indexed as those of a crawl, then
queries of many kinds.

    python -m benchmarks.search [--articles 50000] [--database URL]

Words are made up, have endings, and are as frequent as words are (Zipf's law, exponent 1.1). The articles are in five
languages and in one script without blanks. Each query is asked as `newscrawl search` asks it.
Beside the times are CPU times of this process, which includes SQLite and not PostgreSQL. On a busy machine they say
more.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import accumulate
from pathlib import Path

from sqlalchemy import text

from newscrawl.model import Article, Metadata, ProcessedPage, RawPage
from newscrawl.model.identity import content_hash, identity_key, url_key
from newscrawl.publishing.search import Filters, find_stories, open_index, parse_query, update_index
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_read
from newscrawl.storage.feed import changes
from newscrawl.storage.reader import open_reader
from newscrawl.storage.store import open_store

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
VOCABULARY = 60_000
WORDS = 400
ROUNDS = 40
LANGUAGES = ("en", "de", "fr", "es", "it")
ENDINGS = ("", "s", "ing", "en", "es", "er")
SYLLABLES = [a + b for a in "bdfghklmnprstvwz" for b in ("a", "e", "i", "o", "u", "ei", "an", "or")]
HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 3_000)]


def vocabulary(rng: random.Random) -> list[str]:
    """Distinct made words."""
    made = ("".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) + rng.choice(ENDINGS) for _ in range(2 * VOCABULARY))
    return list(dict.fromkeys(made))[:VOCABULARY]


def made(count: int, known: list[str], rng: random.Random) -> Iterator[ProcessedPage]:
    """Yields articles. Every tenth is in a script without blanks."""
    weights = list(accumulate(1 / (rank + 2) ** 1.1 for rank in range(len(known))))
    han = list(accumulate(1 / (rank + 2) for rank in range(len(HAN))))
    for number in range(count):
        if number % 10:
            body = " ".join(rng.choices(known, cum_weights=weights, k=WORDS))
            title = " ".join(rng.choices(known, cum_weights=weights, k=8))
        else:
            body = "。".join("".join(rng.choices(HAN, cum_weights=han, k=25)) for _ in range(40))
            title = body[:20]
        url = f"http://site{number % 50}.example/{number}"
        raw = RawPage(url, url, 200, {}, None, NOW - timedelta(minutes=number), f"site{number % 50}", None)
        metadata = Metadata(title=title, language=LANGUAGES[number % 5] if number % 10 else "zh")
        yield ProcessedPage(
            raw,
            article=Article(
                url=url,
                site=raw.site,
                text=body,
                verdict="article",
                extractor="made",
                content_hash=content_hash(body),
                identity_key=identity_key(body, url_key(url), WORDS),
                metadata=metadata,
            ),
        )


def questions(known: list[str], rng: random.Random) -> dict[str, list[tuple[str, Filters]]]:
    """Returns queries by kind."""
    rare, common = known[2_000:], known[:200]
    none = Filters()
    return {
        "one rare word": [(rng.choice(rare), none) for _ in range(ROUNDS)],
        "one common word": [(rng.choice(common), none) for _ in range(ROUNDS)],
        "the commonest word": [(known[0], none)] * 5,
        "two common words": [(" ".join(rng.choices(common, k=2)), none) for _ in range(ROUNDS)],
        "common and rare": [(f"{rng.choice(common)} {rng.choice(rare)}", none) for _ in range(ROUNDS)],
        "a phrase of common words": [(f'"{known[0]} {rng.choice(common)}"', none) for _ in range(ROUNDS)],
        "the beginning of words": [(rng.choice(rare)[:4] + "*", none) for _ in range(ROUNDS)],
        "one common word, in quotes": [(f'"{rng.choice(common)}"', none) for _ in range(ROUNDS)],
        "one of two common words": [(" OR ".join(rng.choices(common, k=2)), none) for _ in range(ROUNDS)],
        "a common word in the title": [(f"title:{rng.choice(common)}", none) for _ in range(ROUNDS)],
        "common, one language": [(f"{rng.choice(common)} lang:de", none) for _ in range(ROUNDS)],
        "without a word": [(f"{rng.choice(rare)} -{known[0]}", none) for _ in range(ROUNDS)],
        "common, one site": [(rng.choice(common), Filters(site=f"site{rng.randrange(50)}")) for _ in range(ROUNDS)],
        "common, newest day": [(rng.choice(common), Filters(since=NOW - timedelta(days=1))) for _ in range(ROUNDS)],
        "two Han letters": [("".join(rng.choices(HAN[:500], k=2)), none) for _ in range(ROUNDS)],
        "one Han letter": [(rng.choice(HAN[:500]), none) for _ in range(ROUNDS)],
        "10,000 characters": [(" ".join(rng.choices(rare, k=2_000))[:10_000], none) for _ in range(ROUNDS)],
        "quotes and operators": [('" AND ( NOT * ^ {a} NEAR "x ' + rng.choice(rare), none) for _ in range(ROUNDS)],
        "an emoji, SQL": [(f"😀 '; DROP TABLE texts; -- {rng.choice(rare)}", none) for _ in range(ROUNDS)],
    }


def main() -> None:
    """Prints a line for each kind of query, and one for all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--articles", type=int, default=50_000)
    parser.add_argument("--database", help="an empty database, or one that an earlier run has filled (default: a file)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="newscrawl-search-") as folder:
        measure(arguments.database or f"sqlite:///{folder}/news.db", arguments.articles, Path(folder))


def measure(url: str, count: int, folder: Path) -> None:
    """Stores, indexes and searches."""
    rng = random.Random(7)
    known = vocabulary(rng)
    began = time.perf_counter()
    reading = partial(open_reader, url)
    with open_store(url, upgrade=True, batch_size=500) as store:
        with store.reading() as connection:
            is_full = changes.newest(connection) >= count
        waiting = deque[object]()
        for page in () if is_full else made(count, known, rng):
            waiting.append(store.save(page))
            if len(waiting) > 1_000:
                waiting.popleft().result()  # type: ignore[attr-defined]
    stored = time.perf_counter()
    with ExitStack() as keep:
        index = keep.enter_context(closing(open_index(url)))
        taken = update_index(index, reading)
        indexed = time.perf_counter()
        print(f"stored {count} in {stored - began:.0f} s, indexed {taken} changes in {indexed - stored:.0f} s")
        for file in sorted(folder.glob("news.db*")):
            print(f"  {file.name}: {file.stat().st_size / 1e6:.0f} MB")
        if not url.startswith("sqlite"):
            print(f"  newscrawl_search: {size_of_schema(url) / 1e6:.0f} MB")
        everything: list[float] = []
        all_spent: list[float] = []
        connection = keep.enter_context(reading())
        for kind, asked in questions(known, rng).items():
            times, spent, hits = [], [], 0
            for typed, filters in asked:
                start, cpu = time.perf_counter(), time.process_time()
                hits += len(find_stories(index, connection, parse_query(typed), filters, 10))
                times.append(time.perf_counter() - start)
                spent.append(time.process_time() - cpu)
            everything += times
            all_spent += spent
            print(
                f"  {kind:28s} {summary(times)}  {hits / len(asked):.1f} hits  CPU time: {summary(spent)}", flush=True
            )
        print(f"  {'all':28s} {summary(everything)}  CPU time: {summary(all_spent)}")
        reached = time.perf_counter()
        update_index(index, reading)
        print(f"  update without new changes: {(time.perf_counter() - reached) * 1e3:.1f} ms")


def size_of_schema(url: str) -> int:
    """Bytes of the search index in PostgreSQL."""
    engine = make_engine(parse_url(url), pooled=False)
    with begin_read(engine) as connection:
        size = connection.execute(text("SELECT pg_total_relation_size('newscrawl_search.documents')")).scalar_one()
    return int(size)


def summary(times: list[float]) -> str:
    """Median, 95th percentile and longest, in milliseconds."""
    ordered = sorted(times)
    return "  ".join(
        f"{name} {ordered[min(int(len(ordered) * share), len(ordered) - 1)] * 1e3:7.1f} ms"
        for name, share in (("p50", 0.5), ("p95", 0.95), ("longest", 1.0))
    )


if __name__ == "__main__":
    main()
