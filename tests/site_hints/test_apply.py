"""What each kind of hint does to a page, and how trace and explanation say so."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from newscrawl import extract, extract_many
from newscrawl.extraction.explain.document import explain_html
from newscrawl.extraction.site_hints import SiteHints
from newscrawl.extraction.site_hints.apply import hints_of_page
from newscrawl.model import HintMatch
from newscrawl.page import parse

NOW = datetime(2026, 11, 24, tzinfo=UTC)
SENTENCE = "The harbour council spoke for {0} hours about the price of {0} new boats and the repair of pier {0}. "
STORY = "".join(f"<p>{SENTENCE.format(number) * 2}</p>" for number in ("three", "four", "five", "six"))
APPEAL = "Our readers pay for this paper: a subscription costs four crowns a month and can be ended on any day. " * 2
NOTE = "An earlier version of this article named the wrong pier."
REMARK = "<p>I have said so {0} times and nobody listened, as was to be expected of them.</p>"
COMMENTS = "".join(map(REMARK.format, range(40)))
PAGE = f"""<html><head><title>Boats get dearer | The Pier</title><meta name=weather content=rain></head><body>
<div class=top>Today in The Pier</div><h1>Boats get dearer</h1>
<p class=meta>Seen by <span class=who>Ada Example</span> and <span class=who>Bo Sample</span>,
on <b class=day>3 May 2026</b></p>
<div class=story>{STORY}<div class=appeal><p>{APPEAL}</p></div><p>{SENTENCE.format("seven")}</p></div>
<div class=note>{NOTE}</div></body></html>"""


def test_what_is_dropped_is_out_and_all_else_stays() -> None:
    plain, hinted = extract(PAGE), extract(PAGE, hints={"drop": ".appeal"})
    assert APPEAL.strip() in plain.text
    assert APPEAL.strip() not in hinted.text
    for number in ("three", "six", "seven"):
        assert SENTENCE.format(number).strip() in hinted.text
    assert hinted.extractor == plain.extractor
    assert [attempt.extractor for attempt in hinted.trace] == [*[attempt.extractor for attempt in plain.trace], "hints"]
    assert hinted.trace[-1].reason == "dropped 1 runs; drop .appeal: 1"


def test_a_story_that_its_comments_outweigh_is_found_without_them() -> None:
    story = "".join(f"<p>{SENTENCE.format(number)}</p>" for number in ("three", "four", "five", "six"))
    html = f"<h1>Voices</h1><div class=a>{story}</div><div class=talk>{COMMENTS}</div>"
    assert "nobody listened" in extract(html).text
    text = extract(html, hints={"drop": ".talk"}).text
    assert "nobody listened" not in text
    assert text.startswith("The harbour council spoke for three")


def test_what_is_kept_is_added_in_its_place() -> None:
    facts = "<ul class=facts><li><a href=/p>Pier three: 40 boats</a></li></ul>"
    html = PAGE.replace("<div class=appeal>", f"{facts}<div class=appeal>")
    hinted = extract(html, hints={"keep": ".facts", "drop": ".appeal"})
    assert "40 boats" not in extract(html).text
    before, after = hinted.text.split("\n\nPier three: 40 boats\n\n")
    assert before.endswith("the repair of pier six.")
    assert SENTENCE.format("seven").strip() in after
    assert "dropped 1 runs, added 1 runs" in hinted.trace[-1].reason


def test_what_is_kept_replaces_another_part_of_the_page() -> None:
    html = f"<h1>Voices</h1><div class=a>{STORY}</div><div class=talk>{''.join(map(REMARK.format, range(20)))}</div>"
    wrong: Any = {"wrong": lambda page: [run for run, found in enumerate(page.runs) if "nobody" in found.text]}
    chosen = {"chain": "mine", "chains": {"mine": ["wrong"]}, "extractors": wrong}
    assert extract(html, **chosen).text.startswith("I have said so")
    hinted = extract(html, **chosen, hints={"keep": "//div[@class='a']"})
    assert "nobody listened" not in hinted.text
    assert hinted.text.startswith("The harbour council")
    assert "in place of another part of the page" in hinted.trace[-1].reason


def test_a_long_caption_that_is_kept_replaces_no_article() -> None:
    caption = "The new pier seen from the old one, with all boats that were there on the day of the photograph. " * 5
    html = f"<h1>Boats</h1><figure><figcaption class=c>{caption}</figcaption></figure><div>{STORY * 2}</div>"
    text = extract(html, hints={"keep": ".c"}).text
    assert text.startswith("The new pier seen")
    assert SENTENCE.format("six").strip() in text


def test_what_is_dropped_changes_nothing_else() -> None:
    kept = {"all": lambda page: range(len(page.runs)) if len(page.runs) == 4 else ()}
    html = "".join(f"<p class=p{number}>{SENTENCE.format(number) * 2}</p>" for number in range(4))
    chosen: Any = {"chain": "mine", "chains": {"mine": ["all"]}, "extractors": kept}
    text = extract(html, **chosen, hints={"drop": ".p2"}).text
    assert text == "\n\n".join((SENTENCE.format(number) * 2).strip() for number in (0, 1, 3))


def test_what_is_dropped_inside_what_is_kept_is_out() -> None:
    hinted = extract(PAGE, hints={"keep": ".story", "drop": ".appeal"})
    assert "subscription" not in hinted.text
    assert SENTENCE.format("seven").strip() in hinted.text


@pytest.mark.parametrize(
    ("hints", "field", "expected"),
    [
        ({"title": ".top"}, "title", "Today in The Pier"),
        ({"title": ("h6", ".top")}, "title", "Today in The Pier"),
        ({"title": "title"}, "title", "Boats get dearer | The Pier"),
        ({"title": "h6"}, "title", "Boats get dearer"),
        ({"title": "meta[name=weather]::attr(content)"}, "title", "rain"),
        ({"authors": "span.who"}, "authors", ("Ada Example", "Bo Sample")),
        ({"authors": "(//span[@class='who'])[2]"}, "authors", ("Bo Sample",)),
        ({"published": "b.day"}, "published", datetime(2026, 5, 3, tzinfo=UTC)),
        ({"published": "h1"}, "published", None),
    ],
)
def test_a_field_is_read_where_the_hint_says(hints: Any, field: str, expected: Any) -> None:
    html = PAGE.replace("3 May 2026", "nine") if expected is None else PAGE
    assert getattr(extract(html, hints=hints, fetched_at=NOW), field) == expected


def test_a_date_that_is_not_credible_is_refused_with_the_reason() -> None:
    metadata = extract(PAGE.replace("2026", "2031"), hints={"published": "b.day"}, fetched_at=NOW).metadata
    assert metadata.published is None
    assert ("hint", "more than 24 hours after the download") in [
        (no.source, no.reason) for no in metadata.refused_dates
    ]


def test_an_attribute_of_time_is_the_date() -> None:
    html = PAGE.replace("<b class=day>", "<time class=day datetime='2026-05-02T10:00:00+02:00'>").replace(
        "</b>", "</time>"
    )
    published = extract(html, hints={"published": "time.day"}, fetched_at=NOW).metadata.published
    assert published is not None
    assert (published.when, published.source, published.offset) == (datetime(2026, 5, 2, 8, tzinfo=UTC), "hint", 120)


def test_an_inline_element_is_dropped_with_its_run_only_if_it_is_the_whole_run() -> None:
    page = parse(
        "<p><span class=x>All of it</span></p><p><span class=x>Part</span> of it</p><span class=x>a<br>b</span>"
    )
    found = hints_of_page(page, SiteHints.of({"drop": "span.x"}), NOW)
    assert found is not None
    assert [page.runs[run].text for run in sorted(found.dropped)] == ["All of it", "a", "b"]
    assert found.matches == (HintMatch("drop span.x", 3),)


def test_a_set_holds_from_its_day_on() -> None:
    hints = {"since": "2026-11-01", "drop": ".appeal"}
    assert APPEAL.strip() in extract(PAGE, hints=hints, fetched_at=datetime(2026, 10, 31, 23, tzinfo=UTC)).text
    assert APPEAL.strip() not in extract(PAGE, hints=hints, fetched_at=datetime(2026, 11, 1, tzinfo=UTC)).text


def test_a_hint_that_matches_nothing_says_so() -> None:
    extracted = extract(PAGE, hints={"drop": ".gone"})
    assert extracted.text == extract(PAGE).text
    assert extracted.trace[-1].reason == "changed nothing; drop .gone: nothing"


def test_many_pages_are_read_with_the_same_hints() -> None:
    (result,) = extract_many([PAGE], hints={"drop": ".appeal"}, workers=0)
    assert result.text == extract(PAGE, hints={"drop": ".appeal"}).text


def test_the_explanation_shows_each_hint_and_what_it_decided() -> None:
    hints = SiteHints.of({"drop": ".appeal", "keep": ".note", "title": ".top"})
    explained = explain_html(extract(PAGE, hints=hints))
    assert "Hints of the site" in explained
    for label in ("drop .appeal", "keep .note", "title .top"):
        assert f"<td>{label}</td><td>1</td>" in explained
    appeal = explained[explained.index("Our readers pay") :]
    assert appeal.index(">hints<") < appeal.index("</summary>")
