"""The text that JSON-LD states is used where the page itself shows too little."""

from __future__ import annotations

import json
from typing import Any

import pytest

from newscrawl import extract
from newscrawl.extraction.confidence import STATED_F1
from newscrawl.extraction.stated import STATED, stated_text
from newscrawl.page import parse

PARAGRAPHS = [
    "The ferry between the two islands stopped on Monday, after ninety years, because the bridge is open at last.",
    "The captain said that she had never counted the crossings, but that the ship's book names forty thousand of them.",
    "The county wants to keep the landing stages, and the museum would like to have the bell and the old timetable.",
    "Until Sunday the last tickets can be bought at the harbour office, for the first price: two shillings.",
]
ROOT = "<div id=root></div>"


def page(body: str = ROOT, *objects: dict[str, Any]) -> bytes:
    scripts = "".join(f'<script type="application/ld+json">{json.dumps(thing)}</script>' for thing in objects)
    head = f"<title>The last ferry</title>{scripts}"
    return f"<!doctype html><html lang=en><head>{head}</head><body>{body}</body></html>".encode()


def article(text: str, **more: Any) -> dict[str, Any]:
    return {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": "The last ferry",
        "datePublished": "2026-05-04T08:00:00Z",
        "articleBody": text,
        **more,
    }


@pytest.mark.parametrize("chain", ["classic", "best", "classic-then-best"])
@pytest.mark.parametrize(
    "written",
    [
        pytest.param("\n\n".join(PARAGRAPHS), id="blank lines"),
        pytest.param("\r\n".join(PARAGRAPHS), id="lines"),
        pytest.param("".join(f"<p>{one}</p>" for one in PARAGRAPHS), id="mark-up"),
        pytest.param("".join(f"&lt;p&gt;{one}&lt;/p&gt;" for one in PARAGRAPHS), id="escaped mark-up"),
    ],
)
@pytest.mark.parametrize(
    "body", [ROOT, "<div id=root><p>The last ferry stopped on Monday.</p></div>"], ids=["empty page", "teaser"]
)
def test_a_page_that_a_script_draws_has_the_stated_text(body: str, written: str, chain: str) -> None:
    found = extract(page(body, article(written)), "https://coast.example/2026/05/ferry", chain=chain)
    assert found.text.split("\n\n") == PARAGRAPHS
    assert (found.extractor, found.verdict, found.confidence) == (STATED, "article", STATED_F1)
    (*others, last) = found.trace
    assert (last.extractor, last.accepted, last.words) == (STATED, True, sum(len(one.split()) for one in PARAGRAPHS))
    assert not any(attempt.accepted for attempt in others)


def test_a_page_with_a_text_of_its_own_keeps_it() -> None:
    shown = "".join(f"<p>{one}</p>" for one in PARAGRAPHS)
    longer = article("\n".join([*PARAGRAPHS, *PARAGRAPHS]))
    found = extract(page(f"<article>{shown}</article>", longer), "https://coast.example/2026/05/ferry")
    assert found.text.split("\n\n") == PARAGRAPHS
    assert found.extractor != STATED


@pytest.mark.parametrize(
    "objects",
    [
        pytest.param((), id="nothing stated"),
        pytest.param((article("Too short for an article."),), id="a short one"),
        pytest.param((article(" ".join(PARAGRAPHS)), article(" ".join(PARAGRAPHS[::-1]))), id="a list of articles"),
        pytest.param((article(" ".join(PARAGRAPHS)) | {"articleBody": PARAGRAPHS},), id="no string"),
        pytest.param((article("\u00ad\u200b" * 900),), id="invisible characters"),
    ],
)
def test_other_pages_stay_empty(objects: tuple[dict[str, Any], ...]) -> None:
    found = extract(page(ROOT, *objects), "https://coast.example/2026/05/ferry")
    assert (found.text, found.verdict) == ("", "empty")


def test_an_algorithm_by_its_own_name_gives_its_own_result() -> None:
    found = extract(page(ROOT, article("\n".join(PARAGRAPHS))), "https://coast.example/f", chain="justext")
    assert found.text == ""


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("One&nbsp;two.\n \n Three &amp;amp; four.", "One two.\n\nThree & four."),
        ("<p>One<br>two<p>Three", "One\ntwo\n\nThree"),
        ("2 < 3 and x<y", "2 < 3 and x<y"),
        ("coun\u00adcil \ud800", "council ?"),
    ],
)
def test_the_stated_text_is_read_as_paragraphs(written: str, text: str) -> None:
    assert stated_text(parse(page(ROOT, article(written)))) == text
