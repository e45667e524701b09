"""Confidence, and the text that JSON-LD states."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from newscrawl import extract
from newscrawl.extraction.article.extracted import PageRecord, json_schema
from newscrawl.extraction.chain import MIN_CONFIDENCE, resolve, run_chain
from newscrawl.extraction.confidence import STATED_F1, confidence_of
from newscrawl.extraction.site_hints import SiteHints
from newscrawl.extraction.stated import STATED, stated_text
from newscrawl.page import Page, parse

SUBJECTS = "harbour ferry council bridge library school market river station theatre museum hospital".split()


def paragraph(subject: str) -> str:
    return (
        f"The {subject} reopened on Monday after two years of work, and the mayor said that the town had waited long. "
        f"Many came to see the {subject}, which will stay open until late in the evening from next week on."
    )


def page(above: str = "", inside: str = "", head: str = "") -> Page:
    texts = [f"<p>{paragraph(subject)}</p>" for subject in SUBJECTS]
    body = "".join(texts[:6]) + inside + "".join(texts[6:])
    title = "Harbour and ferry: council opens bridge, library and school"
    return parse(
        f"<html lang=en><head><title>{title}</title>{head}</head><body>{above}<article><h1>{title}</h1>{body}</article>"
        f"<footer><p>Imprint</p></footer></body></html>"
    )


OTHER = "".join(f"<div><p>{paragraph(f'other {i}')}</p><a href=/{i}>More on this</a></div>" for i in range(40))


def confidence(of: Page, chain: str = "classic") -> float:
    return confidence_of(of, run_chain(of, resolve(chain)))


def test_a_whole_article_is_more_certain_than_a_part_of_it_or_one_with_other_texts_inside() -> None:
    whole = page()
    found = run_chain(whole, resolve("classic"))
    part = replace(found, runs=(*found.runs[:1], *found.runs[6:7]), topic=None)
    assert confidence(whole) > 0.9
    assert confidence_of(whole, part) < confidence(whole) - 0.1
    assert confidence(page(inside=OTHER)) < confidence(whole)


def test_a_page_without_text_has_no_confidence() -> None:
    for chain in ("classic", "best", "classic-then-best"):
        assert confidence(parse("<p>"), chain) == 0


def test_hints_that_change_nothing_leave_the_confidence_and_others_are_judged_without_the_selection() -> None:
    html = "<title>Harbour</title><article><h1>Harbour</h1>" + "".join(
        f"<p class={subject}>{paragraph(subject)}</p>" for subject in SUBJECTS
    )
    plain = extract(html)
    unchanged = extract(html, hints=SiteHints.of({"drop": ".absent"}))
    changed = extract(html, hints=SiteHints.of({"drop": ".theatre"}))
    assert unchanged.confidence == plain.confidence
    assert changed.extraction.selection is None
    assert 0 < changed.confidence <= 1


def test_the_confidence_is_a_value_of_the_record_and_its_schema() -> None:
    found = extract(f"<h1>Harbour</h1><p>{paragraph('harbour')}</p>" * 4)
    assert PageRecord.of(found).to_dict()["confidence"] == found.confidence
    assert json_schema()["properties"]["confidence"]["maximum"] == 1


def test_the_second_steps_are_asked_only_where_the_confidence_is_low(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = resolve("classic-then-best")
    assert [step.name for step in chain.steps] == [step.name for step in resolve("classic").steps]
    assert [step.name for step in chain.second] == ["learned"]
    classic, best = run_chain(page(), resolve("classic")), run_chain(page(), resolve("best"))
    monkeypatch.setattr("newscrawl.extraction.chain.confidence_of", lambda _page, _found: MIN_CONFIDENCE)
    sure = run_chain(page(), chain)
    assert (sure.runs, sure.trace) == (classic.runs, classic.trace)
    monkeypatch.setattr("newscrawl.extraction.chain.confidence_of", lambda _page, _found: 0.5)
    unsure = run_chain(page(), chain)
    assert (unsure.text, unsure.extractor) == (best.text, "learned")
    first, second = unsure.trace
    assert (first.extractor, first.accepted) == ("boilerpipe-wide+group", False)
    assert first.reason == "long enough, but its confidence is 0.50"
    assert (second.extractor, second.accepted) == ("learned", True)


def test_where_the_learned_extractor_finds_nothing_the_text_of_classic_stays() -> None:
    short = parse("<title>A</title><p>Only a few words stand here.</p>")
    classic, found = run_chain(short, resolve("classic")), run_chain(short, resolve("classic-then-best"))
    assert found.runs == classic.runs
    assert "learned" in [attempt.extractor for attempt in found.trace]


def test_the_second_steps_get_the_tree_filter_of_the_name() -> None:
    assert [step.name for step in resolve("classic-then-best+tree1").all_steps] == [
        "boilerpipe-wide+tree1",
        "justext+tree1",
        "unlinked+tree1",
        "learned+tree1",
    ]


PARAGRAPHS = [
    "The ferry between the two islands stopped on Monday, after ninety years, because the bridge is open at last.",
    "The captain said that she had never counted the crossings, but that the ship's book names forty thousand of them.",
    "The county wants to keep the landing stages, and the museum would like to have the bell and the old timetable.",
    "Until Sunday the last tickets can be bought at the harbour office, for the first price: two shillings.",
]
ROOT = "<div id=root></div>"


def stated_page(body: str = ROOT, *objects: dict[str, Any]) -> bytes:
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
    found = extract(stated_page(body, article(written)), "https://coast.example/2026/05/ferry", chain=chain)
    assert found.text.split("\n\n") == PARAGRAPHS
    assert (found.extractor, found.verdict, found.confidence) == (STATED, "article", STATED_F1)
    (*others, last) = found.trace
    assert (last.extractor, last.accepted, last.words) == (STATED, True, sum(len(one.split()) for one in PARAGRAPHS))
    assert not any(attempt.accepted for attempt in others)


def test_a_page_with_a_text_of_its_own_keeps_it() -> None:
    shown = "".join(f"<p>{one}</p>" for one in PARAGRAPHS)
    longer = article("\n".join([*PARAGRAPHS, *PARAGRAPHS]))
    found = extract(stated_page(f"<article>{shown}</article>", longer), "https://coast.example/2026/05/ferry")
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
    found = extract(stated_page(ROOT, *objects), "https://coast.example/2026/05/ferry")
    assert (found.text, found.verdict) == ("", "empty")


def test_an_algorithm_by_its_own_name_gives_its_own_result() -> None:
    found = extract(stated_page(ROOT, article("\n".join(PARAGRAPHS))), "https://coast.example/f", chain="justext")
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
    assert stated_text(parse(stated_page(ROOT, article(written)))) == text
