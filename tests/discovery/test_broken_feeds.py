"""Broken feeds that are not in the table of odd feeds: found later, or generated."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from newscrawl.discovery.feeds import syndication
from newscrawl.discovery.feeds.read_feed import read_feed
from newscrawl.discovery.reading import CUT
from newscrawl.discovery.sitemaps.read_sitemap import read_sitemap
from newscrawl.model.written_dates.parse_date import read_source_date

URL = "https://news.example/feeds/main.xml"
TABLE = Path(__file__).parent.parent / "data" / "odd_feeds.toml"
ITEM = "<item><title>A</title><link>https://news.example/a</link></item>"
ATOM = "http://www.w3.org/2005/Atom"


def rss(inner: str = ITEM) -> str:
    return f"<rss version='2.0'><channel>{inner}</channel></rss>"


def atom(inner: str) -> str:
    return f"<feed xmlns='{ATOM}'><entry><title>A</title>{inner}</entry></feed>"


BROKEN = {
    "a link closed before its address": rss("<item><title>A</title><link/>https://news.example/a</item>"),
    "a document type of HTML": f"<!DOCTYPE html>\n{rss()}",
    "a title that is never closed": rss(ITEM.replace("</title>", "")),
    "RDF without RSS's namespace": f"<RDF xmlns='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><channel/>{ITEM}</RDF>",
    "an address escaped twice": rss(ITEM.replace("/a<", "/a?utm_source=x&amp;amp;utm_medium=y<")),
    "backslashes in an address": rss("<item><title>A</title><link>https:\\\\news.example\\a</link></item>"),
    "the relation's full name": atom("<link rel='http://www.iana.org/assignments/relation/alternate' href='/a'/>"),
    "a relative permanent guid": rss("<item><title>A</title><guid isPermaLink='true'>/a</guid></item>"),
    "xml:base on the link": atom("<link xml:base='https://news.example/' href='a'/>"),
    "a percent-encoded host": rss("<item><title>A</title><link>https://n%65ws.example/a</link></item>"),
    "a source inside the entry": atom("<link href='/a'/><source><title>B</title><link href='/b'/></source>"),
    "no namespace at all": "<feed><entry><title>A</title><link href='/a'/></entry></feed>",
    "NUL before the feed": f"\0{rss()}",
    "two byte order marks": f"\ufeff\ufeff<?xml version='1.0'?>{rss()}",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_feed_gives_its_entry(name: str) -> None:
    (found,) = read_feed(BROKEN[name].encode(), URL).candidates
    assert (found.url, found.discovery.title) == ("https://news.example/a", "A")


PIECES = (b"<", b">", b"&", b"]]>", b"<![CDATA[", b"<!--", b'"', b"<item>", b"&#x0;")
TENTH = datetime(2026, 3, 2, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    ["Mon, 02 Mar 2026 10:00:00 +0000 (UTC)", "Mon, 02-Mar-2026 10:00:00 GMT", "2026.03.02 10:00", "10:00 02.03.2026",
     "2026年3月2日 10:00", "Monday, March 2, 2026 - 10:00", "2026-03-02T10:00:00Z[UTC]", "Mon, 02 Mar 2026 10:00:00 AM",
     "2026-03-02T10:00:00+00:00Z", "2026-03-02 10:00:00 Europe/Madrid", "Tue Mar  2 10:00:00 2026",
     "2 maart 2026 10:00", "Mon, 02 Mar 2026 11:00:00 GMT+1", "Montag, 02. März 2026 11:00 MEZ",
     "Lun., 02 mars 2026 11:00:00 +01:00"],
)  # fmt: skip
def test_dates_come_in_many_forms(text: str) -> None:
    assert read_source_date(text) == TENTH


def test_feeds_broken_by_chance_are_read_without_an_error() -> None:
    chance = random.Random(5)
    bodies = [
        feed["body"].encode(feed.get("encoding", "utf-8")) for feed in tomllib.loads(TABLE.read_text("utf-8"))["feed"]
    ]
    for body in bodies:
        for _ in range(3):
            broken = bytearray(body)
            for _ in range(chance.randint(1, 8)):
                at = chance.randrange(len(broken) + 1)
                kind = chance.randrange(4)
                if kind == 0:
                    broken[at : at + chance.randint(1, 30)] = b""
                elif kind == 1:
                    broken[at:at] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 4)))
                elif kind == 2:
                    broken[at:at] = chance.choice(
                        [b"<", b">", b"&", b"]]>", b"<![CDATA[", b"<!--", b'"', b"<item>", b"&#x0;"]
                    )
                else:
                    broken = broken[:at] + broken[chance.randrange(len(broken) + 1) :]
            for reader in (read_feed, read_sitemap):
                found = reader(bytes(broken), URL)
                assert all(candidate.url.startswith(("http://", "https://")) for candidate in found.candidates)


def test_reading_piece_by_piece_takes_time_in_proportion(doubling: Callable[..., None]) -> None:
    def endless(n: int) -> bytes:
        return b"<RDF><channel/>" + b"<item><title>A<link>x" * n

    doubling(lambda body: read_feed(body, URL), endless, 300, factor=3.2)


@pytest.mark.parametrize(
    ("head", "entry", "tail"),
    [
        ("<rss version='2.0'><channel>", "<item><link>/{}</link></item>", "</channel></rss>"),
        (f"<feed xmlns='{ATOM}'>", "<entry><link href='/{}'/></entry>", "</feed>"),
        (
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'><channel/>",
            "<item><link>/{}</link></item>",
            "</rdf:RDF>",
        ),
    ],
)
def test_of_more_entries_than_the_limit_the_first_are_read(head: str, entry: str, tail: str) -> None:
    def feed(count: int) -> bytes:
        return (head + "".join(entry.format(n) for n in range(count)) + tail).encode()

    found = read_feed(feed(50_000), URL, max_entries=20)
    assert [candidate.url for candidate in found.candidates] == [f"https://news.example/{n}" for n in range(20)]
    assert found.problems == (CUT,)
    assert read_feed(feed(20), URL, max_entries=20).problems == ()


def test_a_feed_of_many_tags_that_are_never_closed_is_read_without_feedparser(monkeypatch: pytest.MonkeyPatch) -> None:
    """feedparser takes half a second for 100 kB of them."""
    read: list[object] = []
    parse = syndication._parse
    monkeypatch.setattr(syndication, "_parse", lambda text: (read.append(text), parse(text))[1])
    url = "https://news.example/a"
    for inside in ("<br>" * 900, "<br/><b>a</b>" * 2_000, f"<![CDATA[{'<br>' * 2_000}]]>", "<br>" * 1_100):
        feed = rss(f"<item><title>A</title><link>{url}</link><description>{inside}</description></item>")
        assert [one.url for one in read_feed(feed.encode(), URL).candidates] == [url]
    assert len(read) == 3
