"""Boilerplate of the site is left out of texts; what a newspaper repeats on purpose stays."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from newscrawl.extraction.article.extracted import Extracted
from newscrawl.extraction.chain import resolve
from newscrawl.extraction.site_boilerplate import SiteBoilerplate
from newscrawl.extraction.site_boilerplate.epoch import key_of
from newscrawl.extraction.site_hints import SiteHints
from newscrawl.page import parse

RULES = [f"Rule {number} for comments: be polite, stay with the subject and do not advertise." for number in range(60)]
OWN = [
    f"The council spoke for {number} hours about the bridge that people of the town had asked for since May, and then "
    "it voted on the plan of the mayor, which would cost less than a new road."
    for number in range(5)
]
STEPS = ("Heat the oven to 180 degrees and grease the tin.", "Season with salt and pepper to taste.")


def paragraphs(lines: Iterable[str]) -> str:
    return "".join(f"<p>{line}</p>" for line in lines)


def extracted(body: str, epoch: SiteBoilerplate, hints: SiteHints | None = None, chain: str = "classic") -> Extracted:
    page = parse(f"<html><head><title>Bridge</title></head><body>{body}</body></html>".encode())
    options = {"site_hints": hints} if hints is not None else {}
    return Extracted(page, resolve(chain), datetime(2026, 11, 24, tzinfo=UTC), boilerplate=epoch, **options)


def epoch(lines: Iterable[str], stories: int = 200, having: int = 41) -> SiteBoilerplate:
    return SiteBoilerplate.of(3, stories, {key_of(line): having for line in lines})


def test_a_line_below_the_article_is_left_out_and_the_trace_says_on_how_many_stories_it_is() -> None:
    body = f"<article><h1>Bridge</h1>{paragraphs([*OWN, RULES[0]])}</article>"
    for chain in ("classic", "best"):
        found = extracted(body, epoch(RULES[:1]), chain=chain)
        assert found.text == "\n\n".join(OWN)
        assert found.extraction.left_out == (key_of(RULES[0]),)
        assert found.trace[-1].extractor == "site boilerplate"
        assert "on 41 of 200 stories of the site (epoch 3)" in found.trace[-1].reason


def test_without_a_repeated_line_nothing_changes() -> None:
    body = f"<article><h1>Bridge</h1>{paragraphs(OWN)}</article>"
    one, other = extracted(body, epoch(RULES)), extracted(body, SiteBoilerplate())
    assert one.extraction == other.extraction


def test_the_chain_runs_again_if_it_chose_boilerplate() -> None:
    body = f"<div class=a><h1>Bridge</h1>{paragraphs(OWN)}</div><div class=b>{paragraphs(RULES)}</div>"
    assert RULES[0] in extracted(body, SiteBoilerplate()).text
    found = extracted(body, epoch(RULES))
    assert found.text == "\n\n".join(OWN)
    assert "ran again" in found.trace[-1].reason


def test_a_page_of_nothing_but_rules_keeps_them() -> None:
    body = f"<article><h1>Rules</h1>{paragraphs(RULES)}</article>"
    found = extracted(body, epoch(RULES))
    assert found.text == extracted(body, SiteBoilerplate()).text
    assert "kept" in found.trace[-1].reason


def test_steps_of_a_recipe_stay() -> None:
    steps = "".join(f"<li>{step}</li>" for step in (OWN[1], STEPS[0], OWN[2], STEPS[1], OWN[3]))
    body = f"<article><h1>Pie</h1>{paragraphs(OWN[:1])}<ol>{steps}</ol>{paragraphs(OWN[4:])}</article>"
    text = extracted(body, epoch(STEPS, having=150)).text
    assert text == extracted(body, SiteBoilerplate()).text
    assert all(step in text for step in STEPS)


def test_rows_of_a_weather_table_stay() -> None:
    rows = "".join(
        f"<tr><td>{day}</td><td>{OWN[place][:70]}</td></tr>" for place, day in enumerate(("Monday", "Friday"))
    )
    body = f"<article><h1>Weather</h1>{paragraphs(OWN[:2])}<table>{rows}</table>{paragraphs(OWN[2:])}</article>"
    text = extracted(body, epoch(["Friday"], having=200)).text
    assert text == extracted(body, SiteBoilerplate()).text


def test_a_heading_within_the_article_stays_unless_most_stories_have_it() -> None:
    body = f"<article><h1>Bridge</h1>{paragraphs([*OWN[:2], 'Correction:', *OWN[2:]])}</article>"
    assert "Correction:" in extracted(body, epoch(["Correction:"], having=41)).text
    assert "Correction:" not in extracted(body, epoch(["Correction:"], having=150)).text


def test_what_hints_keep_stays() -> None:
    body = f"<article><h1>Bridge</h1>{paragraphs(OWN)}<p class=note>{RULES[0]}</p></article>"
    hints = SiteHints.of({"keep": "p.note"})
    assert RULES[0] in extracted(body, epoch(RULES[:1]), hints).text
    assert RULES[0] not in extracted(body, epoch(RULES[:1])).text
