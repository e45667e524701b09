"""Texts with which pages attack their readers, and a database that has them in every field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

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
    RawPage,
    RefusedDate,
    Structure,
    TextLink,
)
from newscrawl.storage import deliveries
from newscrawl.storage.deliveries import SEARCHES, Notice
from newscrawl.storage.feed import consumers, feed_addresses, standing_searches
from newscrawl.storage.feed.feed_addresses import FeedScope
from newscrawl.storage.feed.standing_searches import Evaluated, StoryHit
from newscrawl.storage.frontier import hosts
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.removal import blocklist
from newscrawl.storage.store import Store

RUNS: Final = "window.attacked=1"
EVIL: Final = (
    (
        f"</title></script></style></textarea><script>{RUNS}</script><img src=x onerror='{RUNS}'>"
        f'<svg onload={RUNS}><a href="javascript:{RUNS}">x</a>" onmouseover="{RUNS}" style="position:fixed" \''
        "{{7*7}}{% include 'x' %}${7*7}&lt;b&gt;\u202e\u2066\u200f\u061c\x1b[31m\x00\x07 \ud83d\ude00 \ufffe "
        "<base href=//evil.example><meta http-equiv=refresh content=0><iframe src=//evil.example></iframe>"
    )
    .encode("utf-16", "surrogatepass")
    .decode("utf-16", "replace")
)
LONG: Final = "W" * 100_000
TEXTS: Final = (EVIL, LONG, "\u202eabc" * 300, "a\n" * 500)
SITE: Final = "harbour"
ROOT: Final = "https://harbour.example"
FEED: Final = f"{ROOT}/feed.xml?<script>"
ADDRESSES: Final = tuple(f"{ROOT}/2026/11/{number}?q=%3Cscript%3E" for number in range(len(TEXTS)))
HELD: Final = f"{ROOT}/2026/11/held"


def fill(store: Store, now: datetime) -> None:
    """Stores the texts in all fields that a publisher, a server or a receiver fills."""

    def run(function: Callable[..., Any], *values: Any, **named: Any) -> None:
        store.run(function, *values, **named).result(PATIENCE)

    listed = [Candidate(f"{ROOT}/listed", Discovery("feed", FEED, title=EVIL))]
    run(record_answer, SourceAnswer(SITE, FEED, "feed", 200, now), listed, now)
    run(record_failure, SITE, f"{ROOT}/other.xml", "feed", "http/503", 503, now)
    for url, text in zip(ADDRESSES, TEXTS, strict=True):
        for step in range(2):
            store.save(_page(url, text, step, now)).result(PATIENCE)
    held = _page(HELD, EVIL, 0, now)
    doubt = Doubt((EVIL,), held.article or Failure("x/y", "z"), needs_review=True)
    store.save(replace(held, doubt=doubt)).result(PATIENCE)
    gone = RawPage(f"{ROOT}/gone", f"{ROOT}/gone", 404, {}, None, now, SITE)
    store.save(ProcessedPage(gone, failure=Failure("http/404", EVIL))).result(PATIENCE)
    run(alarms.begin, Alarm(SITE, "extraction", "critical", now, now, EVIL, {}))
    run(put_host, ROOT, now + timedelta(hours=1), backoff=8.0, failures=2, crawl_delay=3.0, latency=0.4)
    run(
        hosts.save_robots,
        ROOT,
        Robots(
            "rules",
            200,
            now,
            now + timedelta(days=1),
            EVIL.encode("utf-8", "replace"),
            2,
            EVIL.replace("\x00", ""),
            now,
        ),
    )
    run(consumers.save, EVIL.replace("\x00", "")[:190], 1, None, now)
    plain = EVIL.replace("\x00", "")[:190]
    run(standing_searches.save, plain, EVIL, [f"atom:{EVIL}"], 0, now)
    hit = StoryHit(plain, 1, 1, "0" * 36, now, now + timedelta(minutes=1))
    found = {"story_id": 1, "article_id": 1, "reason": EVIL[:30]}
    run(
        standing_searches.apply,
        Evaluated(now_read(store), 1, [hit], (), [Notice(plain, "hit", now, found)]),
        now,
    )
    with store.reading() as connection:
        (destination,) = deliveries.of_stream(connection, SEARCHES)
    run(deliveries.failed, destination, 0, LONG, now)
    run(feed_addresses.add, "secret", FeedScope("search", plain), plain, now)
    run(blocklist.add, ["site:<script>", "url:example.org/<script>"], now)


def now_read(store: Store) -> int:
    """How far the standing searches have read."""
    with store.reading() as connection:
        cursor = consumers.load(connection, standing_searches.CONSUMER)
    return cursor.seq if cursor is not None else 0


def _page(url: str, text: str, step: int, now: datetime) -> ProcessedPage:
    at = now - timedelta(hours=4 - step)
    refused = RefusedDate(text, text, text)
    stated = Metadata(
        title=f"{step} {text}",
        authors=(text,),
        language="en",
        section=text,
        tags=(text,),
        image=text,
        canonical=f"javascript:{RUNS}",
        site_name=text,
        description=text,
        refused_dates=(refused,),
    )
    body = f"{text}\n\n" + "\n\n".join(f"The whale {step} was seen at {url} bridge {n * 7}. {EVIL}" for n in range(9))
    trace = (Attempt("classic", 300, 1500, True, text),)
    codes = ["h1", "u1", "o2", "+1", "q", "t", ".2", "x", "c", "h6"]
    count = len(body.split("\n\n"))
    links = (
        TextLink(1, 4, 5, f'https://{SITE}.example/"><script>{RUNS}</script>'),
        TextLink(2, 0, 3, f"javascript:{RUNS}"),
    )
    structure = Structure(" ".join(codes[number % len(codes)] for number in range(count)), links)
    article = Article(url, SITE, stated, body, "classic", "article", trace, (text,), structure=structure)
    return fingerprint(
        ProcessedPage(RawPage(url, url, 200, {}, None, at, SITE, Discovery("feed", FEED, text)), article)
    )
