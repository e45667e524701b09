"""Real pages end to end: crawls a corpus served on loopback with `scrapy crawl generic`, and checks the database.

    python -m benchmarks.real_pages                       # 200 pages of ../shared/corpora/naeb
    python -m benchmarks.real_pages --corpus misinfo_crawler --errors

The goals: an article stored for 98 % of the pages, with the right title for 90 %. Titles are compared without case,
punctuation and white space. Exit code 1 where a goal is missed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import click

from benchmarks.real_pages.serve_corpus import PAGES
from benchmarks.support import common
from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.errors import NewscrawlError
from newscrawl.identity import url_key
from newscrawl.identity.content import caseless_nfkc
from newscrawl.storage import open_store
from newscrawl.storage.reports import articles, url_report
from newscrawl.testing.politeness import doubled
from newscrawl.testing.recorded_site import CorpusServer

PROJECT: Final = Path(__file__).resolve().parents[2]
STORED_GOAL: Final = 0.98
TITLE_GOAL: Final = 0.90
CRAWL_SECONDS: Final = 900
LOG_LINES: Final = 25
"""Lines of a failed crawl's log that are shown."""


@dataclass(frozen=True, slots=True)
class Found:
    """The results of a crawl: addresses without an article with the reason, addresses with a wrong title and that
    title."""

    pages: int
    short: int
    """Articles whose text stayed below the chain's limits."""
    missing: Mapping[str, str]
    wrong_titles: Mapping[str, tuple[str, str | None]]
    doubled: int = 0
    """Requests that the server saw twice at once."""

    @property
    def stored(self) -> float:
        """Share of pages with an article."""
        return 1 - len(self.missing) / self.pages

    @property
    def titled(self) -> float:
        """Share of all pages with an article under the right title."""
        return 1 - (len(self.missing) + len(self.wrong_titles)) / self.pages


def crawl(url: str, database: str) -> str:
    """Crawl a local site with the spider `generic` into `database`; returns the log. Raises CalledProcessError."""
    environment = {
        **os.environ,
        "NEWSCRAWL_DATABASE_URL": database,
        "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8",
        "NEWSCRAWL_DELAY": "0",
        "NEWSCRAWL_SITE_SCHEDULES": '{"generic": {"daily_requests": "unlimited"}}',  # a corpus has thousands of pages
    }
    command = [sys.executable, "-m", "scrapy", "crawl", "generic", "-a", f"url={url}"]
    done = subprocess.run(
        command,
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=CRAWL_SECONDS,
        check=True,
    )
    return done.stdout


def judge(pages: Mapping[str, GoldPage], database: str) -> Found:
    """Compares the stored articles with the pages that were served."""
    missing: dict[str, str] = {}
    wrong: dict[str, tuple[str, str | None]] = {}
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        known = {url_key(url): article for article in articles(connection) for url in article.pages}
        for url, page in pages.items():
            article = known.get(url_key(url))
            if article is None:
                missing[url] = reason_for(connection, url)
            elif page.title and caseless_nfkc(page.title) != caseless_nfkc(article.title or ""):
                wrong[url] = (page.title, article.title)
    short = sum(article.verdict != "article" for article in known.values())
    return Found(len(pages), short, missing, wrong)


def reason_for(connection: Any, url: str) -> str:
    """Returns why a page has no article, as far as the database knows."""
    told = url_report(connection, url)
    if told is None:
        return "never requested"
    return "; ".join(f"{event.kind} {event.reason}" for event in told.events) or "found and not fetched"


def show(found: Found, *, errors: bool) -> None:
    """Print the shares, and on request every page that is wrong."""
    click.echo(f"pages served        {found.pages}")
    click.echo(f"article stored      {found.stored:.1%}   (goal {STORED_GOAL:.0%})")
    click.echo(f"    of them short   {found.short}")
    click.echo(f"with right title    {found.titled:.1%}   (goal {TITLE_GOAL:.0%})")
    click.echo(f"repeated requests   {found.doubled}       (goal 0)")
    if errors:
        for url, reason in found.missing.items():
            click.echo(f"missing  {url}\n    {reason}")
        for url, (gold, read) in found.wrong_titles.items():
            click.echo(f"title    {url}\n    gold {gold!r}\n    read {read!r}")


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@common.shared_option
@click.option("--corpus", default="naeb", show_default=True, help="Name of a corpus in SHARED/corpora, or its folder.")
@click.option("--pages", type=click.IntRange(min=1), default=PAGES, show_default=True, help="Number of pages.")
@click.option("--errors", is_flag=True, help="List every page that is missing or has a wrong title.")
@click.option("--log", type=click.Path(path_type=Path, dir_okay=False), help="Write the crawl's log here.")
def main(*, shared: Path, corpus: str, pages: int, errors: bool, log: Path | None) -> None:
    try:
        found = measure(Path(corpus) if Path(corpus).is_dir() else shared / "corpora" / corpus, pages, log)
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error
    except subprocess.CalledProcessError as error:
        tail = "\n".join(str(error.stdout).splitlines()[-LOG_LINES:])
        raise click.ClickException(f"the crawl ended with exit code {error.returncode}:\n{tail}") from error
    show(found, errors=errors)
    sys.exit(0 if found.stored >= STORED_GOAL and found.titled >= TITLE_GOAL and not found.doubled else 1)


def measure(corpus: Path, pages: int, log: Path | None = None) -> Found:
    """Serves a corpus, crawls it into a temporary database, and checks the results."""
    with tempfile.TemporaryDirectory() as folder, CorpusServer(read_corpus(corpus, limit=pages)) as server:
        database = f"sqlite:///{folder}/real_pages.db"
        text = crawl(f"{server.origin}/", database)
        if log:
            log.write_text(text, encoding="utf-8")
        return replace(judge(server.pages, database), doubled=len(doubled(server.log)))


if __name__ == "__main__":
    main()
