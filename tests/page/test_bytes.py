"""The compiled functions and their references find the same in all bytes of a page."""

from __future__ import annotations

from typing import Any

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.page import cuts, decode, ends, parse, segment
from newscrawl.page.compiled import BYTES
from newscrawl.page.hints import is_unread

needs_core = pytest.mark.skipif(BYTES.module is None, reason=f"no compiled core: {BYTES.reason}")

PIECES = ["a" * 31, "b" * 33, "é", "漢", "\U0001f600", "<p>", "</p>", "<", "</", "\0"]
BROKEN = [b"\x80", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xed\xa0\x80", b"\xf0\x8f\xbf\xbf", b"\xf5\x80\x80\x80", b"\xe6\xbc"]
body = st.lists(st.sampled_from([piece.encode() for piece in PIECES] + BROKEN), max_size=8).map(b"".join)


@settings(max_examples=examples(300), deadline=None)
@given(body | st.binary(max_size=40))
def test_bytes_are_utf8_for_both_or_for_none(data: bytes) -> None:
    assert decode.is_utf8(data) == decode._is_utf8(data)


def test_every_sequence_of_two_bytes_and_every_end_of_a_longer_one() -> None:
    for first in range(0x80, 0x100):
        for second in range(0x100):
            for rest in (b"", b"\x80", b"\xbf\xbf", b"\x80a"):
                data = bytes([first, second]) + rest
                assert decode.is_utf8(data) == decode._is_utf8(data), data


ENDS = [
    *("</body", "</BODY", "</html", "</HtMl", "</bod", "/body", "</hody"),
    *("<", "/", "b", "y", "l", "h", "o", "\x0f", "\x1c"),
]


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.sampled_from(ENDS), max_size=9).map(lambda parts: "".join(parts).encode()) | body)
def test_the_first_end_is_found_alike(data: bytes) -> None:
    assert ends.first_end(data) == ends._first_end(data)


PARTS = (
    "<script>", "</script>", "<SCRIPT src=x defer>", "</script >", "</script/>", "<script/>", "</scripty>",
    "<script a=b/>", '<script type="application/ld+json">', "<script type=application/ld&#43;json>",
    "<script type='module' x=\"a>b\">", "<style>", "</style>", "<style media='>'>", "<style/>", "<style =>",
    "<style a = 'x' b>", "<title>", "</title>", "<textarea>", "</textarea>", "<iframe src=a>", "</iframe>",
    "<noscript>", "</noscript>", "<xmp>", "</xmp>", "<noframes>", "</noframes>", "<noembed>", "</noembed>", "<svg>",
    "</svg>", "<svg/>", "<math>", "</math>", "<select>", "</select>", "<option>", "<template>", "</template>",
    "<table>", "<tr>", "<td>", "</table>", "<plaintext>", "<frameset>", "<foreignObject>", "<head>", "</head>",
    "<body>", "</body>", "</html>", "<p>", "</p>", "<p class=\"a'b\">", "<a href=/x/>", "<a title='</script>'>",
    "</a title='>'>", "<div", "<br/>", "<h1>", "</h1>", "<!--", "-->", "--!>", "<!-->", "<!--->", "<!doctype html>",
    '<!DOCTYPE html PUBLIC "-//W3C">', "<![if IE]>", "<![endif]-->", "<![CDATA[", "]]>", "<!x>",
    "<?xml version='1.0'?>", "</>", "</ >", "</", "<", ">", "=", '"', "'", "/", " ", "a", "a b", "é",
    "x < y && z > 1", "&lt;", "if (a<b) {}", "p > a { b: 'c' }", "document.write('<script>x<\\/script>')",
    "<!-- <script> -->",
)  # fmt: skip
html = st.lists(st.sampled_from(PARTS), max_size=14).map("".join)


def tree_of(data: bytes) -> Any:
    """All of lxml's tree but what nobody reads."""
    root, problems = segment.parse_tree(data)
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


TOO_MANY = " a='>' b c=d/" * 251
"""Attributes, more than an element keeps."""
cut_html = st.lists(st.sampled_from((*PARTS, f"<p{TOO_MANY}>", f"<svg{TOO_MANY}/>", TOO_MANY)), max_size=14)


@needs_core
@settings(max_examples=examples(1200), deadline=None)
@given(cut_html.map("".join) | st.lists(st.sampled_from("<>/!-='\"\0 aS"), max_size=12).map("".join))
def test_the_same_is_cut_by_both(text: str) -> None:
    data = text.encode()
    assert cuts.without_scripts(data) == cuts._without_scripts(data)


@needs_core
def test_as_many_pieces_are_cut_by_both() -> None:
    data = b"<style>a</style><script>b</script>" * cuts.MAX_PIECES
    assert cuts.without_scripts(data) == cuts._without_scripts(data)
    assert cuts._without_scripts(data).count(b"a") == cuts.MAX_PIECES // 2


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


@pytest.mark.parametrize(
    "page",
    [
        "<script type='application/ld+json'>{}</script>",
        "<script type='application/ld&#x2B;json'>{}</script>",
        "<script><!-- <script> </script> --></script>",
        "<svg><style>a</style></svg><script>b</script>",
        "<textarea><script>a</script>",
        "<script>a",
        "<p title='<script>a</script>'>",
        "<script/>a</script>",
    ],
)
def test_what_is_not_plain_is_left_as_it_is(page: str) -> None:
    assert cuts.without_scripts(page.encode()).decode() == page


def test_a_link_does_not_say_what_its_scripts_say() -> None:
    html = b"<h1>Head <b>line<script>a()</script></b></h1><a href=x>link<style>b {}</style> text</a>"
    page = parse(html)
    assert page.hints.headline == "Head line"
    assert [link.text for link in page.links] == ["link text"]
    root, _ = segment.parse_tree(html)
    plain = segment.reference(segment.walk(root))
    assert plain.hints.headline == "Head line"
    assert list(plain.links) == list(page.links)
