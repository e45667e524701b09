"""One crawl of a project's spider over pages that a test serves.

The spider is crawled as `scrapy crawl` does it, with its own declaration and the project's settings and pipelines, in
a process of its own, because a process can start Scrapy's reactor once. Its connections lead to the test's server.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from newscrawl.crawling.downloader.download_handler import LocalHandler
from newscrawl.errors import NewscrawlError
from newscrawl.reports import ExportedArticle, articles
from newscrawl.storage.store import open_store
from newscrawl.testing.news_server import NewsServer
from newscrawl.testing.project import child_environment

PORT_SETTING: Final = "TESTING_PORT"
"""The Scrapy setting with the port of this machine that every connection leads to."""


class LoopbackHandler(LocalHandler):
    """The project's handler for HTTP/1.1; each connection, HTTPS as well, leads to one port and is not encrypted.

    Above the connection nothing differs from a crawl of the real site: robots.txt, delays, addresses, redirects. No
    name is resolved, so no other host can be reached.
    """

    def port_of(self, key: Any) -> int | None:
        """Returns the test's server for every host."""
        return self._crawler.settings.getint(PORT_SETTING)


SECONDS: Final = 300.0
"""Until a crawl is taken to hang."""
LOG_END: Final = 2000
"""Characters of the log that an error message ends with."""
CONTACT: Final = "tests@newscrawl.invalid"
"""In the user agent; sites with a public name are not crawled without a contact."""


class CrawlFailed(NewscrawlError):
    """The crawl did not end with exit code 0. The message ends with the last lines of its log."""


@dataclass(frozen=True, slots=True)
class CrawlOfSite:
    """The articles that a crawl stored, and its log."""

    articles: tuple[ExportedArticle, ...]
    """The articles in the database, by address."""
    log: str
    """Standard error of the crawl."""

    def text_of(self, url: str) -> str | None:
        """Returns the text of the article at an address; None if none is stored."""
        return next((article.text for article in self.articles if article.url == url), None)


def crawl_site(
    project: Path,
    spider: str,
    site: NewsServer,
    *,
    database: Path | None = None,
    seconds: float = SECONDS,
    **settings: Any,
) -> CrawlOfSite:
    """Crawls with `spider` of the project in the folder `project` once. `site` answers for all its hosts. `database` is
    a SQLite file with which a second crawl can continue; without it the database is deleted afterwards. `settings` are
    NEWSCRAWL_ settings. The only delay between requests is that of robots.txt. Raises CrawlFailed if the crawl fails or
    takes longer than `seconds`.
    """
    with tempfile.TemporaryDirectory(prefix="newscrawl-test-") as folder:
        url = f"sqlite:///{database or Path(folder) / 'news.db'}"
        given = {
            "NEWSCRAWL_CONTACT": CONTACT,
            "NEWSCRAWL_DELAY": 0,
            "NEWSCRAWL_ARCHIVE_URL": "off",
            **settings,
            "NEWSCRAWL_DATABASE_URL": url,
        }
        try:
            done = subprocess.run(
                _command(spider, site.port),
                cwd=project,
                env=child_environment(project, given),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise CrawlFailed(f"the crawl of {spider} in {project} took longer than {seconds:g} seconds") from error
        if done.returncode:
            code, end = done.returncode, done.stderr.strip()[-LOG_END:]
            raise CrawlFailed(f"the crawl of {spider} in {project} ended with exit code {code}: {end}")
        with open_store(url, upgrade=False) as store, store.reading() as connection:
            stored = sorted(articles(connection), key=lambda article: article.url)
    return CrawlOfSite(tuple(stored), done.stderr)


def _command(spider: str, port: int) -> list[str]:
    ours = f"{LoopbackHandler.__module__}.{LoopbackHandler.__qualname__}"
    handlers = {"http": ours, "https": ours, "data": None, "file": None, "ftp": None, "s3": None}
    scrapy_settings = {"DOWNLOAD_HANDLERS": json.dumps(handlers), PORT_SETTING: port, "DOWNLOAD_DELAY": 0}
    words = [word for name, value in scrapy_settings.items() for word in ("-s", f"{name}={value}")]
    return [sys.executable, "-m", "scrapy", "crawl", spider, *words]
