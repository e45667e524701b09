"""The commands into which benchmarks.faults injects faults, their initial states, and the site that they crawl."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from crash_recovery import CrashSite

from benchmarks.faults.state import Ended, archived, of_database, of_lines, schema_of
from newscrawl.keep_alive import KeepAliveHandler, KeepAliveServer
from newscrawl.testing.project import write_project
from newscrawl.testing.services import postgresql

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

            def log_message(self, *_: Any) -> None:
                """Logs nothing."""

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
        site, receiver = CrashSite(articles), Receiver()
        site.url = site.url.replace("127.0.0.1", f"{SITE}.localhost")
        try:
            project = folder / "project"
            write_project(project, SPIDER.format(site=SITE, home=site.url))
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
            lambda world, _: [
                *("newscrawl", "forget", f"{world.site.url}2026/11/{world.site.slug(1)}", "--block", "--yes")
            ],
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
