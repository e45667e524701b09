"""What is made of a page: an article, its rights of use, and what travels to and from a worker."""

from __future__ import annotations

import pickle
import re
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

import newscrawl
from newscrawl.errors import ConfigurationError, UnknownChainError
from newscrawl.extraction.article.make import ArticleOptions, fingerprint, make_article, read_use
from newscrawl.model import Capture, Discovery, Exchange, RawPage, Spot, UsageRights
from newscrawl.page import parse

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
SENTENCES = "The town council met on Monday evening and decided to build the new bridge that many had asked for. "
STORY = f"""<html lang=en><head><title>Bridge agreed</title></head><body>
<nav><ul><li><a href=/>Home</a><li><a href=/sport>Sport</a></ul></nav>
<main><div class=page><article><h1>Bridge agreed</h1><p>{SENTENCES * 3}</p><p>{SENTENCES * 4}</p></article></div></main>
<footer><p>All rights reserved</p></footer></body></html>"""
OPTIONS = ArticleOptions()


def raw(body: bytes | None, content_type: str = "text/html; charset=utf-8") -> RawPage:
    url = "https://example.org/2026/11/bridge"
    return RawPage(url, url, 200, {"content-type": content_type}, body, NOW, "example")


@pytest.mark.parametrize(
    ("body", "content_type", "kind"),
    [
        (b"", "text/html", "content/empty"),
        (b" \n", "text/html", "content/empty"),
        (b"x", "text/html", "extraction/empty"),
        (b"\0\0\0\0", "text/html", "content/not_html"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01", "text/html", "content/not_html"),
        (b"%PDF-1.4\n\x01\x02", "", "content/not_html"),
        (STORY.encode(), "application/pdf", "content/not_html"),
        (STORY.encode(), "", "article"),
        (STORY.encode(), "TEXT/HTML", "article"),
        (b"<p>" * 2_000_000, "text/html", "extraction/empty"),
        (b"<div>" * 3000, "text/html", "extraction/empty"),
        (b"<div>" * 3000 + STORY.encode(), "text/html", "extraction/empty"),
        (STORY.encode() + b"\xff\xfe\xfa" * 10, "text/html; charset=utf-8", "article"),
        (STORY.encode().replace(b" the ", b"\0 the "), "text/html", "article"),
    ],
)
def test_every_odd_page_has_an_outcome_with_a_name(body: bytes, content_type: str, kind: str) -> None:
    page = make_article(raw(body, content_type), OPTIONS)
    assert (page.failure.code if page.failure else "article") == kind
    assert (page.article is None) is (page.failure is not None)


def test_the_same_text_under_other_mark_up_adverts_and_address_has_the_same_identity() -> None:
    first = fingerprint(make_article(raw(STORY.encode()), OPTIONS)).article
    other = STORY.replace("<p>", "<p class=x>").replace("</main>", "<aside><p>Buy now!</p></aside></main>")
    moved = replace(raw(other.encode()), final_url="https://example.org/print/bridge")
    second = fingerprint(make_article(moved, OPTIONS)).article
    assert first is not None
    assert second is not None
    assert first.content_hash == second.content_hash
    assert first.identity_key == second.identity_key == first.content_hash


def test_a_teaser_is_never_joined_across_addresses() -> None:
    body = b"<p>The council will meet again on Friday at noon, and everybody who lives here may come along.</p>"
    first = fingerprint(make_article(raw(body), OPTIONS)).article
    second = fingerprint(make_article(replace(raw(body), final_url="https://example.org/other"), OPTIONS)).article
    assert first is not None
    assert second is not None
    assert first.content_hash == second.content_hash
    assert first.identity_key != second.identity_key


@given(st.binary(max_size=600))
@settings(max_examples=examples(60), deadline=None)
def test_any_bytes_have_an_outcome(body: bytes) -> None:
    page = make_article(raw(body), OPTIONS)
    assert (page.article is None) is not (page.failure is None)


PAGE = f"""<html lang=en><head><title>Bridge agreed | The Herald</title>
<meta property="article:published_time" content="2026-03-05T10:00:00+01:00"><meta name=author content="Ana Ruiz"></head>
<body><nav><a href=/>Home</a></nav><article><p>{SENTENCES * 3}</p><p>{SENTENCES * 4}</p></article></body></html>"""


@pytest.mark.parametrize("html", [PAGE, PAGE.encode(), PAGE.encode("utf-16")])
def test_text_and_bytes_give_the_same_article(html: str | bytes) -> None:
    article = newscrawl.extract(html, url="https://example.org/bridge")
    assert article.text.count("council") == 7
    assert article.authors == ("Ana Ruiz",)
    assert article.published == datetime(2026, 3, 5, 9, tzinfo=UTC)
    assert article.language == "en"
    assert article.verdict == "article"
    assert article.extractor == "boilerpipe-wide+group"


@pytest.mark.parametrize("html", ["", b"", "\0", b"\xff\xfe", "<", "<html>", "\ud800", b"\x00" * 100])
def test_text_is_never_none(html: str | bytes) -> None:
    article = newscrawl.extract(html)
    assert isinstance(article.text, str)
    assert article.title is None
    assert article.published is None


def test_parts_nobody_asks_for_are_not_worked_out() -> None:
    article = newscrawl.extract(PAGE)
    assert article.title
    assert "extraction" not in vars(article)


def test_chains_are_chosen_by_name_and_defined_by_value() -> None:
    assert newscrawl.extract(PAGE, chain="justext").extractor == "justext"
    assert newscrawl.extract(PAGE, chain="mine", chains={"mine": ["boilerpipe-largest+tree1"]}).extractor
    with pytest.raises(UnknownChainError, match="choose one of"):
        newscrawl.extract(PAGE, chain="nonsense")
    with pytest.raises((ConfigurationError, UnknownChainError)):
        newscrawl.extract(PAGE, chain="mine", chains={"mine": ["nonsense"]})


def test_the_package_names_what_it_has() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = newscrawl.nothing  # type: ignore[attr-defined]


def test_every_name_of_the_package_is_there() -> None:
    assert {name for name in newscrawl.__all__ if getattr(newscrawl, name).__name__ != name} == set()
    assert issubclass(newscrawl.UnknownChainError, newscrawl.NewscrawlError)


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_buffers_are_bytes(kind: type) -> None:
    assert newscrawl.extract(kind(PAGE.encode())).text == newscrawl.extract(PAGE).text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"html": None}, "html must be the page as bytes or str, not NoneType"),
        ({"html": ["<p>"]}, "not list"),
        ({"html": PAGE, "url": b"https://example.org/"}, "url must be an address"),
        ({"html": PAGE, "encoding": 1252}, "encoding must be a name"),
        ({"html": PAGE, "chain": ["justext"]}, "chain must be a name such as 'classic'; chains="),
    ],
)
def test_what_is_no_page_or_name_is_a_type_error_that_says_what_is(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(TypeError, match=re.escape(words)):
        newscrawl.extract(**arguments)


def test_an_encoding_that_is_none_is_refused() -> None:
    with pytest.raises(newscrawl.UnknownEncodingError, match="unknown encoding 'bogus': give a name like utf-8"):
        newscrawl.extract(PAGE.encode(), encoding="bogus")
    assert issubclass(newscrawl.UnknownEncodingError, LookupError)
    assert newscrawl.extract(PAGE.encode("utf-16-le"), encoding="utf-16-le").title


def test_an_article_is_shown_in_one_line() -> None:
    article = newscrawl.extract(PAGE, url="https://example.org/bridge")
    assert repr(article) == (
        f"<Extracted title={article.title!r}, url='https://example.org/bridge', extractor='boilerpipe-wide+group', "
        f"{len(article.text)} characters>"
    )


TEXT = "The ferry company said on Monday that the new timetable would begin in the first week of the coming month. "


def said(head: str = "", **headers: str) -> UsageRights:
    page = parse(f"<html><head>{head}</head><body><p>text</p></body></html>", url="https://example.org/a")
    return read_use(page, {name.replace("_", "-"): value for name, value in headers.items()})


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        (said(), UsageRights()),
        (said('<meta name="robots" content="NoIndex, follow">'), UsageRights(noindex=True)),
        (said('<meta name="ROBOTS" content="none">'), UsageRights(noindex=True)),
        (said('<meta name="newscrawl" content="noarchive">'), UsageRights(noarchive=True)),
        (said('<meta name="googlebot" content="noindex">'), UsageRights()),
        (said('<meta name="robots" content="max-snippet:0, max-image-preview:large">'), UsageRights(nosnippet=True)),
        (said(x_robots_tag="noarchive, nosnippet"), UsageRights(noarchive=True, nosnippet=True)),
        (said(x_robots_tag="otherbot: noindex, nofollow"), UsageRights()),
        (said(x_robots_tag="otherbot: noindex, newscrawl: noarchive"), UsageRights(noarchive=True)),
        (said(x_robots_tag="unavailable_after: 25 Jun 2027 15:00:00 PST, noindex"), UsageRights(noindex=True)),
        (
            said('<meta name="tdm-policy" content="https://example.org/policy">', tdm_reservation="1"),
            UsageRights(tdm_reservation=True, tdm_policy="https://example.org/policy"),
        ),
        (said('<meta name="tdm-reservation" content="1">', tdm_reservation="0"), UsageRights(tdm_reservation=False)),
        (said(tdm_reservation="perhaps"), UsageRights()),
    ],
)
def test_statements_are_read_from_headers_and_head(statements: UsageRights, expected: UsageRights) -> None:
    assert statements == expected


def test_they_come_with_the_article_and_with_what_is_none() -> None:
    for body in (TEXT * 12, "nothing"):
        html = f'<html><head><meta name="robots" content="noindex"><title>Ferry</title></head><p>{body}</p></html>'
        raw = RawPage(
            "https://example.org/a", "https://example.org/a", 200, {"tdm-reservation": "1"}, html.encode(),
            datetime(2026, 11, 1, tzinfo=UTC), "example",
        )  # fmt: skip
        use = make_article(raw, ArticleOptions()).use
        assert use == UsageRights(noindex=True, tdm_reservation=True)


LONG_TEXT = "The council met on Monday and spoke for three hours about the bridge that people had asked for. " * 9
BODY = f"<title>Bridge</title><main><h1>Bridge</h1><p>{LONG_TEXT}</p></main>".encode()
URL = "https://example.org/2026/bridge"


def travelling() -> RawPage:
    spot = Spot(1, 2, 3)
    found, asked = Discovery("feed", URL, published=NOW), Exchange({"accept": "*/*"}, "192.0.2.1", (URL,))
    return RawPage(URL, URL, 200, {"etag": "x"}, BODY, NOW, "example", found, asked, Capture("response", spot, spot))


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_page_and_its_article_arrive_as_they_were(protocol: int) -> None:
    page = fingerprint(make_article(travelling(), ArticleOptions()))
    assert page.article is not None
    assert pickle.loads(pickle.dumps((travelling(), page), protocol)) == (travelling(), page)


@dataclass(frozen=True)
class OwnPage(RawPage):
    """An operator's own, with a field more."""

    mark: str = ""


def test_a_class_made_of_ours_keeps_its_own_fields() -> None:
    own = OwnPage(**{field.name: getattr(travelling(), field.name) for field in fields(RawPage)}, mark="own")
    assert pickle.loads(pickle.dumps(own)) == own
    assert pickle.loads(pickle.dumps(replace(own, mark="other"))).mark == "other"
