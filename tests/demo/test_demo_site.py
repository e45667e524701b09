"""The answers of the demo site, address by address."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

import feedparser
import pytest
from demo_expected import ADVERTISERS, expectations, source_urls
from protego import Protego

from newscrawl.demo import ORIGIN, DemoSite, pages
from newscrawl.demo.content import DemoStory
from newscrawl.demo.site import IMAGE_PATH, MEMBERS_PATH, MISLABELLED, SITEMAP_PATH, TRUNCATED, DemoAnswer, is_unchanged

EXPECTED = expectations()
STATUS = {
    "article": 200,
    "duplicate": 200,
    "moved": 301,
    "missing": 404,
    "failing": 500,
    "not_text": 200,
    "forbidden": 200,
}


def get(site: DemoSite, path: str, hit: int = 0, **headers: str) -> DemoAnswer:
    return site.answer("GET", path, {k.replace("_", "-"): v for k, v in headers.items()}, hit=hit)


def story(site: DemoSite, number: int) -> DemoStory:
    return next(s for s in site.stories if s.number == number)


def feed(site: DemoSite, path: str) -> feedparser.FeedParserDict:
    parsed = feedparser.parse(io.BytesIO(get(site, path).body))
    assert not parsed.bozo
    return parsed


@pytest.mark.parametrize("expected", [e for e in EXPECTED.values() if e.kind != "offsite"], ids=lambda e: e.url)
def test_every_expected_address_answers_with_the_status_of_its_kind(site: DemoSite, expected) -> None:
    answer = get(site, expected.url.removeprefix(ORIGIN))
    assert answer.status == STATUS[expected.kind]
    if expected.kind == "moved":
        assert answer.headers["Location"] == expected.same_as


def test_every_source_answers_and_its_links_are_expected_outcomes(site: DemoSite) -> None:
    named = set()
    for url in source_urls():
        body = get(site, url.removeprefix(ORIGIN)).body.decode()
        named |= {e for e in EXPECTED if f"{e}<" in body or f'{e}"' in body or f"{e}?" in body}
    assert named == set(EXPECTED)


def test_robots_txt_forbids_the_members_pages_and_asks_for_a_delay(site: DemoSite) -> None:
    rules = Protego.parse(get(site, "/robots.txt").body.decode())
    assert not rules.can_fetch(ORIGIN + MEMBERS_PATH, "newscrawl")
    assert rules.can_fetch(f"{ORIGIN}/city/", "newscrawl")
    assert rules.crawl_delay("newscrawl") == 0.1
    assert list(rules.sitemaps) == [ORIGIN + SITEMAP_PATH]


def test_the_rss_feed_holds_the_newest_english_stories_and_its_odd_links(site: DemoSite) -> None:
    entries = feed(site, "/feed.xml").entries
    assert len(entries) == pages.FEED_LENGTH + 7
    first = entries[0]
    assert first.link.endswith("?utm_source=feed&utm_medium=rss")
    assert (
        first.title
        == max((s for s in site.stories if s.language == "en" and s.published), key=lambda s: s.published).title
    )
    assert first.published_parsed


def test_the_atom_feed_holds_the_spanish_stories(site: DemoSite) -> None:
    parsed = feed(site, "/es/atom.xml")
    assert parsed.version == "atom10"
    assert len(parsed.entries) == 20


def test_the_news_sitemap_alone_names_one_of_the_stories(site: DemoSite) -> None:
    (hidden,) = [s for s in site.stories if s.in_sitemap_only]
    tree = ET.fromstring(get(site, SITEMAP_PATH).body)
    locations = [element.text for element in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
    assert ORIGIN + hidden.path in locations
    assert len(locations) == len(site.stories) + 1
    others = [get(site, url.removeprefix(ORIGIN)).body for url in source_urls() if not url.endswith("news.xml")]
    assert not any(hidden.path.encode() in body for body in others)


@pytest.mark.parametrize("number", [1001, 1002, 1003, 1037, 2001, 2002, 2003])
def test_adverts_differ_on_every_hit_and_nothing_else_does(site: DemoSite, number: int) -> None:
    path = story(site, number).path
    answers = [get(site, path, hit=hit) for hit in range(40)]
    assert len({answer.body for answer in answers}) == 40
    assert len({answer.headers["ETag"] for answer in answers}) == 1
    assert all(any(name.encode() in answer.body for name in ADVERTISERS) for answer in answers)


def test_an_unchanged_page_is_not_sent_again(site: DemoSite) -> None:
    path = story(site, 1001).path
    first = get(site, path)
    for known in ({"if_none_match": first.headers["ETag"]}, {"if_modified_since": first.headers["Last-Modified"]}):
        again = get(site, path, hit=9, **known)
        assert (again.status, again.body) == (304, b"")
        assert again.headers["ETag"] == first.headers["ETag"]
    assert get(site, path, if_none_match='W/"other"').status == 200


def test_an_edited_story_is_sent_again(site: DemoSite) -> None:
    old = story(site, 1001)
    tag = get(site, old.path).headers["ETag"]
    edited = DemoSite([s if s.number != 1001 else _with_title(s) for s in site.stories])
    assert get(edited, old.path, if_none_match=tag).status == 200
    assert get(edited, "/feed.xml", if_none_match=get(site, "/feed.xml").headers["ETag"]).status == 200


def _with_title(old: DemoStory) -> DemoStory:
    return replace(old, title="Bridge closed again")


@pytest.mark.parametrize(
    ("headers", "unchanged"),
    [
        ({"if-none-match": '"a", W/"b"'}, True),
        ({"if-none-match": "*"}, True),
        ({"if-none-match": '"c"', "if-modified-since": "Wed, 01 Oct 2025 12:00:00 GMT"}, False),
        ({"if-modified-since": "Wed, 01 Oct 2025 12:00:00 GMT"}, True),
        ({"if-modified-since": "Wed, 01 Oct 2025 11:59:59 GMT"}, False),
        ({"if-modified-since": "yesterday"}, False),
        ({"if-modified-since": "Wed, 01 Oct 2025 12:00:00"}, False),
        ({}, False),
    ],
)
def test_conditions_are_weighed_as_rfc_9110_says(headers: dict[str, str], unchanged: bool) -> None:
    assert is_unchanged(headers, 'W/"b"', datetime(2025, 10, 1, 12, tzinfo=UTC)) is unchanged


def test_the_truncated_page_breaks_off_inside_its_text(site: DemoSite) -> None:
    page = get(site, story(site, TRUNCATED).path)
    assert page.body.endswith(b"one might th")
    assert page.headers["Content-Length"] == str(len(page.body))


def test_the_mislabelled_page_is_no_utf_8_though_it_says_so(site: DemoSite) -> None:
    page = get(site, story(site, MISLABELLED).path)
    assert "utf-8" in page.headers["Content-Type"]
    with pytest.raises(UnicodeDecodeError):
        page.body.decode()


def test_table_pages_leave_their_encoding_to_a_meta_element(site: DemoSite) -> None:
    page = get(site, story(site, 2002).path)
    assert page.headers["Content-Type"] == "text/html"
    assert "Íñigo Salvatierra" in page.body.decode("windows-1252")


def test_the_picture_of_the_day_is_a_jpeg_called_html(site: DemoSite) -> None:
    page = get(site, IMAGE_PATH)
    assert page.body.startswith(b"\xff\xd8\xff")
    assert page.headers["Content-Type"] == "text/html"


def test_head_has_no_body(site: DemoSite) -> None:
    head = site.answer("HEAD", "/")
    assert (head.status, head.body) == (200, b"")
    assert int(head.headers["Content-Length"]) > 0
