"""Fills a database as newscrawl at commit a4b86e7 did, the last on schema 0008, and says what it told of it.

It runs with that code and not with today's, so nothing here may be changed to fit newer names:

    git worktree add /tmp/old a4b86e7          # and install it there
    cd /tmp/old && python .../tests/upgrade/fill_0008.py .../tests/upgrade

writes from_0008.sql (every table, as SQLite dumps it) and from_0008.json (export, feed, history and search as the
commands told them then, and the alarms that the watchdog opened after two days of silence). All texts are made here.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from newscrawl.archive.keeper import ArchiveSettings, Keeper
from newscrawl.crawling.watch_check import Watching, check
from newscrawl.storage.baselines import Observation
from newscrawl.storage.forget import forget_site, forget_url
from newscrawl.storage.ingests import Mark
from newscrawl.storage.schema import observations

from newscrawl.archive.forget import forget as forget_archived
from newscrawl.article import ArticleOptions, make_article
from newscrawl.article.make import fingerprint
from newscrawl.model import Candidate, Discovery, Doubt, Exchange, Failure, ProcessedPage, RawPage
from newscrawl.scheduling.revisit import next_due
from newscrawl.storage import SourceAnswer, Store, cursors, hosts, leases, open_store, runs, sites, sources

BEGAN = datetime(2026, 10, 5, tzinfo=UTC)  # a Monday
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LEARNED = 10 * 24
FIRST_CRAWL = BEGAN + LEARNED * HOUR
SECOND_CRAWL = FIRST_CRAWL + DAY
SITES = ("harbour", "valley", "ridge")
HISTORIES = ("corrected", "added", "headline", "live", "gone", "printed", "plain")
QUERIES = ("mayor mill", "council -mill", '"tidal gate"', "round-up", "photogr* neighbours", "nowhere")

PEOPLE = ("Ada Winter", "Ben Orlow", "Cleo Marsh", "Dan Pike", "Edda Falk")
PLACES = ("pier", "market hall", "old mill", "north road", "library", "tidal gate", "railway yard", "upper bridge")
ACTORS = ("the council", "a group of fishermen", "the harbour master", "two teachers", "the mayor", "a young engineer")
DEEDS = ("repaired", "measured", "painted", "closed", "inspected", "photographed", "sold", "rented out")
REASONS = (
    "because the winter storms had left cracks in the stone",
    "after a long debate that lasted until midnight",
    "although the budget for this year was already spent",
    "so that the Sunday fair could take place as planned",
    "while the neighbours watched from their windows",
    "and promised to publish the figures before the spring",
)


def sentences(seed: str, number: int = 11) -> list[str]:
    """Sentences of a made-up story; each seed gives others."""
    chance = random.Random(seed)
    told = []
    for line in range(number):
        actor, deed = chance.choice(ACTORS), chance.choice(DEEDS)
        place, reason = chance.choice(PLACES), chance.choice(REASONS)
        day = chance.choice(("Monday", "Tuesday", "Thursday", "Saturday"))
        amount = chance.randint(11, 989)
        told.append(f"On {day} {actor} {deed} the {place} for {amount} crowns, {reason}, {seed} witness {line} said.")
    return told


def page_html(title: str, told: list[str], *, author: str | None, published: datetime | None, extra: str = "") -> bytes:
    """A page with structured data, navigation and a footer around its paragraphs."""
    stated = {"@context": "https://schema.org", "@type": "NewsArticle", "headline": title}
    if author:
        stated["author"] = {"@type": "Person", "name": author}
    if published:
        stated["datePublished"] = published.isoformat()
    paragraphs = "".join(f"<p>{' '.join(told[at : at + 3])}</p>" for at in range(0, len(told), 3))
    menu = "".join(f'<li><a href="/{name}">{name.title()}</a></li>' for name in ("home", "sport", "weather", "about"))
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{extra}'
        f'<script type="application/ld+json">{json.dumps(stated)}</script></head>'
        f"<body><ul>{menu}</ul><article><h1>{title}</h1>{paragraphs}</article>"
        f"<footer><p>All rights reserved</p></footer></body></html>"
    ).encode()


def url_of(site: str, slug: str) -> str:
    """The address of a page."""
    return f"https://{site}.example/2026/{slug}"


class Filling:
    """One database while it is filled."""

    def __init__(self, database: str, folder: Path) -> None:
        self.store: Store = open_store(database, upgrade=True, max_wait=0.01, next_due=next_due)
        self.archive = folder / "archive"
        self.keeper = Keeper(ArchiveSettings(self.archive, 40_000, least_free=0), self.store)

    def wait(self, function, *args, **named):
        return self.store.run(function, *args, **named).result()

    def fetch(self, site: str, slug: str, body: bytes | None, at: datetime, *, status: int = 200, **changes) -> None:
        """A page is fetched, archived, extracted and stored, as the pipelines do it."""
        url = changes.pop("url", url_of(site, slug))
        discovery = Discovery("feed", f"https://{site}.example/feed", slug, at)
        raw = RawPage(url, url, status, {"content-type": "text/html", "etag": f'"{slug}"'}, body, at, site, discovery)
        raw = replace(raw, exchange=Exchange({"User-Agent": "newscrawl"}, "192.0.2.7"), **changes)
        raw = replace(raw, capture=self.keeper.keep(raw).result(), exchange=None)
        if body is None:
            failure = None if status == 304 else Failure(f"http/{status}", f"the server answered {status}")
            page = ProcessedPage(replace(raw, body=None), failure=failure)
        else:
            page = fingerprint(make_article(raw, ArticleOptions()))
        self.store.save(page).result()

    def story(self, site: str, slug: str, at: datetime, *, told: list[str] | None = None, **changes) -> None:
        """A page with a story of its own, unless `told` says another."""
        chance = random.Random(slug)
        title = changes.pop("title", f"{slug.replace('-', ' ').title()}: news of the {chance.choice(PLACES)}")
        author = changes.pop("author", chance.choice(PEOPLE))
        published = changes.pop("published", at - HOUR)
        body = page_html(
            title, told or sentences(slug), author=author, published=published, extra=changes.pop("extra", "")
        )
        self.fetch(site, slug, body, at, **changes)

    def close(self) -> None:
        self.keeper.close()
        self.store.close()


def learn(filling: Filling) -> None:
    """Ten days of four sites, an article an hour and of two, as the watchdog sees them; one falls silent for a day and
    speaks again, and the pages of another break in the end."""
    number = 0
    for hour in range(LEARNED):
        at = BEGAN + hour * HOUR
        rows = []
        for site, each in (("harbour", 1), ("valley", 2), ("moor", 0 if 8 * 24 < hour < 9 * 24 else 1)):
            for one in range(each):
                number += 1
                rows.append(observation(site, number, at + timedelta(minutes=7 * one)))
        if hour > 9 * 24:
            number += 1
            rows.append({**observation("ridge", number, at), "failure": "extraction/empty", "characters": 0})
        else:
            number += 1
            rows.append(observation("ridge", number, at))
        filling.wait(insert_observations, rows)
        for site in ("harbour", "valley", "moor", "ridge"):
            filling.wait(sites.note_finish, site, at + HOUR)
        filling.wait(check, at + HOUR, Watching(None, BEGAN))


def observation(site: str, number: int, at: datetime) -> dict:
    """What a readable page of a site came to."""
    words = hashlib.blake2b(str(number).encode(), digest_size=4).hexdigest()
    one = Observation(
        site, at, True, at - timedelta(minutes=3), None, "article", 900 + number * 37 % 400, True, True, True, False
    )
    return {
        **{name: getattr(one, name) for name in Observation.__dataclass_fields__},
        "page": words,
        "text": words[::-1],
    }


def insert_observations(connection, rows) -> None:
    connection.execute(observations.insert(), rows)


def crawl(filling: Filling, at: datetime) -> None:
    """The first crawl: sources, hosts, budgets and pages of three sites."""
    for site in SITES:
        run = filling.wait(runs.start, site, at)
        filling.wait(sites.note_start, site, at)
        feed = SourceAnswer(site, f"https://{site}.example/feed", "feed", 200, at, etag='"f1"', content_hash="a" * 32)
        names = [f"{site}-{number}" for number in range(6)] + ["never-fetched"]
        named = [
            Candidate(url_of(site, name), Discovery("feed", feed.url, name.title(), at - HOUR, language="en"))
            for name in names
        ]
        elsewhere = [Candidate(f"https://elsewhere.example/{site}", Discovery("feed", feed.url, "Elsewhere", at))]
        filling.wait(sources.record_answer, feed, named, at, mentioned=elsewhere)
        index = f"https://{site}.example/sitemap.xml"
        part = SourceAnswer(site, f"https://{site}.example/news.xml", "sitemap", 200, at, parent=index)
        filling.wait(sources.record_answer, SourceAnswer(site, index, "sitemap", 200, at), [], at)
        filling.wait(sources.record_answer, part, named[:2], at)
        filling.wait(sources.record_failure, site, f"https://{site}.example/old.rss", "feed", "http/500", 500, at)
        for name in names[:-1]:
            filling.story(site, name, at + timedelta(minutes=len(name)))
        authority = f"https://{site}.example:443"
        filling.wait(hosts.save, hosts.HostRow(f"domain:{site}.example", at, 1.5, at + HOUR, 1, 2.0, 0.25))
        rules = hosts.RobotsRow(authority, "rules", 200, at, at + DAY, b"User-agent: *\nDisallow: /private\n")
        filling.wait(hosts.save_robots, rules)
        filling.wait(hosts.count_requests, authority, 9, at)
        filling.wait(sites.count_requests, site, 9, at)
        filling.wait(sites.note_finish, site, at + HOUR)
        filling.wait(runs.finish, run, at + HOUR, {"pages/stored": 6, "requests": 9})
    filling.wait(sites.note_over_budget, "ridge")
    filling.wait(leases.acquire, "harbour", "host-1:77", at, DAY)
    ended = filling.wait(leases.acquire, "valley", "host-2:78", at, DAY)
    filling.wait(leases.release, ended)
    filling.wait(runs.start, "ridge", at + 2 * HOUR)  # killed: it never ends


def edit(filling: Filling, first: datetime, second: datetime) -> None:
    """Pages with a past: corrected, longer, with another headline, live, gone, printed, failed, not modified."""
    told = sentences("corrected")
    filling.story("harbour", "corrected", first, told=told)
    filling.story("harbour", "corrected", second, told=[told[0].replace("crowns", "pounds"), *told[1:]])
    told = sentences("added", 9)
    filling.story("harbour", "added", first, told=told)
    filling.story("harbour", "added", second, told=told + sentences("further", 4))
    filling.story("valley", "headline", first, title="Mill sold to a stranger", author="Ada Winter")
    filling.story("valley", "headline", second, title="Mill sold: the stranger speaks", author="Ada Winter")
    told = sentences("live", 6)
    for step in range(3):
        lines = told + sentences(f"update{step}", 3 * step + 1)
        filling.story("valley", "live", first + step * HOUR, told=lines, title="Live: the storm at the tidal gate")
    filling.story("ridge", "gone", first)
    filling.fetch("ridge", "gone", None, second, status=404)
    filling.story("ridge", "plain", first)
    filling.fetch("ridge", "plain", None, second, status=304)
    filling.fetch("ridge", "failing", None, first, status=503)
    filling.story("harbour", "printed", first)
    filling.story("harbour", "printed", first + HOUR, url=url_of("harbour", "printed") + "?view=print", author=None)
    filling.story("valley", "tracked", first, url=url_of("valley", "tracked") + "?utm_source=mail")
    filling.story("valley", "moved", second, url=url_of("valley", "before"), final_url=url_of("valley", "moved"))
    forbidding = '<meta name="robots" content="noarchive, nosnippet"><meta name="tdm-reservation" content="1">'
    filling.story("valley", "reserved", first, extra=forbidding)


def copy(filling: Filling, at: datetime) -> None:
    """The same text elsewhere, nearly the same, an excerpt, and a page of two whole texts."""
    filling.story("ridge", "agency-copy", at, told=sentences("harbour-1"), author=None)
    edited = sentences("harbour-2", 11)
    filling.story("ridge", "light-edit", at, told=[edited[0].replace("Monday", "Friday"), *edited[1:]])
    filling.story("ridge", "excerpt", at, told=sentences("valley-3")[:7])
    both = sentences("valley-4") + sentences("harbour-4")
    filling.story("ridge", "round-up", at + HOUR, told=both, title="Round-up of the week")


def refuse(filling: Filling, at: datetime) -> None:
    """Pages that the database refuses, that are held back, and that are forgotten."""
    body = page_html("A page nobody can store", sentences("poison"), author=None, published=None)
    raw = RawPage(url_of("ridge", "poison"), url_of("ridge", "poison"), 200, {}, body, at, "ridge")
    page = fingerprint(make_article(raw, ArticleOptions()))
    filling.store.save(replace(page, raw=replace(page.raw, status=2**70))).result()
    for number in range(3):
        url = url_of("ridge", f"doubted-{number}")
        body = page_html("Subscribe now", sentences(f"doubted-{number}", 8), author=None, published=None)
        page = fingerprint(make_article(RawPage(url, url, 200, {}, body, at, "ridge"), ArticleOptions()))
        doubt = Doubt(("no text",), Failure("extraction/empty", "no extractor found text"), held=True)
        made = replace(page, doubt=doubt) if number else replace(page, article=None, failure=doubt.first, doubt=doubt)
        filling.store.save(made).result()
    filling.story("harbour", "unwanted", at)
    forget_archived(filling.store, filling.archive, [url_of("harbour", "unwanted")], now=at)
    filling.wait(forget_url, url_of("harbour", "unwanted"), at, block=True)
    for number in range(2):
        filling.story("marsh", f"marsh-{number}", at)
    filling.wait(forget_site, "marsh", at, block=True)


def consume(filling: Filling, at: datetime) -> None:
    """Readers of the feed, and files that were ingested."""
    for consumer, seq, index in (
        ("search", 4, "index-7"),
        ("jsonl:changes.jsonl", 9, "64769-1180"),
        ("webhook:https://hooks.example/news?key=first", 12, "https://hooks.example/news?key=first"),
    ):
        filling.wait(cursors.save, consumer, seq, index, at)
    url = url_of("valley", "ingested")
    body = page_html("From an archive", sentences("ingested"), author="Ben Orlow", published=BEGAN)
    raw = RawPage(url, url, 200, {}, body, BEGAN + HOUR, "valley")
    page = fingerprint(make_article(raw, ArticleOptions()))
    filling.store.save_part([page], Mark("b" * 64, 0, 5_000, 3), at).result()
    filling.store.save_part([], Mark("b" * 64, 5_000, 9_000, 7), at).result()


def fill(database: str, folder: Path) -> None:
    """Everything."""
    filling = Filling(database, folder)
    learn(filling)
    crawl(filling, FIRST_CRAWL)
    edit(filling, FIRST_CRAWL + 3 * HOUR, SECOND_CRAWL)
    copy(filling, SECOND_CRAWL + HOUR)
    refuse(filling, SECOND_CRAWL + 3 * HOUR)
    consume(filling, SECOND_CRAWL + 4 * HOUR)
    filling.close()


def told_by(database: str) -> dict:
    """Export, feed, history and search, as the commands tell them."""
    told = {"export": command(database, "export"), "feed": command(database, "feed", "jsonl:-")}
    addresses = {
        slug: url for slug in HISTORIES for url in (row["url"] for row in told["export"]) if url.endswith(slug)
    }
    addresses["gone"] = url_of("ridge", "gone")
    told["history"] = {url: command(database, "history", url, "--json") for url in addresses.values()}
    told["search"] = {query: command(database, "search", query, "--json", "--limit", "1000") for query in QUERIES}
    return told


def command(database: str, *arguments: str) -> list[dict]:
    """What `newscrawl ARGUMENTS` prints as JSON, its texts as hashes: the dump has them."""
    environment = {**os.environ, "NEWSCRAWL_DATABASE_URL": database}
    done = subprocess.run(
        [sys.executable, "-m", "newscrawl.cli", *arguments], env=environment, capture_output=True, check=False
    )
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr.decode())
    text = done.stdout.decode().strip()
    rows = [json.loads(text)] if text.startswith("{\n") else [json.loads(line) for line in text.splitlines() if line]
    return [shortened(row) for row in rows]


def shortened(value):
    """A text as its length and a hash, wherever it is in what was told; differences and snippets, too."""
    if isinstance(value, dict):
        return {
            key: digest(found) if key in {"text", "diff", "snippet"} else shortened(found)
            for key, found in value.items()
        }
    return [shortened(one) for one in value] if isinstance(value, list) else value


def digest(value) -> str:
    return hashlib.blake2b(json.dumps(value).encode(), digest_size=8).hexdigest()


def alarms_afterwards(database: str) -> list[list]:
    """The alarms that are opened and closed when nothing more comes for two days, though all sites are crawled, and
    when the next thirty pages of a site cannot be read."""
    found = []
    with open_store(database, upgrade=False) as store:
        for hour in range(LEARNED, LEARNED + 54):
            at = BEGAN + (hour + 1) * HOUR
            for site in ("harbour", "valley", "moor", "ridge"):
                store.run(sites.note_finish, site, at).result()
            if hour >= LEARNED + 48:
                broken = {"failure": "extraction/empty", "characters": 0, "titled": False}
                rows = [{**observation("valley", hour * 10 + number, at), **broken} for number in range(5)]
                store.run(insert_observations, rows).result()
            news = store.run(check, at, Watching(None, BEGAN)).result()
            opened = [(one, one.since.isoformat(), at.isoformat()) for one in news.opened]
            found += [["opened", one.site, one.kind, since, now, one.message] for one, since, now in opened]
            found += [["closed", one.site, one.kind, at.isoformat()] for one in news.closed]
    return found


def main(target: Path, postgresql: str | None) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(f"sqlite:///{folder / 'news.db'}", folder)
        for use in ("told", "silence"):
            shutil.copy(folder / "news.db", folder / f"{use}.db")
        told = told_by(f"sqlite:///{folder / 'told.db'}")
        told["alarms"] = alarms_afterwards(f"sqlite:///{folder / 'silence.db'}")
        if postgresql:
            fill(postgresql, folder / "postgresql")
            same = json.dumps(told_by(postgresql), sort_keys=True) == json.dumps(
                {name: value for name, value in told.items() if name != "alarms"}, sort_keys=True
            )
            print("PostgreSQL tells the same" if same else "PostgreSQL tells something else")
        connection = sqlite3.connect(folder / "news.db")
        dump = "\n".join(connection.iterdump())
        counts = {
            table: connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
            for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        }
    (target / "from_0008.sql").write_text(dump + "\n", encoding="utf-8")
    (target / "from_0008.json").write_text(
        json.dumps(told, ensure_ascii=False, indent=0, sort_keys=True) + "\n", encoding="utf-8"
    )
    print(counts)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
