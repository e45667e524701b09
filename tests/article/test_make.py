"""A raw page becomes an article or a named failure, never an exception."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.extraction.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.model import RawPage

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
