"""Odd and broken feeds, hostile ones, and dates of changes.

The table of odd feeds (tests/data/odd_feeds.toml) was written before the reader handled them; `FEEDS` has those that
were found later.
"""

from __future__ import annotations

import gzip
import json
import random
import socket
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from newscrawl.discovery.feeds import syndication
from newscrawl.discovery.feeds.read_feed import EMPTY, HTML_INSTEAD, NO_FEED, read_feed
from newscrawl.discovery.feeds.syndication import Entries, read_rough
from newscrawl.discovery.reading import CUT
from newscrawl.discovery.sitemaps.read_sitemap import read_sitemap
from newscrawl.model.written_dates.parse_date import read_source_date

URL = "https://news.example/feeds/main.xml"
TENTH = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
TABLE = Path(__file__).parents[2] / "data" / "odd_feeds.toml"
ODD_FEEDS: dict[str, dict[str, Any]] = {one["name"]: one for one in tomllib.loads(TABLE.read_text("utf-8"))["feed"]}


@dataclass(frozen=True)
class Odd:
    """A feed and what must come of it: links, titles and dates of its entries."""

    body: str | bytes
    links: tuple[str, ...] = ("https://news.example/a",)
    titles: tuple[str | None, ...] | None = None
    dates: tuple[datetime | None, ...] | None = None
    content_type: str = "application/rss+xml"
    problems: tuple[str, ...] = ()


def rss(*items: str, head: str = "", version: str = 'version="2.0"') -> str:
    return f'<?xml version="1.0"?><rss {version}>{head}<channel><title>News</title>{"".join(items)}</channel></rss>'


def item(link: str = "https://news.example/a", rest: str = "") -> str:
    return f"<item><title>A</title><link>{link}</link>{rest}</item>"


def atom(entry: str, feed: str = "") -> str:
    return f'<feed xmlns="http://www.w3.org/2005/Atom"{feed}><title>News</title><entry><title>A</title>{entry}</entry></feed>'


FEEDS: dict[str, Odd] = {
    "plain RSS 2.0": Odd(
        rss(item(rest="<pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate>")), titles=("A",), dates=(TENTH,)
    ),
    "two entries in order": Odd(
        rss(item("https://news.example/b"), item()), links=("https://news.example/b", "https://news.example/a")
    ),
    "link with blanks inside": Odd(rss(item("https://news.example/a b")), links=("https://news.example/a%20b",)),
    "link with an accent": Odd(rss(item("https://news.example/año")), links=("https://news.example/a%C3%B1o",)),
    "link in CDATA": Odd(
        rss(item("<![CDATA[https://news.example/a?x=1&y=2]]>")), links=("https://news.example/a?x=1&y=2",)
    ),
    "empty link beside a guid": Odd(
        rss("<item><link></link><guid>https://news.example/a</guid></item>"), titles=(None,)
    ),
    "Atom link among RSS": Odd(
        rss(
            '<item><title>A</title><atom:link rel="alternate" href="https://news.example/a"/></item>',
            version='version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"',
        )
    ),
    "Atom with a date of change only": Odd(
        atom('<link href="/a"/><updated>2026-03-02T10:00:00Z</updated>'), dates=(TENTH,)
    ),
    "Atom title with mark-up": Odd(
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry>'
        '<title type="html">A &lt;b&gt;bold&lt;/b&gt; &amp;amp; new</title><link href="/a"/></entry></feed>',
        titles=("A bold & new",),
    ),
    "RSS 0.91 with its document type": Odd(
        '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://127.0.0.1:9/rss-0.91.dtd">'
        + rss(item(), version='version="0.91"').partition("?>")[2]
    ),
    "title in CDATA with mark-up": Odd(
        rss(item()).replace(">A<", "><![CDATA[<i>Law</i> &amp; order]]><"), titles=("Law & order",)
    ),
    "title of white space": Odd(rss(item()).replace(">A<", "> \n <"), titles=(None,)),
    "closing tags missing": Odd("<rss version='2.0'><channel><item><title>A</title><link>/a</link>"),
    "wrong content type": Odd(rss(item()), content_type="text/html"),
    "no content type": Odd(rss(item()), content_type=""),
    "date with the wrong weekday": Odd(
        rss(item(rest="<pubDate>Fri, 02 Mar 2026 10:00:00 GMT</pubDate>")), dates=(TENTH,)
    ),
    "date of the year 9999 with a zone": Odd(
        rss(item(rest="<pubDate>9999-12-31T23:59:59-23:59</pubDate>")), dates=(None,)
    ),
    "date of 1970": Odd(rss(item(rest="<pubDate>Thu, 01 Jan 1970 00:00:00 GMT</pubDate>")), dates=(None,)),
    "HTML page after a comment": Odd(
        "<!-- x -->\n<html lang=es><body></body></html>", links=(), problems=(HTML_INSTEAD,)
    ),
    "XHTML page": Odd("<?xml version='1.0'?><!DOCTYPE html><html></html>", links=(), problems=(HTML_INSTEAD,)),
    "white space": Odd(" \n\t ", links=(), problems=(EMPTY,)),
    "plain text": Odd("Service unavailable", links=(), problems=(NO_FEED,)),
    "binary": Odd(b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(range(256)), links=(), problems=(NO_FEED,)),
    "link closed before its address": Odd(
        rss("<item><title>A</title><link/>https://news.example/a</item>"), titles=("A",)
    ),
    "document type of HTML": Odd(f"<!DOCTYPE html>\n{rss(item())}".replace('<?xml version="1.0"?>', ""), titles=("A",)),
    "title that is never closed": Odd(rss(item()).replace("A</title>", "A"), titles=("A",)),
    "RDF without RSS's namespace": Odd(
        f"<RDF xmlns='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><channel/>{item()}</RDF>", titles=("A",)
    ),
    "address escaped twice": Odd(rss(item("https://news.example/a?utm_source=x&amp;amp;utm_medium=y")), titles=("A",)),
    "backslashes in an address": Odd(rss(item("https:\\\\news.example\\a")), titles=("A",)),
    "relation's full name": Odd(
        atom("<link rel='http://www.iana.org/assignments/relation/alternate' href='/a'/>"), titles=("A",)
    ),
    "relative permanent guid": Odd(
        rss("<item><title>A</title><guid isPermaLink='true'>/a</guid></item>"), titles=("A",)
    ),
    "xml:base on the link": Odd(atom("<link xml:base='https://news.example/' href='a'/>"), titles=("A",)),
    "percent-encoded host": Odd(rss(item("https://n%65ws.example/a")), titles=("A",)),
    "source inside the entry": Odd(
        atom("<link href='/a'/><source><title>B</title><link href='/b'/></source>"), titles=("A",)
    ),
    "no namespace at all": Odd("<feed><entry><title>A</title><link href='/a'/></entry></feed>", titles=("A",)),
    "NUL before the feed": Odd(f"\0{rss(item())}", titles=("A",)),
    "two byte order marks": Odd(f"\ufeff\ufeff{rss(item())}", titles=("A",)),
}


@pytest.mark.parametrize("name", FEEDS)
def test_an_odd_feed_gives_what_can_be_had(name: str) -> None:
    odd = FEEDS[name]
    body = odd.body if isinstance(odd.body, bytes) else odd.body.encode()
    found = read_feed(body, URL, {"content-type": odd.content_type})
    assert tuple(candidate.url for candidate in found.candidates) == odd.links
    assert found.problems == odd.problems
    assert all(c.discovery.kind == "feed" and c.discovery.source == URL for c in found.candidates)
    if odd.titles is not None:
        assert tuple(candidate.discovery.title for candidate in found.candidates) == odd.titles
    if odd.dates is not None:
        assert tuple(candidate.discovery.published for candidate in found.candidates) == odd.dates


def body_of(feed: dict[str, Any]) -> bytes:
    body = feed.get("bom", "").encode("latin-1") + feed["body"].encode(feed.get("encoding", "utf-8"))
    return gzip.compress(body) if feed.get("gzip") else body


def differences(feed: dict[str, Any]) -> list[str]:
    """What the reading has otherwise than the table says."""
    headers = {"content-type": feed.get("content_type", "application/rss+xml")}
    found = read_feed(body_of(feed), feed.get("url", URL), headers)
    got = [(c.url, c.discovery.title, c.discovery.published) for c in found.candidates]
    wanted = [(entry["link"], entry.get("title"), entry.get("date")) for entry in feed["entries"]]
    wrong = [f"entries: {got} instead of {wanted}"] if got != wanted else []
    if "problem" in feed and not any(feed["problem"] in problem for problem in found.problems):
        wrong.append(f"problems: {found.problems} without {feed['problem']!r}")
    if "ttl_minutes" in feed and found.update_hints.interval.total_seconds() != 60 * feed["ttl_minutes"]:
        wrong.append(f"interval: {found.update_hints.interval}")
    if "skip_hours" in feed and sorted(found.update_hints.skip_hours) != feed["skip_hours"]:
        wrong.append(f"skip hours: {found.update_hints.skip_hours}")
    if "skip_days" in feed and sorted(found.update_hints.skip_days) != feed["skip_days"]:
        wrong.append(f"skip days: {found.update_hints.skip_days}")
    if "feeds" in feed and list(found.announced) != feed["feeds"]:
        wrong.append(f"announced: {found.announced}")
    return wrong


@pytest.mark.parametrize("name", ODD_FEEDS)
def test_an_odd_feed_is_read_as_the_table_says(name: str) -> None:
    assert differences(ODD_FEEDS[name]) == []


def test_the_table_is_long() -> None:
    assert len(ODD_FEEDS) >= 116


def test_a_long_title_is_cut() -> None:
    found = read_feed(rss(item()).replace(">A<", f">{'word ' * 10_000}<").encode(), URL)
    assert 0 < len(found.candidates[0].discovery.title or "") <= 500


def test_a_servers_content_location_sets_no_base() -> None:
    headers = {"content-location": "https://evil.example/", "content-type": "text/xml"}
    assert read_feed(rss(item("/a")).encode(), URL, headers).candidates[0].url == "https://news.example/a"


def test_a_body_that_names_a_file_or_an_address_opens_neither(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """feedparser would, if it were given text or bytes."""
    secret = tmp_path / "feed.xml"
    secret.write_text(rss(item("https://news.example/secret")))
    connected: list[object] = []
    monkeypatch.setattr(socket.socket, "connect", lambda _socket, address: connected.append(address))
    for body in (str(secret), f"file://{secret}", "http://127.0.0.1:9/feed", "feed://127.0.0.1:9/feed"):
        assert read_feed(body.encode(), URL).candidates == ()
    assert connected == []


ENTITIES = '<!DOCTYPE rss [<!ENTITY a "x"><!ENTITY b "{}"><!ENTITY file SYSTEM "file://{}">]>'


def test_entities_are_never_files_and_never_grow(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("SECRET")
    doctype = ENTITIES.format("&a;" * 10, secret)
    body = doctype + rss(item()).partition("?>")[2].replace(">A<", ">&file;&b;<")
    found = read_feed(body.encode(), URL)
    assert "SECRET" not in str(found)


def test_nested_entities_end_soon() -> None:
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    body = f'<!DOCTYPE rss [<!ENTITY l0 "lol">{levels}]>' + rss(item()).partition("?>")[2].replace(">A<", ">&l9;<")
    found = read_feed(body.encode(), URL)
    assert all(len(candidate.discovery.title or "") <= 500 for candidate in found.candidates)


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "entries": lambda n: rss(*(item(f"/{k}") for k in range(n))).encode(),
    "broken entries": lambda n: rss("<broken>", *(item(f"/{k}?a&b") for k in range(n))).encode(),
    "open tags": lambda n: b"<rss version='2.0'><channel>" + b"<x>" * n,
    "one long title": lambda n: rss(item()).replace(">A<", f">{'&amp;lt;b ' * n}<").encode(),
    "angle brackets": lambda n: rss(item()).replace(">A<", f">{'<' * n}<").encode(),
    "comments": lambda n: b"<rss version='2.0'><channel>" + b"<!-- x " * n,
    "references": lambda n: rss(item()).replace(">A<", f">{'&ntilde;&#11;&x;&' * n}<").encode(),
    "open CDATA": lambda n: rss(item()).replace(">A<", f">{'<![CDATA[' * n}<").encode(),
    "open document types": lambda n: b"<!DOCTYPE rss [" * n,
    "entities": lambda n: b"<!DOCTYPE rss [" + b"<!ENTITY a 'x'>" * n + b"]>" + rss(item()).encode(),
    "head fields": lambda n: rss(head="<ttl>1</ttl><skipHours><hour>1" * n).encode(),
    "nested JSON": lambda n: b'{"items": ' + b"[" * n,
    "JSON items": lambda n: b'{"items": [' + b'{"url": "/a", "title": "A"},' * n,
    "leading comments": lambda n: b"<!---->" * n,
    "attributes": lambda n: b"<rss version='2.0' " + b"".join(b'a%d="x" ' % k for k in range(n)) + b">",
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_reading_takes_time_in_proportion_to_the_feed(shape: str, doubling: Callable[..., None]) -> None:
    doubling(lambda body: read_feed(body, URL), HOSTILE[shape], 300, factor=3.2)


CHANGED = {
    "Atom in RSS": "<atom:updated>2026-03-02T11:30:00Z</atom:updated>",
    "Dublin Core terms": "<dcterms:modified>2026-03-02T12:30:00+01:00</dcterms:modified>",
}


@pytest.mark.parametrize("element", CHANGED.values(), ids=CHANGED)
def test_an_rss_entry_may_state_when_it_was_changed(element: str) -> None:
    spaces = 'xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dcterms="http://purl.org/dc/terms/"'
    published = f"<pubDate>{TENTH:%Y-%m-%d %H:%M}</pubDate>"
    item = f"<item><title>a</title><link>https://news.example/a</link>{published}{element}</item>"
    (found,) = read_feed(f'<rss version="2.0" {spaces}><channel>{item}</channel></rss>'.encode(), URL).candidates
    read_rough(item, rough := Entries(URL), URL)
    for discovery in (found.discovery, rough.candidates()[0].discovery):
        assert discovery.published == TENTH
        assert discovery.modified == datetime(2026, 3, 2, 11, 30, tzinfo=UTC)


def test_atom_and_json_feeds_state_the_latest_change_beside_the_publication() -> None:
    dates = "<published>2026-03-02T10:00:00Z</published><updated>2026-03-02T11:30:00Z</updated>"
    entry = f'<entry><title>a</title><link href="/a"/>{dates}</entry>'
    item = {"url": "/a", "date_published": "2026-03-02T10:00:00Z", "date_modified": "2026-03-02T11:30:00Z"}
    bodies = [
        f'<feed xmlns="http://www.w3.org/2005/Atom">{entry}</feed>',
        json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": [item]}),
    ]
    for body in bodies:
        (found,) = read_feed(body.encode(), "https://harbour.example/feed").candidates
        assert found.discovery.published == datetime(2026, 3, 2, 10, tzinfo=UTC)
        assert found.discovery.modified == datetime(2026, 3, 2, 11, 30, tzinfo=UTC)


PIECES = (b"<", b">", b"&", b"]]>", b"<![CDATA[", b"<!--", b'"', b"<item>", b"&#x0;")


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
    for feed in ODD_FEEDS.values():
        for _ in range(3):
            broken = bytearray(feed["body"].encode(feed.get("encoding", "utf-8")))
            for _ in range(chance.randint(1, 8)):
                at = chance.randrange(len(broken) + 1)
                kind = chance.randrange(4)
                if kind == 0:
                    broken[at : at + chance.randint(1, 30)] = b""
                elif kind == 1:
                    broken[at:at] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 4)))
                elif kind == 2:
                    broken[at:at] = chance.choice(PIECES)
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
        ("<feed xmlns='http://www.w3.org/2005/Atom'>", "<entry><link href='/{}'/></entry>", "</feed>"),
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

    found = read_feed(feed(50_000), URL)
    assert [candidate.url for candidate in found.candidates] == [f"https://news.example/{n}" for n in range(1_000)]
    assert found.problems == (CUT,)
    assert read_feed(feed(1_000), URL).problems == ()


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
