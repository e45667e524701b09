"""Fills a database with a fleet: sites with hours of four weeks, sources, alarms and pauses, and their articles."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final

from sqlalchemy import Connection, Table, text

from newscrawl import __version__
from newscrawl.model.identity import url_key
from newscrawl.storage import machines, migrations
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write
from newscrawl.storage.feed import consumers
from newscrawl.storage.machines import CrawlingProcess
from newscrawl.storage.tables.articles import articles, pages, urls, versions
from newscrawl.storage.tables.changes import search_hits, standing_searches
from newscrawl.storage.tables.frontier import hosts, site_hours, sites, sources
from newscrawl.storage.tables.operations import alarms, events, review_queue

MACHINES: Final = ("ada", "bea")
CHUNK: Final = 5_000
DAYS: Final = 28
WORDS: Final = "Council Harbour Ferry Bridge School Budget Storm Election River Hospital Strike Market Museum".split()
FIRST: Final = ("daily", "evening", "morning", "la", "el", "der", "le", "het")
LAST: Final = ("post", "times", "herald", "voz", "bote", "monde", "ster", "echo")

Row = dict[str, Any]


def fill(url: str, number: int, articles_of_each: int, now: datetime, seed: int = 4) -> list[str]:
    """Fills an empty database with tables. Returns the names of the sites."""
    draw = random.Random(seed)
    names = [f"{draw.choice(FIRST)}-{draw.choice(LAST)}-{place:04}" for place in range(number)]
    with begin_write(make_engine(parse_url(url), pooled=False)) as connection:
        put(connection, site_hours, _hours(names, now, draw))
        put(connection, sources, _sources(names, now, draw))
        paused, crawled = set(names[5::37]), {name: place for place, name in enumerate(names[3::41])}
        rows = (_site(name, now, draw) | {"paused": name in paused} for name in names)
        put(connection, sites, (row | _lease(crawled.get(row["site"]), now) for row in rows))
        put(connection, alarms, (_alarm(name, now, draw) for name in names[::29]))
        put(connection, review_queue, (_in_review(name, part, now, draw) for name in names[::29] for part in range(12)))
        for machine in MACHINES:
            machines.register(connection, _process(machine), now=now)
        put(connection, hosts, (_host(name, now, draw) for name in names[::50]))
        total = number * articles_of_each
        put(connection, articles, (_article(place, total, now, draw) for place in range(1, total + 1)))
        put(connection, pages, (_page(place, total, names, now) for place in range(1, total + 1)))
        put(connection, urls, (_url(place, names) for place in range(1, total + 1)))
        put(connection, events, (_failure(place, names, now) for place in range(61, total + 1, 61)))
        put(connection, versions, (_version(place, total, now, draw) for place in range(1, total + 1)))
        consumers.save(connection, "webhook:https://hook.example/articles", 0, None, now)
        saved = {"name": "floods", "query": "storm OR river", "feed_id": "f", "from_seq": 0, "saved_at": now}
        put(connection, standing_searches, [saved])
        put(connection, search_hits, (_hit(place, total, now) for place in range(max(1, total - 20), total + 1)))
        if connection.dialect.name == "postgresql":  # the rows have their numbers already
            for table in (articles, pages):
                sequence = f"pg_get_serial_sequence('{table.name}', 'id')"
                connection.execute(text(f"SELECT setval({sequence}, {max(total, 1)})"))
        connection.execute(text("ANALYZE"))
    return names


def _process(machine: str) -> CrawlingProcess:
    return CrawlingProcess(f"{machine}:4711:1", machine, "run", __version__, migrations.HEAD)


def _lease(place: int | None, now: datetime) -> Row:
    if place is None:
        return {"owner": None, "token": 1, "expires": None}
    owner = _process(MACHINES[place % len(MACHINES)]).process
    return {"owner": owner, "token": 1, "expires": now + timedelta(minutes=5)}


def put(connection: Connection, table: Table, rows: Iterable[Row]) -> None:
    """Inserts the rows in chunks."""
    rows = iter(rows)
    while chunk := list(islice(rows, CHUNK)):
        connection.execute(table.insert(), chunk)


def _hours(names: list[str], now: datetime, draw: random.Random) -> Iterator[Row]:
    rates = {name: draw.expovariate(0.4) for name in names}
    latest = now.replace(minute=0, second=0, microsecond=0)
    for ago in range(DAYS * 24):
        hour = latest - timedelta(hours=ago)
        for place, name in enumerate(names):
            found = int(rates[name] * (3.2 if 6 <= hour.hour < 22 else 0.6) * draw.random())
            stored = int(found * draw.choice((0.7, 0.9, 1, 1)))
            failed = found if place % 23 == 0 else 0
            numbers = {"found": found, "fetched": found, "stored": stored, "failed": failed, "http/503": failed}
            for kind, number in numbers.items():
                if number:
                    yield {"site": name, "hour": hour, "kind": kind, "number": number}


def _sources(names: list[str], now: datetime, draw: random.Random) -> Iterator[Row]:
    for place, name in enumerate(names):
        fails = {"failures": 4, "failure_kind": "http/503", "last_status": 503} if place % 40 == 0 else {}
        for feed in range(4):
            due = now + timedelta(minutes=draw.randrange(-3, 60))
            row: Row = {"site": name, "url_key": f"https://{name}.example/{feed}", "kind": "feed", "next_due": due}
            row |= {"url": f"https://{name}.example/{feed}.xml", "interval": 900.0, "last_fetched": now, "answers": 9}
            row |= {"named": 400, "new": 90, "unusable": 0, "failures": 0, "failure_kind": None, "last_status": 200}
            yield row | fails


def _site(name: str, now: datetime, draw: random.Random) -> Row:
    started = now - timedelta(minutes=draw.randrange(90))
    requests = draw.randrange(900)
    return {
        "site": name,
        "last_started": started,
        "day": now.date(),
        "requests_today": requests,
        "newest_article": now - timedelta(minutes=draw.randrange(600)),
    } | _declared(name, now, draw)


def _declared(name: str, now: datetime, draw: random.Random) -> Row:
    language, country = draw.choice((("en", "uk"), ("en", "us"), ("es", "es"), ("de", "at"), ("fr", None)))
    settings = [["delay", "3.0", "the site's file"], ["NEWSCRAWL_CHAIN", "classic", "default"]]
    row: Row = {"home": f"https://{name}.example/", "language": language, "country": country}
    return row | {"patterns": [r"/\d{4}/\d+"], "settings": settings, "noted": now}


def _alarm(name: str, now: datetime, draw: random.Random) -> Row:
    since = now - timedelta(hours=draw.randrange(1, 50))
    message = f"{draw.randrange(9)} new articles in 6 hours; {draw.randrange(20, 60)} are usual"
    kind, severity = draw.choice(("quiet", "extraction")), draw.choice(("warning", "critical"))
    return {"site": name, "kind": kind, "severity": severity, "since": since, "opened_at": since, "message": message}


def _in_review(name: str, part: int, now: datetime, draw: random.Random) -> Row:
    url = f"https://{name}.example/2026/review-{part}"
    key, text = url_key(url), f"{' '.join(draw.choices(WORDS, k=25))}."
    row: Row = {"url_key": key, "final_key": key, "url": url, "site": name, "at": now - timedelta(minutes=7 * part)}
    row |= {"status": 200, "reasons": ["text collapsed", "no date"], "failure": None, "extractor": "classic"}
    title = " ".join(draw.choices(WORDS, k=6)).capitalize()
    return row | {"title": title, "text": text, "confidence": round(draw.uniform(0.2, 0.7), 3)}


def _hit(place: int, total: int, now: datetime) -> Row:
    seen = _seen(place, total, now)
    row: Row = {"search": "floods", "story_id": place, "article_id": place, "entry_id": f"e{place}"}
    return row | {"found_at": seen, "updated_at": seen}


def _host(name: str, now: datetime, draw: random.Random) -> Row:
    rest = now + timedelta(minutes=draw.randrange(1, 90))
    key = f"https://{name}.example"
    return {
        "key": key,
        "next_at": rest.timestamp(),
        "backoff": 60.0,
        "failures": 3,
        "requests_today": 20,
    }


def _article(place: int, total: int, now: datetime, draw: random.Random) -> Row:
    told = f"{' '.join(draw.choices(WORDS, k=60))} in story {place}."
    row: Row = {"id": place, "identity_key": f"i{place}", "content_hash": f"h{place}", "text": told, "language": "en"}
    return row | {"extractor": "classic", "first_seen": _seen(place, total, now)}


def _page(place: int, total: int, names: list[str], now: datetime) -> Row:
    site, seen = names[place % len(names)], _seen(place, total, now)
    url = _address(site, place)
    row: Row = {
        "id": place,
        "url_key": url_key(url),
        "url": url,
        "site": site,
        "state": "fetched",
        "verdict": "article",
    }
    row |= {"first_seen": seen, "last_fetched": seen, "failures": 0, "failure_kind": None, "last_status": 200}
    row |= {"next_due": None, "article_id": place}
    if place % 61 == 0:  # its latest visit failed
        row |= {"failures": 2, "failure_kind": "http/503", "last_status": 503, "next_due": now + timedelta(minutes=50)}
    return row


def _failure(place: int, names: list[str], now: datetime) -> Row:
    url = _address(names[place % len(names)], place)
    row: Row = {
        "url_key": url_key(url),
        "url": url,
        "site": names[place % len(names)],
        "at": now - timedelta(minutes=10),
    }
    return row | {"kind": "http/503", "reason": "the server answered 503", "status": 503}


def _url(place: int, names: list[str]) -> Row:
    url = _address(names[place % len(names)], place)
    return {"url_key": url_key(url), "url": url, "page_id": place}


def _address(site: str, place: int) -> str:
    return f"https://{site}.example/2026/{place}"


def _version(place: int, total: int, now: datetime, draw: random.Random) -> Row:
    seen = _seen(place, total, now)
    title = " ".join(draw.choices(WORDS, k=6)).capitalize()
    row: Row = {"page_id": place, "article_id": place, "seen_at": seen, "last_seen": seen, "change_class": "first"}
    row |= {"verdict": "article" if place % 50 else "live", "title": title, "published": seen, "extractor": "classic"}
    return row | {"language": "en" if place % 4 else "de"}


def _seen(place: int, total: int, now: datetime) -> datetime:
    return now - timedelta(seconds=(total - place) * 2)
