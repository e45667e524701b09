"""`newscrawl.extract` for programs."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

import newscrawl
from newscrawl.errors import ConfigurationError, UnknownChainError

SENTENCES = "The town council met on Monday evening and decided to build the new bridge that many had asked for. "
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
