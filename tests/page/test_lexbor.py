"""The optional parser: nearly the same runs, and no hostile page breaks it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import PATIENCE

from newscrawl.bench.speed.growth import SHAPES
from newscrawl.compiled import PARSER, Core
from newscrawl.demo import DemoSite
from newscrawl.page.compiled import lexbor
from newscrawl.page.decode import decode
from newscrawl.page.segment import MAX_UNCLOSED, Segments, segment, segment_by_lexbor

LEXBOR = lexbor()
needs_lexbor = pytest.mark.skipif(LEXBOR.module is None, reason=LEXBOR.reason)

PIECES = (
    "<p>",
    "</p>",
    "<b>",
    "</b>",
    "<table><tr><td>",
    "</table>",
    "<select><option>",
    "<svg><title>",
    "<math>",
    "<template>",
    "<!-- c -->",
    "<script>",
    "</script>",
    "<title>",
    "<textarea>",
    "<a href=x class=y>",
    "<frameset>",
    "</body>",
    "text \u00a0",
    "&amp;&unknown;",
    "<![CDATA[",
    "<?x",
    "<br/>",
    "</br>",
    "<html lang=x>",
    "<head>",
    "<plaintext>",
    "漢字",
)


def read(html: bytes) -> Segments | None:
    assert LEXBOR.module is not None
    return segment_by_lexbor(LEXBOR.module, html)


def texts(segments: Segments) -> list[str]:
    return [run.text for run in segments.runs]


@needs_lexbor
def test_runs_are_alike_on_the_demo_site() -> None:
    site = DemoSite()
    same = number = 0
    for story in site.stories:
        html = decode(site.answer("GET", story.path).body).data
        found, expected = read(html), segment(html)
        assert found is not None
        same += sum((Counter(texts(found)) & Counter(texts(expected))).values())
        number += max(len(found.runs), len(expected.runs))
        assert found.head.title == expected.head.title
        assert found.hints.json_ld == expected.hints.json_ld
    assert same / number >= 0.99


@needs_lexbor
def test_trees_are_those_of_browsers() -> None:
    found = read(b"<title>t</title><p>a<!-- b -->c<b>d</b><div id=i>e</div><table><tr><td>f<script>no</script></table>")
    assert found is not None
    assert texts(found) == ["acd", "e", "f"]
    assert [found.elements.path(run.element) for run in found.runs] == [
        "html/body/p",
        "html/body/div",
        "html/body/table/tbody/tr/td",
    ]
    assert found.elements.values(found.runs[1].element, ("class", "id")) == (None, "i")
    assert found.head.title == "t"


@needs_lexbor
@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_page_can_be_read(html: str) -> None:
    found = read(decode(html).data)
    if found is not None:
        assert len(found.elements.attributes) == len(found.elements)
        assert all(isinstance(part.text, str) for part in (*found.links, *found.hints.marked))


@needs_lexbor
@pytest.mark.parametrize("shape", SHAPES)
def test_hostile_pages_can_be_read(shape: str) -> None:
    read(SHAPES[shape](200_000).encode())


@needs_lexbor
@pytest.mark.parametrize("html", [b"<div>" * (MAX_UNCLOSED + 1), b"", b" \n"])
def test_some_pages_are_left_to_lxml(html: bytes) -> None:
    assert read(html) is None


@needs_lexbor
def test_as_many_open_elements_as_it_is_given_are_no_matter() -> None:
    found = read(b"<div>" * MAX_UNCLOSED + b"deep")
    assert found is not None
    assert texts(found) == ["deep"]
    assert found.runs[0].level > MAX_UNCLOSED - 10


@needs_lexbor
def test_the_environment_asks_for_it() -> None:
    assert told("lexbor") == "compiled core in use, pages read by lexbor e"


def test_a_parser_that_is_none_is_told() -> None:
    assert "NEWSCRAWL_PARSER is 'gumbo': give one of lxml, lexbor" in told("gumbo")


def test_it_needs_the_compiled_core() -> None:
    assert lexbor(Core(None, "why")).reason == "lexbor needs the compiled core: why"


def told(parser: str) -> str:
    script = "from newscrawl.extraction.kernels import describe_core; import newscrawl.page as p; "
    script += "print(describe_core(), p.parse('<table><p>e').runs[0].text)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, PARSER: parser},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    return done.stdout.strip()
