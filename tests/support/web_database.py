"""A small database for tests of the pages: two sites with articles, copies, failures, alarms and a pause."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from patience import PATIENCE
from source_items import record_answer, record_failure
from stored_rows import put_host

from newscrawl.crawling.scheduling.robots import Robots
from newscrawl.extraction.article.make import fingerprint
from newscrawl.model import (
    Article,
    Attempt,
    Candidate,
    Discovery,
    Doubt,
    Failure,
    Metadata,
    ProcessedPage,
    PublishedDate,
    RawPage,
    RefusedDate,
)
from newscrawl.storage.feed import consumers
from newscrawl.storage.frontier import hosts, leases
from newscrawl.storage.frontier import sites as crawled_sites
from newscrawl.storage.frontier.sites import AppliedSetting, SiteDeclaration
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import Store, open_store

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TOKEN = "a-token-that-is-long-enough"
FEED = "https://harbour.example/feed.xml"
FERRY = "https://harbour.example/2026/11/ferry"
WHALE = "https://harbour.example/2026/11/whale"
COPY = "https://valley.example/2026/11/whale"
HELD = "https://valley.example/2026/11/held"
GONE = "https://harbour.example/2026/11/gone"


def made(url: str, text: str, site: str = "harbour", at: datetime = NOW, **changes: Any) -> ProcessedPage:
    """A fetched page with an article about `text`."""
    published = PublishedDate(at - timedelta(hours=2), "jsonld", "minute", offset=60)
    refused = RefusedDate("2099-01-01", "meta", "it is in the future")
    stated: dict[str, Any] = {"title": f"About the {text}", "authors": ("Ada Marsh",), "language": "en"}
    stated |= {"published": published, "refused_dates": (refused,), **changes}
    body = "\n\n".join(f"The {text} was seen at bridge {n * 7} by {n} people of the town." for n in range(1, 30))
    verdict = stated.pop("verdict", "article")
    trace = (Attempt("classic", 300, 1500, True, "long enough"),)
    article = Article(url, site, Metadata(**stated), body, "classic", verdict, trace)
    raw = RawPage(url, url, 200, {}, None, at, site, Discovery("feed", FEED, title="In the feed"))
    return fingerprint(ProcessedPage(raw, article))


@cache
def filled() -> bytes:
    """A SQLite file with this database, filled once for all tests of a process: filling takes 60 ms, a copy one."""
    with tempfile.TemporaryDirectory(prefix="newscrawl-web-") as folder:
        file = Path(folder) / "news.db"
        with open_store(f"sqlite:///{file}", upgrade=True, max_wait=0.01) as store:
            fill(store)
        return file.read_bytes()


def fill(store: Store) -> None:
    """Two sites with articles, copies, failures, alarms, a pause, a lease and a consumer; all times are near `NOW`."""

    def run(function: Callable[..., Any], *values: Any, **named: Any) -> Any:
        return store.run(function, *values, **named).result(PATIENCE)

    run(
        record_answer,
        SourceAnswer("harbour", FEED, "feed", 200, NOW),
        [Candidate(GONE, Discovery("feed", FEED))],
        NOW,
    )
    run(record_failure, "valley", "https://valley.example/feed.xml", "feed", "http/503", 503, NOW)
    for page in (
        made(FERRY, "ferry", at=NOW - timedelta(hours=5)),
        made(FERRY, "ferry of the new line", at=NOW - timedelta(hours=1)),
        made(WHALE, "whale", at=NOW - timedelta(minutes=50)),
        made(COPY, "whale", "valley", NOW - timedelta(minutes=40), language="de-AT", verdict="live"),
        ProcessedPage(RawPage(GONE, GONE, 404, {}, None, NOW, "harbour"), failure=Failure("http/404", "gone")),
    ):
        store.save(page).result(PATIENCE)
    held = made(HELD, "held bridge", "valley")
    doubt = Doubt(("text collapsed",), held.article or Failure("x/y", "z"), needs_review=True)
    store.save(ProcessedPage(held.raw, held.article, doubt=doubt)).result(PATIENCE)
    run(
        alarms.begin,
        Alarm("valley", "extraction", "critical", NOW, NOW, "12 of 14 pages without a text", {"pages": 14}),
    )
    run(alarms.begin, Alarm("*", "quiet", "warning", NOW, NOW, "the fleet has few articles", {}))
    run(crawled_sites.pause, "harbour", NOW + timedelta(days=400), NOW)
    run(crawled_sites.note_start, "harbour", NOW)
    run(leases.acquire, "harbour", "ada/1/boot", NOW, timedelta(days=1))
    key = "https://harbour.example"
    run(put_host, key, NOW + timedelta(hours=1), backoff=8.0, failures=2, crawl_delay=3.0, latency=0.4)
    rules = b"User-agent: AcmeNews\nDisallow: /2026/11/gone\n"
    robots = Robots("rules", 200, NOW, NOW + timedelta(days=1), rules, good_at=NOW)
    run(hosts.save_robots, key, robots)
    settings = (
        AppliedSetting("delay", "3.0", "the site's file"),
        AppliedSetting("user_agent", "AcmeNews/1.0", "settings of the project"),
        AppliedSetting("cron", "", "default"),
    )
    declared = SiteDeclaration("harbour", "https://harbour.example/", "en", "uk", (r"/(ferry|gone)$",), settings)
    run(crawled_sites.declare, declared, NOW)
    run(consumers.save, "webhook:https://hook.example/?token=verysecretvalue", 1, None, NOW)
