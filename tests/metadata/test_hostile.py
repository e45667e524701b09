"""No page breaks the reading of metadata, and none of its values breaks a later step."""

from __future__ import annotations

import dataclasses
import json
import unicodedata
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from newscrawl.extraction.metadata.read import read_metadata
from newscrawl.model import Metadata
from newscrawl.page import parse

FETCHED_AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

NAUGHTY = [
    "",
    " ",
    "\x00",
    "a\x00b",
    "\ud800",
    "\udfff\ud800",
    "\ufffe\uffff",
    "\u202eevil\u202c",
    "\ufeff",
    "\u200b" * 50,
    "Z\u0351\u036b\u0343" * 200,
    "a" + "\u0301\u0327" * 5_000,
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "' OR 1=1 --",
    '"; DROP TABLE articles; --',
    "%s%n%x",
    "{{7*7}}",
    "${jndi:ldap://x}",
    "../../etc/passwd",
    "=1+1",
    "@SUM(1)",
    "\r\n2026 INFO forged",
    "\x1b[2J",
    "&#0;",
    "&#xD800;",
    "&#" + "9" * 5_000 + ";",
    "&amp;" * 500,
    "NaN",
    "1e999",
    "-0",
    "0" * 5_000,
    "9" * 5_000,
    "undefined",
    "null",
    "None",
    "9999-12-31T23:59:59-23:59",
    "0000-00-00T00:00:00",
    "-1-1-1",
    "2024-05-17T25:61:61+99:99",
    "http://",
    "http://[",
    "http://a:99999/",
    "//",
    "?",
    "#",
    "x" * 100_000,
    "a, " * 20_000,
    " and " * 5_000,
    "By " * 5_000,
    "| - " * 5_000,
    "😀" * 1_000,
    "ﷺ" * 500,
    "表ポあA鷗ŒéＢ逍Üßªąñ丂㐀𠀀",
    "مرحبا",
    "١٧/٠٥/٢٠٢٤",
    "e\u0301" * 600,
    "İ" * 300,
    "\t\n\v\f\r",
]
"""Written for this test, after the kinds of the big list of naughty strings."""


KEYS = (
    "headline name author datePublished dateModified image keywords articleSection inLanguage url publisher "
    "description mainEntityOfPage @id"
).split()
METAS = "og:title og:site_name article:published_time article:tag author date og:image og:url og:locale".split()


def page_saying(value: str, nested: Any = None) -> str:
    """A page that gives `value` in every place metadata is read from."""
    quoted = value.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    thing = dict.fromkeys(KEYS, nested if nested is not None else value)
    script = json.dumps([{"@type": "NewsArticle", **thing}, {"@type": "WebPage", **thing}, {"@type": value, **thing}])
    metas = "".join(f'<meta property="{key}" content="{quoted}">' for key in METAS)
    script = script.replace("</", "<\\/")
    return (
        f'<html lang="{quoted}"><head><base href="{quoted}">'
        f'<title>{quoted}</title>{metas}<link rel="canonical" href="{quoted}">'
        f'<script type="application/ld+json">{script}</script></head><body><h1>{quoted}</h1>'
        f'<time datetime="{quoted}">{quoted}</time>'
        f'<div itemscope itemtype="{quoted}">'
        f'<p itemprop="author name headline datePublished" content="{quoted}"></p></div>'
        f'<a rel="author" href="/author/{quoted}">{quoted}</a><p class="byline date">By {quoted}</p></body></html>'
    )


def strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from strings_in(getattr(value, field.name))
    elif isinstance(value, tuple):
        for member in value:
            yield from strings_in(member)


def assert_storable(metadata: Metadata) -> None:
    for text in strings_in(metadata):
        text.encode("utf-8")
        assert text == " ".join(text.split())
        assert unicodedata.is_normalized("NFC", text)
        assert not {unicodedata.category(c) for c in text} & {"Cc", "Cs"}
        assert 0 < len(text) <= 2_083
    for date in (metadata.published, metadata.modified):
        assert date is None or date.when.tzinfo is UTC
    for address in (metadata.image, metadata.canonical):
        assert address is None or address.startswith(("http://", "https://"))


@pytest.mark.parametrize("value", NAUGHTY, ids=range(len(NAUGHTY)))
def test_naughty_values_everywhere_give_storable_metadata(value: str) -> None:
    for url in ("https://example.com/x", None, value):
        assert_storable(read_metadata(parse(page_saying(value), url=url), fetched_at=FETCHED_AT))


NESTED: list[Any] = [
    [],
    {},
    [[]],
    [{}],
    {"name": {"name": ["x", {"name": 1}]}},
    True,
    0,
    -1.5,
    10**200,
    [None] * 1_000,
    {"@id": "#self"},
    {"@list": ["a"]},
    [["a"]],
    {"@value": 5},
    [{"@type": ["NewsArticle", 5, None]}],
]


@pytest.mark.parametrize("nested", NESTED, ids=range(len(NESTED)))
def test_json_ld_values_of_any_shape(nested: Any) -> None:
    assert_storable(read_metadata(parse(page_saying("x", nested), url="https://example.com/x"), fetched_at=FETCHED_AT))


def test_deeply_nested_json_ld() -> None:
    for inner in ('{"name":', '{"mainEntity":', '{"@type":"Article","author":', '[{"@graph":'):
        script = inner * 900 + '"x"' + ("}" if inner[0] == "{" else "}]") * 900
        page = parse(f'<script type="application/ld+json">{script}</script>', url="https://example.com/x")
        assert_storable(read_metadata(page, fetched_at=FETCHED_AT))


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["NewsArticle", "2024-05-17", "By Jane Doe"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["@type", "@graph", "mainEntity", *KEYS]),
            inner,
            max_size=6,
        )
    ),
    max_leaves=15,
)


@settings(deadline=None)
@given(JSON)
def test_any_json_ld_gives_storable_metadata(value: Any) -> None:
    script = json.dumps(value).replace("</", "<\\/")
    page = parse(f'<title>x</title><script type="application/ld+json">{script}</script>', url="https://example.com/x")
    assert_storable(read_metadata(page, fetched_at=FETCHED_AT))


@settings(deadline=None)
@given(st.text(st.characters(), max_size=60))
@example("A .")
def test_any_text_gives_storable_metadata(value: str) -> None:
    assert_storable(read_metadata(parse(page_saying(value), url="https://example.com/x"), fetched_at=FETCHED_AT))


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_give_storable_metadata(body: bytes) -> None:
    assert_storable(read_metadata(parse(body, url="https://example.com/x"), fetched_at=FETCHED_AT))


SHAPES = {
    "meta elements": '<meta name="author" content="https://x"><meta property="article:tag" content="x">',
    "headings": "<h1>Headline</h1>",
    "bylines": '<div class="byline">By nobody at all</div>',
    "times": "<time>never</time>",
    "items": '<div itemscope itemprop="author">',
    "links": '<a href="/author/x">Jane Doe</a>',
    "paragraphs": "<p>Some words in a row.</p>",
    "scripts": '<script type="application/ld+json">{"@type":"NewsArticle","author":[{}]}</script>',
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_time_is_linear_in_the_pages_size(shape: str, doubling: Callable[..., None]) -> None:
    doubling(
        lambda page: read_metadata(page, fetched_at=FETCHED_AT),
        lambda count: parse("<title>Headline</title>" + shape * count, url="https://example.com/x"),
        100,
    )
