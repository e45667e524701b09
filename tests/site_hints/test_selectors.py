"""Selectors in both languages: what they match, and which are refused with which words."""

from __future__ import annotations

import pytest

from newscrawl.errors import UsageError
from newscrawl.page import parse
from newscrawl.site_hints.matching import matches
from newscrawl.site_hints.page_index import PageIndex
from newscrawl.site_hints.selectors import check, read_selector

PAGE = """<html lang=en><head><title>T</title></head><body>
<h1 id=t>Bridge opens</h1><p class="by line">By <span class=sig>Ann Example</span></p>
<div class="art main" data-x=one><p>First</p><p>Second <a href=/x rel=author>link</a></p><p class=box>Third</p>
<ul><li>a<li>b<li>c</ul></div><aside><div><p>Read more</p></div></aside><p></p></body></html>"""
INDEX = PageIndex(parse(PAGE))


def found(written: str) -> list[str]:
    """The names of the matched elements, with their class or the beginning of their text."""
    elements = INDEX.page.elements
    hits = sorted({hit for path in read_selector(written).paths for hit in matches(INDEX, path)})
    names = [elements.attributes[hit].get("class") or INDEX.text(hit)[:6] for hit in hits]
    return [f"{elements.name(hit)} {name}".strip() for hit, name in zip(hits, names, strict=True)]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("p.box", ["p box"]),
        (".art > p", ["p First", "p Second", "p box"]),
        (".art p:first-child", ["p First"]),
        ("li:last-child", ["li c"]),
        ("li:nth-child(2n+1)", ["li a", "li c"]),
        ("li:nth-last-child(2)", ["li b"]),
        (".art > p:nth-of-type(3)", ["p box"]),
        ("ul:only-of-type", ["ul a b c"]),
        ("h1 + p", ["p by line"]),
        ("h1 ~ div, h1 ~ aside", ["div art main", "aside Read m"]),
        ("p:has(> a)", ["p Second"]),
        ("p:has(span.sig, a)", ["p by line", "p Second"]),
        ("body > p:not(.by)", ["p"]),
        (":is(h1, ul)", ["h1 Bridge", "ul a b c"]),
        ("p:empty", ["p"]),
        (":root > body > h1", ["h1 Bridge"]),
        ("[data-x=one]", ["div art main"]),
        ("[class^=art]", ["div art main"]),
        ("[class$=main]", ["div art main"]),
        ("[class*='y l']", ["p by line"]),
        ("[lang|=en] h1", ["h1 Bridge"]),
        ("[href]", ["a link"]),
        ("p:contains('more')", ["p Read m"]),
        ("//p[@class='box']", ["p box"]),
        ("//div[@class]/p[2]", ["p Second"]),
        ("//li[last()]", ["li c"]),
        ("//li[position()>1]", ["li b", "li c"]),
        ("//li[position() <= 2]", ["li a", "li b"]),
        ("(//p)[2]", ["p First"]),
        ("(//li)[last()]", ["li c"]),
        ("/html/body/h1", ["h1 Bridge"]),
        ("id('t')", ["h1 Bridge"]),
        ("//p[contains(concat(' ', normalize-space(@class), ' '), ' by ')]", ["p by line"]),
        ("//p[contains(., 'more')]/ancestor::aside", ["aside Read m"]),
        ("//a/..", ["p Second"]),
        ("//a/parent::p/following-sibling::*", ["p box", "ul a b c"]),
        ("//ul/preceding-sibling::p[not(@class)]", ["p First", "p Second"]),
        ("//div[p/a[@rel='author']]", ["div art main"]),
        ("//p[.//@href]", ["p Second"]),
        ("//p[span='Ann Example' or a]", ["p by line", "p Second"]),
        ("//p[starts-with(text(), 'Sec') and a]", ["p Second"]),
        ("//p[translate(., 'RM', 'rm') = 'read more']", ["p Read m"]),
        ("//p[@class != 'box']", ["p by line"]),
        ("//h1 | //ul", ["h1 Bridge", "ul a b c"]),
        ("//aside//p/text()", ["p Read m"]),
        ("//*[self::h1 or self::ul]", ["h1 Bridge", "ul a b c"]),
    ],
)
def test_a_selector_matches(written: str, expected: list[str]) -> None:
    check("title", written)
    assert found(written) == expected


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("x" * 100_000, "it has 100,000 characters"),
        ("//p" * 50, "more than 40 steps"),
        ("//p" + "[p" * 20 + "]" * 20, "more than 12 brackets"),
        (":not(" * 20 + "p" + ")" * 20, "it is no CSS selector|more than 12 brackets"),
        ("string-length(string(//body))", "it is no CSS selector"),
        ("//p[string-length(string(//body)) > 3]", "the function string-length"),
        ("//p[count(//p) > 2]", "the function count"),
        ("//p[//a]", "begins at the element"),
        ("//p[$x]", "cannot be used"),
        ("//svg:rect", "namespace"),
        ("svg|rect", "namespace"),
        ("//p[@xlink:href]", "namespace"),
        ("//following::p", "the axis 'following'"),
        ("//p/following-sibling::p[1]", "a position can be given after / and // only"),
        ("//p[1", "']' is expected"),
        ("//p[", "the name of an element is expected"),
        ("//p]", "is not expected"),
        ("//p[last() = 2]", "']' is expected"),
        ("//p[0]", "a position is a whole number"),
        ("//p[@a < 3]", "compares numbers"),
        ("//comment()", "names no element"),
        ("//p[é=§]", "cannot be read"),
        ("p:hover", ":hover cannot be decided"),
        ("p:nth-child(x)", "takes a position"),
        ("p::before", "the only pseudo-elements"),
        ("[a='b' i]", "the flag i"),
        ("div..box", "it is no CSS selector"),
        ("app-story", "is no element of HTML"),
        ("//script", "never a part of the text"),
        ("meta", "a meta element is named"),
        ("//meta[@name='a' and @content='b']/@content", "a meta element is named"),
    ],
)
def test_a_selector_that_cannot_be_used_says_why(written: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        check("title", written)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("written", ["//p/@class", "p::attr(class)", "//meta[@name='author']/@content", "title"])
def test_what_is_no_text_cannot_be_dropped_or_kept(written: str) -> None:
    check("title", written)
    for kind in ("drop", "keep"):
        with pytest.raises(UsageError, match="which is no text of the page"):
            check(kind, written)
