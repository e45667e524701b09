"""Crawls of a local site that are killed with SIGKILL and started again, and the checks of what they have stored."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field

from newscrawl.discovery.onboarding.project import template
from newscrawl.reports import articles
from newscrawl.reports.sites import totals
from newscrawl.storage.store import Store, open_store
from newscrawl.testing.news_server import NewsServer
from newscrawl.workers.processes.failpoints import AFTER_COMMIT, AFTER_EXTRACTION, AFTER_SOURCE_ANSWER, MID_TRANSACTION

ARTICLES = 60
CRAWL_SECONDS = 300
"""A crawl of the site that takes longer hangs."""

FAILPOINTS = (
    AFTER_EXTRACTION,
    f"{AFTER_EXTRACTION}:17",
    MID_TRANSACTION,
    f"{MID_TRANSACTION}:3",
    AFTER_COMMIT,
    f"{AFTER_COMMIT}:2",
    AFTER_SOURCE_ANSWER,
)


class CrashSite(NewsServer):
    """A local site of numbered articles, with a feed that names all of them, the newest first."""

    def __init__(self, articles: int = ARTICLES, host: str = "127.0.0.1") -> None:
        super().__init__()
        self.url = f"http://{host}:{self.port}"
        self.pages["/"] = '<link rel=alternate type="application/rss+xml" href="/feed.xml"><h1>News</h1>'
        self.publish(articles)

    def publish(self, articles: int) -> None:
        """From now on the site has so many articles."""
        self.articles = articles
        entries = [
            (self.url + self.path(number), f"Sun, 01 Nov 2026 {number // 60:02d}:{number % 60:02d}:00 GMT")
            for number in reversed(range(articles))
        ]
        self.feed("/feed.xml", *entries)
        for number in range(articles):
            text = f"In week {number} the council of the {number}th district spoke about bridge number {number}. " * 5
            self.article(self.path(number), f"Week {number}", (text, text))

    @staticmethod
    def path(number: int) -> str:
        """Returns the path of an article."""
        return f"/2026/11/council-speaks-about-bridge-{number:03d}"


@dataclass
class Crawls:
    """Crawls of one site into one database."""

    site: CrashSite
    database: str
    killed: int = 0
    finished: int = 0
    problems: list[str] = field(default_factory=list)
    arguments: tuple[str, ...] = ()

    def run(self, *, failpoint: str | None = None, kill_after: float | None = None) -> int:
        """Runs one crawl. Returns its exit code; -9 if it was killed."""
        command = [sys.executable, "-m", "scrapy", "crawl", "generic", "-a", f"url={self.site.url}/", *self.arguments]
        environment = {
            **os.environ,
            "NEWSCRAWL_DATABASE_URL": self.database,
            "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8",
            "NEWSCRAWL_DELAY": "0",
            "NEWSCRAWL_BATCH_SIZE": "10",
            # Beside a SQLite file; on PostgreSQL it would stand in the project and serve one database after another.
            "NEWSCRAWL_ARCHIVE_URL": "auto" if self.database.startswith("sqlite") else "off",
            "NEWSCRAWL_FAILPOINT": failpoint or "",
        }
        with tempfile.TemporaryFile() as log:
            process = subprocess.Popen(command, cwd=template(), env=environment, stdout=log, stderr=log)
            try:
                code = process.wait(CRAWL_SECONDS if kill_after is None else kill_after)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                code = process.wait()
                if kill_after is None:
                    self.problems.append("a crawl hung")
            if code not in {0, -signal.SIGKILL}:
                log.seek(0)
                self.problems.append(f"exit code {code}: {log.read()[-2000:].decode(errors='replace')}")
        if code == 0:
            self.finished += 1
        else:
            self.killed += 1
        return code

    def check(self) -> list[str]:
        """Returns the problems after a complete crawl: articles that are lost or stored twice, and damage of the
        database."""
        with open_store(self.database, upgrade=False) as store:
            with store.reading() as connection:
                stored = Counter(article.title for article in articles(connection))
                status = totals(connection)
            broken = _integrity(store) if self.database.startswith("sqlite") else None
        expected = {f"Week {number}" for number in range(self.site.articles)}
        problems = [f"lost: {title}" for title in sorted(expected - set(stored))]
        problems += [f"stored {count} times: {title}" for title, count in stored.items() if count > 1]
        problems += [f"not expected: {title}" for title in stored if title not in expected]
        problems += [f"{site.pending} pages of {site.site} are still waiting" for site in status if site.pending]
        problems += [f"{site.dead_letters} dead letters of {site.site}" for site in status if site.dead_letters]
        if broken:
            problems.append(f"integrity check: {broken}")
        return [*self.problems, *problems]


def _integrity(store: Store) -> str | None:
    answer = store.run(lambda connection: connection.exec_driver_sql("PRAGMA integrity_check").scalar_one()).result()
    return None if answer == "ok" else str(answer)


def kill_at_failpoint(site: CrashSite, database: str, failpoint: str) -> list[str]:
    """Kills one crawl at a failpoint and crawls again. Returns the problems found."""
    crawls = Crawls(site, database)
    if crawls.run(failpoint=failpoint) != -signal.SIGKILL:
        crawls.problems.append(f"the crawl was not killed at {failpoint}")
    crawls.run()
    return crawls.check()


def kill_at_random(site: CrashSite, database: str, kills: int, seed: int, longest: float) -> list[str]:
    """Kills `kills` crawls, each after a random part of `longest` seconds, then crawls to the end. Returns the
    problems found."""
    chance = random.Random(seed)
    crawls = Crawls(site, database)
    for _ in range(kills):
        crawls.run(kill_after=chance.uniform(0.2, longest))
    crawls.run()
    return crawls.check()
