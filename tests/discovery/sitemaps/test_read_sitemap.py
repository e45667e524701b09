"""Sitemaps: news, plain, index, text, compressed, wrong, hostile."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from newscrawl.discovery.feeds.read_feed import EMPTY, HTML_INSTEAD
from newscrawl.discovery.reading import CUT, SourceContents, UnpackError, gunzip
from newscrawl.discovery.sitemaps.read_sitemap import CUT_XML, ENTITIES, NO_SITEMAP, read_sitemap

URL = "https://news.example/maps/main.xml"
XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
NEWS = 'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'


def urlset(*entries: str, xmlns: str = f"{XMLNS} {NEWS}") -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {xmlns}>{"".join(entries)}</urlset>'


def entry(loc: str = "https://news.example/a", rest: str = "") -> str:
    return f"<url><loc>{loc}</loc>{rest}</url>"


def news(title: str = "A title", date: str = "2026-03-02T11:00:00+01:00") -> str:
    return (
        "<news:news><news:publication><news:name>News</news:name><news:language>en</news:language></news:publication>"
        f"<news:publication_date>{date}</news:publication_date><news:title>{title}</news:title>"
        "<news:keywords>one, two</news:keywords></news:news>"
    )


def links(found: SourceContents) -> list[str]:
    return [candidate.url for candidate in found.candidates]


def test_an_index_gives_children_with_their_dates_and_no_candidates() -> None:
    body = (
        f"<sitemapindex {XMLNS}><sitemap><loc>/s1.xml</loc><lastmod>2026-04-01T00:00Z</lastmod></sitemap>"
        "<sitemap><loc>s2.xml.gz</loc></sitemap><sitemap><loc>/s1.xml</loc></sitemap></sitemapindex>"
    )
    found = read_sitemap(body.encode(), URL)
    assert [(child.url, child.lastmod) for child in found.children] == [
        ("https://news.example/s1.xml", datetime(2026, 4, 1, tzinfo=UTC)),
        ("https://news.example/maps/s2.xml.gz", None),
    ]
    assert found.candidates == ()


PLAIN = urlset(entry())
ODD: dict[str, bytes | str] = {
    "no declaration": PLAIN.partition("?>")[2],
    "blank lines before the declaration": "\n \n" + PLAIN,
    "byte order mark": b"\xef\xbb\xbf" + PLAIN.encode(),
    "UTF-16": PLAIN.replace("UTF-8", "UTF-16").encode("utf-16"),
    "no namespace": urlset(entry(), xmlns=""),
    "an old namespace": urlset(entry(), xmlns='xmlns="http://www.google.com/schemas/sitemap/0.84"'),
    "https in the namespace": urlset(entry(), xmlns='xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"'),
    "a prefix for everything": '<s:urlset xmlns:s="x"><s:url><s:loc>https://news.example/a</s:loc></s:url></s:urlset>',
    "a prefix that is not declared": "<urlset><url><loc>https://news.example/a</loc><news:news>x</news:news></url></urlset>",
    "upper case": "<URLSET><URL><LOC>https://news.example/a</LOC></URL></URLSET>",
    "white space around the address": urlset(entry("\n  https://news.example/a\t")),
    "CDATA": urlset(entry("<![CDATA[https://news.example/a]]>")),
    "a comment inside the address": urlset(entry("https://news.example/<!-- x -->a")),
    "a processing instruction": '<?xml-stylesheet href="x.xsl"?>' + PLAIN.partition("?>")[2],
    "an address without host": urlset(entry("/a")),
    "tracking parameters": urlset(entry("https://news.example/a?utm_source=map")),
    "a fragment": urlset(entry("https://news.example/a#top")),
    "the same address twice": urlset(entry(), entry()),
    "an entry without an address": urlset("<url><lastmod>2026-01-01</lastmod></url>", entry()),
    "an empty address": urlset(entry(""), entry()),
    "other schemes": urlset(
        entry("file:///etc/passwd"), entry("javascript:alert(1)"), entry("ftp://a.example/x"), entry()
    ),
    "images": urlset(
        entry(rest='<image:image xmlns:image="i"><image:loc>https://news.example/i.jpg</image:loc></image:image>')
    ),
    "alternate languages": urlset(
        entry(rest='<xhtml:link xmlns:xhtml="x" rel="alternate" href="https://news.example/es/a"/>')
    ),
    "a urlset in a urlset": f"<urlset><urlset>{entry()}</urlset></urlset>",
    "a list in a urlset": urlset(f"<urls>{entry()}</urls>"),
    "a urlset in an answer of a service": f"<response><data>{PLAIN.partition('?>')[2]}</data></response>",
    "an entry in an entry": urlset(entry(rest=entry("https://news.example/b"))),
    "an address of an image without a namespace": urlset(
        entry(rest="<image><url>https://news.example/i</url></image>")
    ),
    "a percent-encoded host": urlset(entry("https://n%65ws.example/a")),
    "a document type": '<!DOCTYPE urlset SYSTEM "http://127.0.0.1:9/x.dtd">' + PLAIN.partition("?>")[2],
    "text": "https://news.example/a\n",
    "text with other lines": "\ufeff# our pages\r\n\r\nhttps://news.example/a\r\nnot an address\r\n",
    "packed": gzip.compress(PLAIN.encode()),
    "packed twice": gzip.compress(gzip.compress(PLAIN.encode())),
    "packed in two members": gzip.compress(PLAIN[:60].encode()) + gzip.compress(PLAIN[60:].encode()),
    "packed with garbage behind": gzip.compress(PLAIN.encode()) + b"garbage",
    "an RSS feed": '<rss version="2.0"><channel><item><link>https://news.example/a</link></item></channel></rss>',
    "an Atom feed": '<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="https://news.example/a"/></entry></feed>',
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_sitemap_gives_its_address(name: str) -> None:
    body = ODD[name]
    found = read_sitemap(body if isinstance(body, bytes) else body.encode(), URL)
    assert links(found) == ["https://news.example/a"]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", EMPTY),
        (b" \n", EMPTY),
        (b"<!DOCTYPE html><html><body>Not found</body></html>", HTML_INSTEAD),
        (b"<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x' 'y'><html/>", HTML_INSTEAD),
        (b"<kml><Placemark/></kml>", NO_SITEMAP),
        (b"<kml><url><loc>https://news.example/a</loc></url></kml>", NO_SITEMAP),
        (b"<a><b/><urlset><url><loc>https://news.example/a</loc></url></urlset></a>", NO_SITEMAP),
        (b"<a><b><c><d><urlset><url><loc>https://news.example/a</loc></url></urlset></d></c></b></a>", NO_SITEMAP),
        (b"Service unavailable", NO_SITEMAP),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", NO_SITEMAP),
        (b"<", NO_SITEMAP),
        (b"<!-- only a comment -->", NO_SITEMAP),
        (b"\x1f\x8b\x08garbage that is no gzip", "broken gzip"),
    ],
)
def test_what_is_no_sitemap_gives_nothing_and_says_why(body: bytes, problem: str) -> None:
    found = read_sitemap(body, URL)
    assert (found.candidates, found.children) == ((), ())
    assert problem in found.problems[0]


def test_cut_xml_gives_what_came_before_the_cut_and_says_so() -> None:
    body = urlset(entry(), entry("https://news.example/b"), entry("https://news.example/c"))
    found = read_sitemap(body.partition("example/c")[0].encode(), URL)
    assert links(found)[:2] == ["https://news.example/a", "https://news.example/b"]
    assert found.problems == (CUT_XML,)


def test_a_bare_ampersand_loses_no_entry_behind_it() -> None:
    found = read_sitemap(urlset(entry("https://news.example/?a=1&b=2"), entry()).encode(), URL)
    assert "https://news.example/a" in links(found)


def test_a_cut_archive_gives_what_it_holds() -> None:
    body = gzip.compress(urlset(*(entry(f"https://news.example/{n * 7919}") for n in range(5_000))).encode())
    found = read_sitemap(body[: len(body) // 2], URL)
    assert len(found.candidates) > 500
    assert found.problems == (CUT_XML,)


def test_more_entries_than_the_limit_are_cut_and_it_says_so() -> None:
    body = urlset(*(entry(f"https://news.example/{n}") for n in range(20))).encode()
    found = read_sitemap(body, URL, max_urls=10)
    assert len(found.candidates) == 10
    assert found.problems == (CUT,)
    index = body.replace(b"urlset", b"sitemapindex").replace(b"<url>", b"<sitemap>").replace(b"</url>", b"</sitemap>")
    assert len(read_sitemap(index, URL, max_urls=10).children) == 10
    text = "\n".join(f"https://news.example/{n}" for n in range(20)).encode()
    assert read_sitemap(text, URL, max_urls=10).problems == (CUT,)


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    """1 GB of blanks in 1 MB; unpacking stops at the limit, so memory stays flat."""
    packer = zlib.compressobj(9, wbits=31)
    block = b" " * 1_000_000
    bomb = b"".join(packer.compress(block) for _ in range(200)) + packer.flush()
    found = read_sitemap(bomb, URL, max_bytes=1_000_000)
    assert found.candidates == ()
    assert "larger than 1000000 bytes" in found.problems[0]
    many = gzip.compress(block) * 20
    assert "larger than 1000000 bytes" in read_sitemap(many, URL, max_bytes=1_000_000).problems[0]


def test_archives_in_archives_are_opened_twice_at_most() -> None:
    body = PLAIN.encode()
    for _ in range(3):
        body = gzip.compress(body)
    with pytest.raises(UnpackError, match="gzip inside gzip"):
        gunzip(body, 10_000)


def test_an_endless_row_of_archives_is_refused() -> None:
    with pytest.raises(UnpackError, match="more than 10000 pieces"):
        gunzip(gzip.compress(b" ") * 500_000, 10_000_000)


def test_a_large_body_that_is_not_packed_is_refused_too() -> None:
    assert "larger than 10 bytes" in read_sitemap(PLAIN.encode(), URL, max_bytes=10).problems[0]


@pytest.mark.parametrize("hidden", ["", "<!-- <a> -->", "<?x <a> ?>"])
def test_declared_entities_are_refused(tmp_path: Path, hidden: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("https://news.example/secret")
    body = f'{hidden}<!DOCTYPE urlset [<!ENTITY x SYSTEM "file://{secret}">]>' + urlset(entry("&x;")).partition("?>")[2]
    found = read_sitemap(body.encode(), URL)
    assert found.candidates == ()
    assert found.problems == (ENTITIES,)


def test_entities_hidden_by_an_encoding_are_not_resolved(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    body = f'<!DOCTYPE urlset [<!ENTITY x SYSTEM "file://{secret}">]><urlset><url><loc>/&x;</loc></url></urlset>'
    for encoding in ("utf-16", "utf-16-le", "utf-32"):
        assert "secret" not in str(links(read_sitemap(body.encode(encoding), URL)))


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("2026-03-02", datetime(2026, 3, 2, tzinfo=UTC)),
        ("2026-03", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-02T10:00Z", datetime(2026, 3, 2, 10, tzinfo=UTC)),
        ("2026-03-02T10:00:00.123+01:00", datetime(2026, 3, 2, 9, tzinfo=UTC)),
        ("2026-03-02T10:00:00+0100", datetime(2026, 3, 2, 9, tzinfo=UTC)),
        ("2026-03-02 10:00:00", datetime(2026, 3, 2, 10, tzinfo=UTC)),
        ("2026-03-02T10:00:00 -05:00", datetime(2026, 3, 2, 15, tzinfo=UTC)),
        ("2026-03-02 10:00:11 AM", datetime(2026, 3, 2, 10, 0, 11, tzinfo=UTC)),
        ("2026-03-02 08:53 PM", datetime(2026, 3, 2, 20, 53, tzinfo=UTC)),
        ("2026/03/02 12:05:00 a.m. -05:00", datetime(2026, 3, 2, 5, 5, tzinfo=UTC)),
        ("2026-03-02 20:53:00 PM", datetime(2026, 3, 2, 20, 53, tzinfo=UTC)),
        ("2 Mar 2026 20:53 pm", datetime(2026, 3, 2, 20, 53, tzinfo=UTC)),
        ("2026", None),
        ("", None),
        ("now", None),
        ("2026-02-31", None),
        ("2026-13-01", None),
        ("1970-01-01T00:00:00Z", None),
        ("9999-12-31T23:59:59-23:59", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("2026-03-02T10:00:00+99:99", None),
    ],
)
def test_dates_are_aware_utc_or_none(text: str, when: datetime | None) -> None:
    (candidate,) = read_sitemap(urlset(entry(rest=f"<lastmod>{text}</lastmod>")).encode(), URL).candidates
    assert candidate.discovery.published == when
    assert when is None or candidate.discovery.published.utcoffset() == timedelta(0)  # type: ignore[union-attr]


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "entries": lambda n: urlset(*(entry(f"https://news.example/{k}") for k in range(n))).encode(),
    "urlsets in each other": lambda n: b"<urlset>" * n,
    "a urlset for each entry": lambda n: f"<urlset>{f'<urlset>{entry()}</urlset>' * n}</urlset>".encode(),
    "open tags": lambda n: b"<urlset>" + b"<url>" * n,
    "comments": lambda n: b"<urlset>" + b"<!-- x -->" * n,
    "open comments": lambda n: b"<!--" * n,
    "angle brackets": lambda n: b"<" * n,
    "attributes": lambda n: b"<urlset " + b"".join(b'a%d="x" ' % k for k in range(n)) + b"/>",
    "a long address": lambda n: urlset(entry("https://news.example/" + "a" * n)).encode(),
    "text": lambda n: b"https://news.example/a%d\n" * n,
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_reading_takes_time_in_proportion_to_the_sitemap(shape: str, doubling: Callable[..., None]) -> None:
    doubling(lambda body: read_sitemap(body, URL), HOSTILE[shape], 2_000, factor=3.2)
