"""Kill what writes archive, store, change feed and search index together, and see that all four tell the same.

    python -m benchmarks.kill.stories --rounds 300
    python -m benchmarks.kill.stories --rounds 300 --postgresql

In each round a process keeps pages in the archive, stores their articles (new ones, versions, copies, the same bytes
again), gives the changes to a file and to the search index, forgets a page or does the upkeep, and dies by SIGKILL at
the n-th hit of a failpoint, or at a random moment. Another process then goes on where it was, and the parent compares
article for article: SQL, archive, feed and index must agree. The rounds go on in one database, a fifth in another whose
archive has a limit.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import click
from source_items import as_planned, hourly

from newscrawl import reports
from newscrawl.archive.read import Archived, groups, load
from newscrawl.archive.recover import recover
from newscrawl.archive.remove import forget as forget_archived
from newscrawl.archive.retention import ArchiveBudget
from newscrawl.archive.writer import ArchiveSettings, ArchiveWriter
from newscrawl.crawling.runtime.database_upkeep import Upkeep
from newscrawl.model import Article, Candidate, Discovery, Exchange, Metadata, ProcessedPage, RawPage
from newscrawl.model.identity import content_hash, identity_key, url_key
from newscrawl.model.identity.signature import signature
from newscrawl.publishing.feed.jsonl import JsonLines
from newscrawl.publishing.feed.reader import FeedReader
from newscrawl.publishing.search import Filters, open_index, parse_query, update_index
from newscrawl.storage.captures import locations
from newscrawl.storage.frontier.source_state import Reading
from newscrawl.storage.reader import open_reader
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.removal.forget import forget_url
from newscrawl.storage.removal.retention import RetentionLimits, RetentionTimes
from newscrawl.storage.store import Store, open_store
from newscrawl.testing.services import postgresql
from newscrawl.workers.processes import failpoints


@dataclass(frozen=True, slots=True)
class Place:
    """Where everything of the rounds is."""

    database: str
    folder: Path
    most: int | None = None
    """Bytes the archive may hold; with a limit, it need not have what SQL has."""

    @property
    def archive(self) -> Path:
        return self.folder / "archive"

    @property
    def changes(self) -> Path:
        return self.folder / "changes.jsonl"

    @property
    def wish(self) -> Path:
        """The address that is being forgotten: the operator asks again after a kill."""
        return self.folder / "forget"


def problems(place: Place) -> Iterator[str]:
    """What does not agree."""
    with open_reader(place.database) as connection:
        current = {article.id: article for article in reports.articles(connection)}
        files = {file.id: file for file in locations.files(connection)}
        rows = [row for number in files for row in locations.captures_of_file(connection, number)]
        if connection.dialect.name == "sqlite":
            broken = connection.exec_driver_sql("PRAGMA integrity_check").scalar()
            yield from [] if broken == "ok" else [f"integrity check: {broken}"]
    yield from _archive_problems(place, files, rows, current)
    yield from _feed_problems(place, current)
    with contextlib.closing(open_index(place.database)) as index:
        for number, article in current.items():
            word = article.text.split()[-4] if "editor" in article.text else None
            if word is not None and [one.article_id for one in index.matches(parse_query(word), Filters(), 9)] != [
                number
            ]:
                yield f"article {number} is not in the index as it is"
        found = {one.article_id for one in index.matches(parse_query("ferry"), Filters(), 10_000)}
        yield from [] if found == set(current) else [f"the index has {sorted(found ^ set(current))} wrong"]


def _archive_problems(
    place: Place,
    files: dict[int, locations.ArchiveFile],
    rows: list[locations.StoredCapture],
    current: dict[int, reports.ExportedArticle],
) -> Iterator[str]:
    on_disk = {path.name for path in place.archive.iterdir()}
    if on_disk != {file.name for file in files.values()}:
        yield f"files on the disk and in SQL differ: {sorted(on_disk ^ {file.name for file in files.values()})}"
        return
    shown: set[tuple[int, str]] = set()
    for row in rows:
        spot = row.capture.body
        if spot is None:
            if place.most is None or row.capture.kind != "revisit":  # what it repeats may be gone by the limit
                yield f"capture {row.id} has no bytes"
            continue
        body = (load(Archived.of(row, place.archive, files[spot.file].name), 1 << 20).body or b"").decode()
        if row.article_id in current:
            shown.add((row.article_id, row.url))
            if body != f"<p>{current[row.article_id].text}</p>":
                yield f"the archive has other bytes of {row.url} than article {row.article_id}"
    whole = set()
    for number, file in files.items():
        with (place.archive / file.name).open("rb") as opened:
            whole |= {(number, group.offset, group.length) for group in groups(opened)}
    known = {
        (spot.file, spot.offset, spot.length) for row in rows for spot in (row.capture.spot, row.capture.body) if spot
    }
    if known - whole:
        yield f"{len(known - whole)} captures are in SQL alone"
    if place.most is None:
        yield from [] if whole == known else [f"{len(whole - known)} captures are on the disk alone"]
        told = {(number, url) for number, article in current.items() for url in article.pages}
        yield from (f"{url} shows article {number} and no capture does" for number, url in sorted(told - shown))


def _feed_problems(place: Place, current: dict[int, reports.ExportedArticle]) -> Iterator[str]:
    told: dict[int, tuple[str, int]] = {}
    for line in place.changes.read_text(encoding="utf-8").splitlines():
        try:
            change = json.loads(line)
        except ValueError:
            continue  # half written when the process died; it comes again
        if change["op"] == "remove":
            told.pop(change["article_id"], None)
        elif change["op"] == "upsert":
            told[change["article_id"]] = (change["article"]["text"], change["story_id"])
    for number in sorted(told.keys() | current.keys()):
        now = (current[number].text, current[number].cluster) if number in current else None
        if told.get(number) != now:
            yield f"article {number} is {str(told.get(number))[-60:]!r} in the feed and {str(now)[-60:]!r} in SQL"


BEGIN: Final = datetime(2026, 11, 21, tzinfo=UTC)
PAGES: Final = 60
STEPS: Final = 24
"""Pages fetched by one process, if it lives."""
AT_RANDOM: Final = "a random moment"
MAX_HITS: Final = {
    failpoints.MID_TRANSACTION: 20,
    failpoints.AFTER_COMMIT: 4,
    failpoints.AFTER_SOURCE_ANSWER: 1,
    failpoints.UPKEEP_PART: 2,
    failpoints.ARCHIVE_HALF: 4,
    failpoints.ARCHIVE_WRITTEN: 4,
    failpoints.ARCHIVE_SYNCED: 4,
    failpoints.ARCHIVE_ROTATED: 1,
    failpoints.ARCHIVE_DELETED: 1,
    failpoints.ARCHIVE_REWRITTEN: 1,
    failpoints.ARCHIVE_REPLACED: 1,
    failpoints.FEED_SENT: 4,
    failpoints.INDEX_HALF: 2,
    AT_RANDOM: 1,
}
"""How often `work` passes each point, about. No text is extracted here, so that point is none: the article is the
body."""
FORGETTING: Final = frozenset({failpoints.ARCHIVE_REWRITTEN, failpoints.ARCHIVE_REPLACED})
KILLED: Final = (-signal.SIGKILL, -signal.SIGALRM)
"""How a process ends that was killed: nothing of ours runs after either."""
FILE_BYTES: Final = 8_000
SMALL: Final = 30_000
"""Bytes of an archive with a limit, in a fifth of the rounds."""
TOLD: Final = 25
"""Rounds between two lines of progress."""
RETENTION: Final = RetentionLimits(
    sites={"s3": RetentionTimes(articles=timedelta(hours=40), versions=timedelta(hours=20))}
)


def url_of(number: int) -> str:
    """The address of a page."""
    return f"https://s{number % 4}.example/{number}"


def text_of(number: int, version: int) -> str:
    """What a page shows: `v1x2` is in no other text; of five pages four have one story, each with a line of its own."""
    of = number - number % 5 if number % 5 < 4 else number
    told = " ".join(f"Ferry {of} carried {version * 7 + line} people to pier {of * line}." for line in range(14))
    return f"{told} Word of editor v{number}x{version} and nobody else." if number % 7 != 3 else told


def fetched(number: int, version: int, at: datetime) -> RawPage:
    """A page as a spider yields it."""
    body = f"<p>{text_of(number, version)}</p>".encode()
    site = f"s{number % 4}"
    return RawPage(url_of(number), url_of(number), 200, {}, body, at, site, None, Exchange())


def processed(raw: RawPage) -> ProcessedPage:
    """The page as the pipelines hand it over."""
    text = (raw.body or b"").decode()[3:-4]
    hashes = {
        "content_hash": content_hash(text),
        "identity_key": identity_key(text, url_key(raw.url), 99),
        "signature": signature(text),
    }
    article = Article(raw.url, str(raw.site), Metadata(title="Ferry"), text, "made", "article", **hashes)  # type: ignore[arg-type]
    return ProcessedPage(replace(raw, body=None, exchange=None), article)


def work(place: Place, number: int, chance: random.Random, name: str) -> None:
    """What one process does that is to die at the point of this name."""
    at = BEGIN + timedelta(hours=number)
    with open_store(place.database, upgrade=False, batch_size=6, max_wait=0.01) as store:
        finish_forgetting(place, store, at)
        budget = ArchiveBudget(bytes=place.most)
        keeper = ArchiveWriter(ArchiveSettings(place.archive, FILE_BYTES, budget, least_free=0), store)
        answer = SourceAnswer("s0", "https://s0.example/feed", "feed", 200, at)
        named = [Candidate(url_of(4 * PAGES + number), Discovery("feed", answer.url))]
        store.record(Reading(answer, named, at, hourly, as_planned)).result()
        for step in range(0, STEPS, 6):
            chosen = chance.sample(range(PAGES), 6)
            raws = [fetched(one, chance.choice([number, 1]), at + timedelta(seconds=step)) for one in chosen]
            kept = [(raw, keeper.keep(raw)) for raw in raws]
            saved = [store.save(processed(replace(raw, capture=future.result()))) for raw, future in kept]
            for future in saved:
                future.result()
            give(place, store, at, chance.randint(0, 2))
        keeper.close()
        if name in FORGETTING or (name != failpoints.UPKEEP_PART and chance.random() < 0.5):
            place.wish.write_text(url_of(chance.randrange(PAGES)))
            finish_forgetting(place, store, at)
        else:
            Upkeep(RETENTION, None, at).work(store)
        give(place, store, at)


def finish_forgetting(place: Place, store: Store, at: datetime) -> None:
    """`newscrawl forget` of the address that was wished for."""
    if place.wish.exists() and (url := place.wish.read_text()):
        forget_archived(store, ArchiveSettings(place.archive), [url], now=at)
        store.run(forget_url, url, at).result()
        place.wish.unlink()


def give(place: Place, store: Store, at: datetime, most: int = 10**6) -> None:
    """Gives at most so many parts of the feed to its consumers."""
    sink = JsonLines.to_file(place.changes)
    reader = FeedReader(store, sink, "file", lambda: at, batch=8)
    while most > 0 and reader.step():
        most -= 1
    sink.close()
    if most:
        with contextlib.closing(open_index(place.database)) as index:
            update_index(index, lambda: open_reader(place.database))


def settled(place: Place, number: int) -> None:
    """What the next process does before it goes on: nothing new is fetched."""
    at = BEGIN + timedelta(hours=number, minutes=30)
    with open_store(place.database, upgrade=False) as store:
        finish_forgetting(place, store, at)
        recover(place.archive, store)
        give(place, store, at)


def child(place: Place, number: int, seed: int, failpoint: str = "") -> int:
    """Runs `work`, or without a failpoint `settled`, in a process of its own; its exit code, -9 if it was killed."""
    process = os.fork()
    if process == 0:
        code = 1
        try:
            failpoints.arm(None if failpoint.startswith(AT_RANDOM) else failpoint)
            if failpoint.startswith(AT_RANDOM):
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.setitimer(signal.ITIMER_REAL, random.Random(seed).uniform(0.02, 0.8))
            if failpoint:
                work(place, number, random.Random(seed), failpoint.partition(":")[0])
            else:
                settled(place, number)
            code = 0
        except BaseException as error:  # noqa: BLE001  the parent hears of it by the exit code
            print(f"round {number}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        finally:
            os._exit(code)
    _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status)


def play(place: Place, rounds: int, seed: int) -> tuple[Counter[str], list[str]]:
    """All rounds; how often it died where, and what was wrong."""
    chance = random.Random(seed)
    names = [name for name in MAX_HITS if name != failpoints.ARCHIVE_DELETED or place.most is not None]
    died: Counter[str] = Counter()
    wrong: list[str] = []
    for number in range(rounds):
        name = names[number % len(names)]
        failpoint = f"{name}:{chance.randint(1, MAX_HITS[name])}"
        code = child(place, number, chance.getrandbits(32), failpoint)
        died[name if code in KILLED else "not reached"] += 1
        codes = [code] if code not in {0, *KILLED} else []
        if end := child(place, number, 0):
            codes.append(end)
        found = [*(f"exit code {one}" for one in codes), *problems(place)]
        wrong += [f"round {number}, {failpoint}: {problem}" for problem in found]
        if wrong:
            break  # what follows would be wrong for the same reason
        if number % TOLD == TOLD - 1:
            click.echo(f"{number + 1} rounds", err=True)  # no bar: its thread would not outlive the forks
    return died, wrong


@contextlib.contextmanager
def new_place(*, on_postgresql: bool, most: int | None = None) -> Iterator[Place]:
    """A new database with the schema, and folders."""
    with tempfile.TemporaryDirectory(prefix="newscrawl-stories-") as name, contextlib.ExitStack() as stack:
        database = f"sqlite:///{name}/news.db"
        if on_postgresql:
            database = postgresql.new_database(stack.enter_context(postgresql.server()))
        open_store(database, upgrade=True).close()
        yield Place(database, Path(name), most)


@click.command()
@click.option("--rounds", default=300, show_default=True, type=click.IntRange(min=1))
@click.option("--postgresql", "on_postgresql", is_flag=True, help="PostgreSQL instead of SQLite.")
@click.option("--seed", default=1, show_default=True)
def main(rounds: int, on_postgresql: bool, seed: int) -> None:
    """Kill, go on, compare. Example: python -m benchmarks.kill.stories --rounds 300 --postgresql"""
    started, died, wrong = time.monotonic(), Counter[str](), list[str]()
    for most, part in ((None, rounds - rounds // 5), (SMALL, rounds // 5)):
        if not part:
            continue
        with new_place(on_postgresql=on_postgresql, most=most) as place:
            where, found = play(place, part, seed)
        died += where
        wrong += found
    kind, seconds = "PostgreSQL" if on_postgresql else "SQLite", time.monotonic() - started
    click.echo(f"{kind}: {sum(died.values())} rounds in {seconds:.0f} s")
    click.echo("killed at " + ", ".join(f"{name} {count}" for name, count in died.items()))
    click.echo("\n".join(wrong) or "SQL, archive, feed and index agree after every round")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
