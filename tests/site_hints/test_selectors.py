"""Selectors in both languages: what they match, and which are refused with which words."""

from __future__ import annotations

import pytest

from newscrawl import extract
from newscrawl.errors import UsageError
from newscrawl.extraction.site_hints import SiteHints

PAGE = """<html lang=en><head><title>T</title><meta name=author content="Bo Sample"></head><body>
<h1 id=t>Bridge opens</h1><p class="by line">By <span class=sig>Ann Example</span></p>
<div class="art main" data-x=one><p>First</p><p>Second <a href=/x rel=author>link</a></p><p class=box>Third</p>
<ul><li>a<li>b<li>c</ul></div><aside><div><p>Read more</p></div></aside><my-box><em>own</em></my-box><b></b>"""


def found(written: str) -> tuple[int, tuple[str, ...]]:
    """How much a hint for authors matches, and the texts of it."""
    hints = extract(PAGE, hints={"authors": written}).hints
    assert hints is not None
    assert hints.problem is None
    return hints.matches[0].number, hints.authors


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("p.box", ["Third"]),
        (".art > p", ["First", "Second link", "Third"]),
        ("body .art p:first-child", ["First"]),
        (".art .art p", []),
        ("li:last-child", ["c"]),
        ("li:nth-child(2n+1)", ["a", "c"]),
        ("li:nth-last-child(2)", ["b"]),
        (".art > p:nth-of-type(3)", ["Third"]),
        ("ul:only-of-type", ["a b c"]),
        ("h1 + p", ["By Ann Example"]),
        ("h1 ~ div li + li ~ li", ["c"]),
        ("h1 ~ div > p.box, aside", ["Third", "Read more"]),
        ("p:has(> a)", ["Second link"]),
        ("p:has(span.sig, a)", ["By Ann Example", "Second link"]),
        ("body :has(aside p)", []),
        ("div:has(p a) + aside", ["Read more"]),
        ("body > p:not(.by)", []),
        (":is(h1, em)", ["Bridge opens", "own"]),
        ("body > :empty", [""]),
        (":root > body > h1", ["Bridge opens"]),
        ("[data-x=one] [class^=b]", ["Third"]),
        ("[class$=sig]", ["Ann Example"]),
        ("[class*='y l']", ["By Ann Example"]),
        ("[lang|=en] h1", ["Bridge opens"]),
        ("[href]", ["link"]),
        ("p:contains('more')", ["Read more"]),
        ("my-box", ["own"]),
        ("h1::text", ["Bridge opens"]),
        (".art a::attr(rel)", ["author"]),
        ("title", ["T"]),
        ("meta[name=author]", ["Bo Sample"]),
        ("//p[@class='box']", ["Third"]),
        ("//div[@class]/p[2]", ["Second link"]),
        ("//li[last()]", ["c"]),
        ("//li[position()>1]", ["b", "c"]),
        ("(//p)[2]", ["First"]),
        ("/html/body/h1", ["Bridge opens"]),
        ("id('t')", ["Bridge opens"]),
        ('id("t")/following-sibling::p[1]/span', ["Ann Example"]),
        ("//p[concat('id(', '\"x\")') = 'id(\"x\")' and a]", ["Second link"]),
        ("//p[contains(concat(' ', normalize-space(@class), ' '), ' by ')]", ["By Ann Example"]),
        ("//p[contains(., 'more')]/ancestor::aside", ["Read more"]),
        ("//a/..", ["Second link"]),
        ("//ul/preceding-sibling::p[not(@class)]", ["First", "Second link"]),
        ("//p[.//@href]", ["Second link"]),
        ("//p[span='Ann Example' or a]", ["By Ann Example", "Second link"]),
        ("//p[translate(., 'RM', 'rm') = 'read more']", ["Read more"]),
        ("//h1 | //aside", ["Bridge opens", "Read more"]),
        ("//p/text()[contains(., 'Sec')]", ["Second"]),
        ("//*[count(li) = 3]/li[2]", ["b"]),
        ("//p[string-length(.) < 6]", ["First", "Third"]),
        ("//p[count(preceding::p) = 2]", ["Second link"]),
        ("//aside/following::em", ["own"]),
        ("//meta[@name='author']/@content", ["Bo Sample"]),
        ("substring-after(//p[@class='by line'], 'By ')", ["Ann Example"]),
        ("string(//h6)", []),
    ],
)
def test_a_selector_matches(written: str, expected: list[str]) -> None:
    assert found(written) == (len(expected), tuple(filter(None, expected)))


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("x" * 100_000, "it has 100,000 characters"),
        (":not(" * 200, "it is no CSS selector"),
        ("*:nth-of-type(2)", "is not implemented"),
        ("count(//p)", "it gives a number or a condition"),
        ("//p = 'x'", "it gives a number or a condition"),
        ("//p[$x]", "Undefined variable"),
        ("//svg:rect", "Undefined namespace prefix"),
        ("svg|rect", "Undefined namespace prefix"),
        ("//p[re:test(., 'x+')]", "Undefined namespace prefix"),
        ("//p[lower-case(.) = 'x']", "Unregistered function"),
        ("//p[1", "Invalid predicate"),
        ("//p]", "Invalid expression"),
        ("//p[é=§]", "Invalid"),
        ("//p[\0]", "it is no XPath"),
        ("p:nowhere", "it is no CSS selector"),
        ("p:nth-child(x)", "it is no CSS selector"),
        ("p::before", "it is no CSS selector"),
        ("div..box", "it is no CSS selector"),
    ],
)
def test_a_selector_that_cannot_be_used_says_why(written: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        SiteHints.of({"title": written})
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "written",
    ["//p/@class", "p::attr(class)", "h1::text", "string(//p)", "//meta[@name='author']", "title", "//script[@src]"],
)
def test_what_is_no_element_of_the_text_cannot_be_dropped_or_kept(written: str) -> None:
    SiteHints.of({"title": written})
    for kind in ("drop", "keep"):
        with pytest.raises(UsageError, match="which is no element of the text"):
            SiteHints.of({kind: written})


def test_an_element_outside_of_the_text_is_no_match_of_a_dropped_one() -> None:
    hints = extract(PAGE, hints={"drop": "//*[@name or self::title] | //p[@class]/@class | //p[@class='box']"}).hints
    assert hints is not None
    assert (hints.matches[0].number, len(hints.dropped)) == (1, 1)


@pytest.mark.parametrize(
    ("written", "words"),
    [("//i", "it matches more than 5,000 elements"), ("//i[lower-case(.)]", "Unregistered function")],
)
def test_a_hint_that_cannot_be_evaluated_is_a_problem_of_the_page(written: str, words: str) -> None:
    extracted = extract("<p>The council met on Monday.</p>" * 9 + "<i>x</i>" * 5_001, hints={"drop": ("p", written)})
    assert extracted.text.startswith("The council met")
    assert words in extracted.problems[-1] or any(words in problem for problem in extracted.problems)
    assert words in extracted.trace[-1].reason
