"""Reading a feed or sitemap takes time in proportion to its size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from newscrawl.discovery.feeds.read_feed import read_feed
from newscrawl.discovery.reading import TOO_COSTLY
from newscrawl.discovery.sitemaps.read_sitemap import read_sitemap

URL = "https://news.example/feed"
ATOM = '<feed xmlns="http://www.w3.org/2005/Atom">'
MEDIA = '<rss xmlns:media="http://search.yahoo.com/mrss/"><channel><item>'
ITEM = "<rss version='2.0'><channel><title>A</title><item>"
SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="n"><url><loc>https://news.example/a</loc>'
)

FEEDS: dict[str, Callable[[int], str]] = {
    "feed tags without end": lambda n: "<feed " * n,
    "feed tags of a namespace without end": lambda n: "<a:feed " * n,
    "hours to skip that never end": lambda n: "<rss><channel>" + "<skipHours>" * n,
    "days to skip without an end of the tag": lambda n: "<rss><channel>" + "<skipDays " * n,
    "subjects": lambda n: ITEM + "".join(f"<category>{i}</category>" for i in range(n)) + "</item></channel></rss>",
    "subjects of Dublin Core": lambda n: ITEM + "".join(f"<dc:subject>{i}</dc:subject>" for i in range(n)),
    "keywords": lambda n: (
        f"{MEDIA}<media:keywords>{','.join(map(str, range(n)))}</media:keywords></item></channel></rss>"
    ),
    "a long author": lambda n: f"{ITEM}<author>{'a' * 10 * n}</author></item></channel></rss>",
    "an author of many references": lambda n: f"{ITEM}<author>{'a&amp;' * n}</author></item></channel></rss>",
    "a long editor": lambda n: f"<rss><channel><managingEditor>{'a' * 10 * n}</managingEditor></channel></rss>",
    "a long publisher": lambda n: f"<rss><channel><dc:publisher>{'a' * 10 * n}</dc:publisher></channel></rss>",
    "authors": lambda n: f"{ATOM}<entry>{'<author><name>a</name></author>' * n}</entry></feed>",
    "contributors": lambda n: f"{ATOM}<entry>{'<contributor><name>a</name></contributor>' * n}</entry></feed>",
    "empty links": lambda n: f"{ITEM}{'<link/>' * n}</item></channel></rss>",
    "links": lambda n: ATOM + "<entry>" + "".join(f'<link href="/{i}"/>' for i in range(n)) + "</entry></feed>",
    "links elsewhere": lambda n: (
        ATOM + "<entry>" + "".join(f'<link rel="x" href="/{i}"/>' for i in range(n)) + "</entry></feed>"
    ),
    "namespaces": lambda n: "<rss><channel>" + "".join(f'<a{i}:x xmlns:a{i}="u{i}"/>' for i in range(n)),
    "one namespace again and again": lambda n: "<rss><channel>" + '<a:x xmlns:a="u"/>' * n + "</channel></rss>",
    "namespaces inside one another": lambda n: "<rss>" + "".join(f'<x xmlns:a{i}="u{i}">' for i in range(n)),
}
for _name in (
    "title",
    "link",
    "guid",
    "pubDate",
    "description",
    "enclosure",
    "source",
    "comments",
    "updated",
    "content",
):
    FEEDS[f"many of {_name}"] = lambda n, e=_name: f"{ITEM}{f'<{e}>x</{e}>' * n}</item></channel></rss>"  # type: ignore[misc]
    FEEDS[f"{_name} that never ends"] = lambda n, e=_name: ITEM + f"<{e}>" * n  # type: ignore[misc]
    FEEDS[f"{_name} of blanks"] = lambda n, e=_name: f"{ITEM}<{e}>a{' ' * 10 * n}b</{e}></item></channel></rss>"  # type: ignore[misc]
    FEEDS[f"{_name} of signs"] = lambda n, e=_name: f"{ITEM}<{e}>{'a, 1:- | ' * n}</{e}></item></channel></rss>"  # type: ignore[misc]

SITEMAPS: dict[str, Callable[[int], str]] = {
    "feed tags without end": lambda n: "<feed " * n,
    "feed tags of a namespace without end": lambda n: "<a:feed " * n,
    "namespaces of one tag": lambda n: "<urlset " + "".join(f'xmlns:a{i}="u{i}" ' for i in range(n)) + ">",
    "namespaces": lambda n: "<urlset>" + "".join(f'<a{i}:url xmlns:a{i}="u{i}"/>' for i in range(n)) + "</urlset>",
    "prefixes that nothing declares": lambda n: "<urlset>" + "".join(f"<a{i}:url/>" for i in range(n)) + "</urlset>",
    "XML declarations": lambda n: "<?xml " * n,
}
for _name in ("url", "loc", "lastmod", "priority", "news:news", "news:title", "news:keywords", "image:image"):
    SITEMAPS[f"many of {_name}"] = lambda n, e=_name: f"{SITEMAP}{f'<{e}>x</{e}>' * n}</url></urlset>"  # type: ignore[misc]
    SITEMAPS[f"{_name} that never ends"] = lambda n, e=_name: SITEMAP + f"<{e}>" * n  # type: ignore[misc]
    SITEMAPS[f"{_name} without an end of the tag"] = lambda n, e=_name: SITEMAP + f"<{e} " * n  # type: ignore[misc]
    SITEMAPS[f"{_name} of blanks"] = lambda n, e=_name: f"{SITEMAP}<{e}>a{' ' * 10 * n}b</{e}></url></urlset>"  # type: ignore[misc]
    SITEMAPS[f"{_name} of signs"] = lambda n, e=_name: f"{SITEMAP}<{e}>{'a, 1:- | ' * n}</{e}></url></urlset>"  # type: ignore[misc]


@pytest.mark.parametrize("shape", FEEDS)
def test_a_feed(shape: str, grows_evenly: Callable[..., None]) -> None:
    grows_evenly(lambda body: read_feed(body, URL), lambda n: FEEDS[shape](n).encode(), 1_200)


@pytest.mark.parametrize("shape", SITEMAPS)
def test_a_sitemap(shape: str, grows_evenly: Callable[..., None]) -> None:
    grows_evenly(lambda body: read_sitemap(body, URL), lambda n: SITEMAPS[shape](n).encode(), 2_000)


def test_a_feed_that_declares_hundreds_of_prefixes_is_not_read() -> None:
    body = (
        "<rss version='2.0'><channel>" + "".join(f'<a{i}:x xmlns:a{i}="u"/>' for i in range(200)) + "</channel></rss>"
    )
    assert read_feed(body.encode(), URL).problems == (TOO_COSTLY,)


@pytest.mark.parametrize(
    "persons",
    [
        "<author>a@news.example (Ada)</author><category domain='x'>Rain</category>",
        "<dc:creator><![CDATA[Ada]]></dc:creator><dc:subject>Rain</dc:subject>",
        "<author><name>Ada</name><uri>https://news.example/ada</uri></author><category term='rain'/>",
        "<atom:author><atom:name>Ada</atom:name></atom:author><media:keywords>a,b</media:keywords>",
    ],
    ids=["of RSS", "of Dublin Core", "of Atom", "with a prefix"],
)
def test_persons_and_subjects_change_nothing_else(persons: str) -> None:
    def read(inner: str) -> Any:
        namespaces = (
            'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom" '
            'xmlns:media="http://search.yahoo.com/mrss/"'
        )
        entry = f"<item><title>A</title>{inner}<link>/a</link><pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate></item>"
        feed = (
            f"<rss version='2.0' {namespaces}><channel><title>News</title>{inner}<link>/</link>{entry}</channel></rss>"
        )
        return read_feed(feed.encode(), URL)

    assert read(persons) == read("")
    assert read(persons).candidates[0].discovery.title == "A"
