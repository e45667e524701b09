"""The commands into which benchmarks.faults injects faults: their initial states, the site that they crawl, and the
state that each of them left."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from crash_recovery import CrashSite
from sqlalchemy import Connection, NullPool, create_engine, inspect

from newscrawl.demo.keep_alive import KeepAliveHandler, KeepAliveServer
from newscrawl.storage.engine.database import parse_url
from newscrawl.testing.project import write_project
from newscrawl.testing.services import postgresql

QUERIES: Final = {
    "article": "SELECT content_hash, text FROM articles",
    "page": """SELECT pages.url_key, pages.state, pages.verdict, articles.content_hash
               FROM pages LEFT JOIN articles ON articles.id = pages.article_id""",
    "address": "SELECT urls.url_key, pages.url_key FROM urls JOIN pages ON pages.id = urls.page_id",
    "version": """SELECT pages.url_key, articles.content_hash, versions.title FROM versions
                  JOIN pages ON pages.id = versions.page_id JOIN articles ON articles.id = versions.article_id""",
    "change": """SELECT changes.op, articles.content_hash FROM changes
                 LEFT JOIN articles ON articles.id = changes.article_id""",
    "dead letter": "SELECT url, reason FROM events WHERE kind = 'stored/dead_letter'",
    "story member": """SELECT articles.content_hash, first.content_hash FROM articles
                       JOIN articles AS first ON first.id = articles.story_id""",
    "block": "SELECT key FROM blocklist",
}
ADDRESSES: Final = re.compile(rb"^WARC-Target-URI: (\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Ended:
    """What must exist once each, and how many changes a sink received more than once."""

    things: Counter[tuple[str, ...]] = field(default_factory=Counter)
    again: int = 0
    broken: tuple[str, ...] = ()


def difference(expected: Ended, found: Ended) -> dict[str, list[str]]:
    """What is lost, and what exists twice or should not exist."""
    lost = [*map(_line, (expected.things - found.things).elements()), *found.broken]
    doubled = [_line(one) for one in (found.things - expected.things).elements()]
    return {kind: lines for kind, lines in (("lost", lost), ("doubled", doubled)) if lines}


def _line(thing: tuple[str, ...]) -> str:
    return " ".join(part[:60] for part in thing)


@contextmanager
def _reading(address: str) -> Iterator[Connection | None]:
    """Opens the database; None if there is no such file."""
    url = parse_url(address)
    if url.get_backend_name() == "sqlite":
        if not Path(url.database or "").exists():
            yield None
            return
        url = url.set(database=f"file:{url.database}", query={"mode": "ro", "uri": "true"})
    with create_engine(url, poolclass=NullPool).connect() as connection:
        yield connection


def of_database(address: str, archive: Path | None = None) -> Ended:
    """Returns articles, pages, versions and changes; with an archive also whether each page is in it."""
    things: Counter[tuple[str, ...]] = Counter()
    broken: list[str] = []
    with _reading(address) as connection:
        if connection is None:
            return Ended(broken=("the database",))
        if connection.dialect.name == "sqlite":
            whole = connection.exec_driver_sql("PRAGMA integrity_check").scalar_one()
            broken = [] if whole == "ok" else [f"integrity check: {whole}"]
        names = inspect(connection).get_table_names()
        for thing, query in QUERIES.items():
            if "pages" not in names:
                break
            things.update((thing, *map(str, row)) for row in connection.exec_driver_sql(query))
        if archive is not None and "captures" in names:
            broken += _not_archived(connection, archive)
    return Ended(things, broken=tuple(broken))


def schema_of(address: str) -> Ended:
    """The tables and indexes."""
    with _reading(address) as connection:
        if connection is None:
            return Ended()
        query = "SELECT type, name, sql FROM sqlite_master"
        if connection.dialect.name != "sqlite":
            query = """SELECT table_name, column_name, data_type FROM information_schema.columns
                       WHERE table_schema = 'public'
                       UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"""
        rows = connection.exec_driver_sql(query).all()
    return Ended(Counter(tuple(map(str, row)) for row in rows))


def archived(folder: Path) -> set[str]:
    """Returns the addresses in all files of an archive."""
    files = [gzip.decompress(file.read_bytes()) for file in folder.iterdir() if ".warc" in file.name]
    return {address.decode() for file in files for address in ADDRESSES.findall(file)}


def _not_archived(connection: Connection, archive: Path) -> list[str]:
    """Returns captures whose bytes are missing, and pages of articles without a capture."""
    rows = connection.exec_driver_sql(
        """SELECT captures.url, captures.body_offset, archive_files.name FROM captures
           JOIN archive_files ON archive_files.id = captures.body_file_id"""
    ).all()
    bad = [f"capture of {url}" for url, offset, name in rows if not _is_record(archive, name, offset)]
    pages = connection.exec_driver_sql(
        """SELECT url FROM pages WHERE article_id IS NOT NULL
           AND url_key NOT IN (SELECT url_key FROM captures)"""
    ).all()
    return [*bad, *(f"capture of {url}" for (url,) in pages)]


def _is_record(archive: Path, name: str, offset: int) -> bool:
    for path in (archive / name, archive / f"{name}.open"):
        if path.exists():
            with path.open("rb") as file:
                file.seek(offset)
                try:
                    return zlib.decompressobj(31).decompress(file.read(), 5) == b"WARC/"
                except zlib.error:
                    return False
    return False


def of_lines(lines: list[str]) -> Ended:
    """Returns the changes that a sink received, each once, and those that it received again. An incomplete line of a
    full disk is not counted."""
    seen: Counter[tuple[str, ...]] = Counter()
    for line in lines:
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue
        seen["given", str(entry["seq"]), json.dumps(entry, sort_keys=True)] += 1
    return Ended(Counter(set(seen)), sum(seen.values()) - len(seen))


SITE: Final = "harbour"
DATABASE: Final = "news.db"
ARCHIVE: Final = "news.archive"
CHANGES: Final = "changes.jsonl"
SPIDER: Final = """from newscrawl.crawling.spider import NewsSpider


class Harbour(NewsSpider):
    name = "{site}"
    domains = ("{site}.localhost",)
    home = "{home}"
    feeds = ("{home}feed.xml",)
"""


class Receiver:
    """A receiver of webhooks with the received bodies by path."""

    def __init__(self) -> None:
        self.lines: dict[str, list[str]] = defaultdict(list)
        self._server = KeepAliveServer(("127.0.0.1", 0), self._handler()).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"

    def close(self) -> None:
        """Stops the receiver."""
        self._server.stop()

    def _handler(self) -> type[KeepAliveHandler]:
        lines = self.lines

        class Handler(KeepAliveHandler):
            def do_POST(self) -> None:  # noqa: N802  the name that http.server looks for
                body = self.rfile.read(int(self.headers["Content-Length"]))
                lines[self.path.strip("/")] += map(json.dumps, json.loads(body))
                self.answer(200, {}, b"")

        return Handler


@dataclass
class World:
    """The site, the receiver, the project and the initial states of commands: folders, and a database for each, which
    is a file in it or on a PostgreSQL server."""

    folder: Path
    site: CrashSite
    receiver: Receiver
    environment: dict[str, str] = field(default_factory=dict)
    server: str = ""
    _databases: dict[Path, str] = field(default_factory=dict)

    @classmethod
    @contextmanager
    def served(cls, folder: Path, articles: int, server: str = "") -> Iterator[World]:
        """Starts the site and makes the project."""
        site, receiver = CrashSite(articles, f"{SITE}.localhost"), Receiver()
        try:
            project = folder / "project"
            write_project(project, SPIDER.format(site=SITE, home=f"{site.url}/"))
            settings = {
                "ALLOWED_ADDRESSES": "127.0.0.0/8",
                "DELAY": "0",
                "TIME_SCALE": "3600",
                "BATCH_SIZE": "5",
                "EXTRACT_WORKERS": "1",
                "RUN_LEASE_SECONDS": "3",
                "RUN_MIN_SITE_INTERVAL": "1",
                "RUN_POLL_INTERVAL": "0.1",
                "FIRST_BACKOFF": "0.05",
                "PROGRESS": "0",
                "ARCHIVE_MIN_FREE_GB": "0",
            }
            yield cls(folder, site, receiver, {f"NEWSCRAWL_{name}": value for name, value in settings.items()}, server)
        finally:
            site.close()
            receiver.close()

    def of(self, folder: Path) -> dict[str, str]:
        """Returns the environment of a command in this folder."""
        return {"NEWSCRAWL_DATABASE_URL": self.database(folder), "NEWSCRAWL_ARCHIVE_URL": str(folder / ARCHIVE)}

    def database(self, folder: Path) -> str:
        """Returns the address of the database of this folder."""
        return self._databases.get(folder, f"sqlite:///{folder / DATABASE}")

    def begin(self, folder: Path, seed: str = "") -> None:
        """Makes the folder and its database as they are in the state `seed`; empty without one."""
        self.end(folder)
        if seed:
            shutil.copytree(self.folder / seed, folder)
        else:
            folder.mkdir()
        if self.server:
            like = [postgresql.database_name(self.database(self.folder / seed))] if seed else []
            self._databases[folder] = postgresql.new_database(self.server, *like)

    def end(self, folder: Path) -> None:
        """Removes the folder and its database."""
        shutil.rmtree(folder, ignore_errors=True)
        self.receiver.lines.pop(folder.name, None)
        if database := self._databases.pop(folder, ""):
            postgresql.drop_database(self.server, database)

    def prepare(self, run: Callable[[Sequence[str], Path], Any], seeds: set[str]) -> None:
        """Makes the initial states: a database with its schema, one with the site's articles, and an archive of
        them."""
        schema, crawled = self.folder / "schema", self.folder / "crawled"
        if seeds == {""}:
            return
        for folder, words in ((schema, ["newscrawl", "db", "upgrade"]), (crawled, ["scrapy", "crawl", SITE])):
            if folder is crawled and not seeds & {"crawled", "input"}:
                return
            self.begin(folder, "schema" if folder is crawled else "")
            done = run(words, folder)
            if done.code:
                raise RuntimeError(f"{' '.join(words)} ends with {done.code}: {done.said}")
        (file,) = (crawled / ARCHIVE).glob("*.warc.gz")
        (self.folder / "input").mkdir()
        shutil.copy(file, self.folder / "input" / "pages.warc.gz")


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its name, its initial state, its arguments, its end, and whether it reads the archive."""

    name: str
    seed: str
    words: Callable[[World, Path], list[str]]
    end: Callable[[World, Path], Ended]
    needs: str = ""


def _stored(world: World, folder: Path) -> Ended:
    return of_database(world.database(folder), folder / ARCHIVE)


def _ingested(world: World, folder: Path) -> Ended:
    return of_database(world.database(folder))


def _forgotten(world: World, folder: Path) -> Ended:
    ended = _stored(world, folder)
    ended.things.update(("archived", url) for url in archived(folder / ARCHIVE))
    return ended


def _written(_world: World, folder: Path) -> Ended:
    file = folder / CHANGES
    return of_lines(file.read_text("utf-8", errors="replace").splitlines() if file.exists() else [])


def _received(world: World, folder: Path) -> Ended:
    return of_lines(world.receiver.lines[folder.name])


COMMANDS: Final = {
    command.name: command
    for command in (
        Command("crawl", "schema", lambda *_: ["scrapy", "crawl", SITE], _stored),
        Command("run", "schema", lambda *_: ["newscrawl", "run", "--once"], _stored),
        Command(
            "ingest",
            "schema",
            lambda world, _: [
                *("newscrawl", "ingest", "--workers", "1", str(world.folder / "input" / "pages.warc.gz")),
            ],
            _ingested,
            needs="input",
        ),
        Command(
            "forget",
            "crawled",
            lambda world, _: [*("newscrawl", "forget", f"{world.site.url}{world.site.path(1)}", "--block", "--yes")],
            _forgotten,
        ),
        Command(
            "feed",
            "crawled",
            lambda _, folder: ["newscrawl", "feed", f"jsonl:{folder / CHANGES}", "--name", "faults"],
            _written,
        ),
        Command(
            "webhook",
            "crawled",
            lambda world, folder: [
                *("newscrawl", "feed", f"webhook:{world.receiver.url}{folder.name}", "--name", "faults")
            ],
            _received,
        ),
        Command(
            "upgrade",
            "",
            lambda *_: ["newscrawl", "db", "upgrade"],
            lambda world, folder: schema_of(world.database(folder)),
        ),
    )
}
