"""Bytes of a page that are cut out before it is parsed, and content after the end of a document."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from markup import PIECES

from newscrawl.page import cuts, parse
from newscrawl.page.cuts import TEXT_LOST
from newscrawl.page.head import is_unread
from newscrawl.page.parse import parse_tree, reference
from newscrawl.page.walk import walk

PARSING = sys.modules["newscrawl.page.parse"]
"""The module, whose name is that of its function, too."""

html = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


def tree_of(data: bytes) -> Any:
    """All of lxml's tree but what nobody reads."""
    root, problems = parse_tree(data)
    if root is None:
        return None, problems
    found = [(n.tag, n.items(), None if is_unread(n) else n.text, n.tail, n.getparent()) for n in root.iter()]
    numbers = {node: number for number, node in enumerate(root.iter())}
    return [(*rest, numbers.get(parent)) for *rest, parent in found], problems


@settings(max_examples=examples(1200), deadline=None)
@given(html)
def test_without_scripts_parsers_make_the_same_of_all_else(text: str) -> None:
    data = text.encode()
    cut = cuts.without_scripts(data)
    if cut is not data:
        assert tree_of(cut) == tree_of(data)


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>a<script>b</script>c", "<p>a<script></script>c"),
        ("<STYLE x='>'>p > a</STYLE ><p>", "<STYLE x='>'></STYLE ><p>"),
        ("<svg><title>t</title></svg><script>b</script>", "<svg><title>t</title></svg><script></script>"),
        ("<!-- a --><script>// <!--\n b</script>c", "<!-- a --><script></script>c"),
    ],
)
def test_scripts_and_styles_are_cut_where_it_is_plain_where_they_end(page: str, expected: str) -> None:
    assert cuts.without_scripts(page.encode()).decode() == expected


@pytest.mark.parametrize("end", [">x", "/>x", " >x<script></script>", "\n/>x<p a b>"])
def test_of_an_elements_attributes_five_hundred_are_kept(end: str) -> None:
    five_hundred = " ".join(f"a{number}='>' b{number}" for number in range(250))
    assert cuts.without_scripts(f"<p>a<svg {five_hundred}{end}".encode()).decode() == f"<p>a<svg {five_hundred}{end}"
    more = cuts.without_scripts(f"<p>a<svg {five_hundred} more='<p>' and/more{end}".encode()).decode()
    assert more == f"<p>a<svg {five_hundred} {end.lstrip()}"


def test_an_element_of_a_page_has_five_hundred_attributes() -> None:
    """Whichever core reads the page, with and without the compiled one."""
    names = [f"a{number}" for number in range(cuts.MAX_ATTRIBUTES + 1)]
    page = parse(f"<body><p {' '.join(names)} id=last>text")
    found = next(each for each in page.elements.attributes.all() if "a0" in each)
    assert list(found) == names[:-1]


def test_a_link_does_not_say_what_its_scripts_say() -> None:
    html = b"<h1>Head <b>line<script>a()</script></b></h1><a href=x>link<style>b {}</style> text</a>"
    page = parse(html)
    assert page.hints.headline == "Head line"
    assert [link.text for link in page.links] == ["link text"]
    root, _ = parse_tree(html)
    plain = reference(walk(root))
    assert plain.hints.headline == "Head line"
    assert list(plain.links) == list(page.links)


# The end of a document.

FIRST = "<p>Some words before it.</p>"
SECOND = "<p>Words after the end of it.</p>"
BOTH = ["Some words before it.", "Words after the end of it."]

PAGES: dict[str, tuple[str, list[str]]] = {
    "a stray end of the body": (f"<html><body>{FIRST}</body>{SECOND}</html>", BOTH),
    "a stray end of all": (f"<html><body>{FIRST}</html>{SECOND}", BOTH),
    "both ends": (f"<html><body>{FIRST}</body></html>{SECOND}", BOTH),
    "both ends in capitals": (f"<HTML><BODY>{FIRST}</BODY></HTML >{SECOND}", BOTH),
    "ends again and again": (f"<html><body>{FIRST}</body></html></body></html>{SECOND}</body></html>", BOTH),
    "text without an element": (f"<html><body>{FIRST}</body></html>plain words", [BOTH[0], "plain words"]),
    "an end inside a paragraph": ("<html><body><p>one</html> two</p></body>", ["one two"]),
    "a second document": (f"<html><body>{FIRST}</body></html><html><body>{SECOND}</body></html>", BOTH),
    "comments and scripts between": (f"<body>{FIRST}</body></html><!-- x --><script>y</script>{SECOND}", BOTH),
    "an end in a script": (f"<body><script>'</body></html>'</script>{FIRST}{SECOND}</body></html>", BOTH),
    "an end in a comment": (f"<body><!-- </html> -->{FIRST}{SECOND}</body></html>", BOTH),
    "an article in noscript": (f"<body><noscript><article>{FIRST}{SECOND}</article></noscript></body>", BOTH),
    "words in a table without cells": ("<table>bare <tr>more words<td>cell</table>", ["bare", "more words", "cell"]),
}


@pytest.mark.parametrize("case", PAGES)
def test_words_behind_the_end_are_read(case: str) -> None:
    html, expected = PAGES[case]
    found = parse(html)
    assert ([run.text for run in found.runs], found.problems) == (expected, ())


@pytest.mark.parametrize("case", PAGES)
def test_python_alone_reads_the_same_words(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    html, expected = PAGES[case]
    monkeypatch.setattr(PARSING, "walk_tree", lambda root: reference(walk(root)))
    monkeypatch.setattr(PARSING, "without_scripts", lambda page: page)
    found = parse(html)
    assert ([run.text for run in found.runs], found.problems) == (expected, ())


def test_words_that_are_missing_all_the_same_are_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PARSING, "without_early_end", lambda html: (html, frozenset({"after"})))
    assert parse(PAGES["both ends"][0]).problems == (TEXT_LOST,)


@pytest.mark.parametrize(
    "piece", ["</html>", "</body>x", "<script>", "<!-- ", "</html ", "<script></html>", "<title>a"]
)
def test_ends_take_time_in_proportion(piece: str, grows_evenly: Callable[..., None]) -> None:
    grows_evenly(lambda html: cuts.without_early_end(html), lambda n: b"<p>a</body>b" + piece.encode() * n, 20_000)
