"""A chain gives an extraction for any page."""

from __future__ import annotations

from itertools import pairwise

import pytest
from effort import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from newscrawl.extraction.chain import known_names, resolve, run_chain
from newscrawl.extraction.render import without_invisible
from newscrawl.page import parse

TAGS = "p div h1 h2 a b br li ul ol table td section article header blockquote select option form title body".split()
PIECES = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
    st.sampled_from(
        ["<a href='/x'>", "<!--", "-->", "<script>", "</script>", "<p hidden>", "&nbsp;", "&#0;", "<", " "]
    ),
    st.text(max_size=20),
    st.sampled_from(
        ["The council met on Tuesday and said that it will build the library. " * 3, "中文字" * 30, "\u0e01" * 90]
    ),
)
NAMES = [*known_names(), "classic+tree5", "justext+tree1", "boilerpipe-wide+tree2"]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(pieces=st.lists(PIECES, max_size=40))
def test_any_string_gives_an_extraction(name: str, pieces: list[str]) -> None:
    page = parse("".join(pieces))
    found = run_chain(page, resolve(name))
    assert isinstance(found.text, str)
    assert all(0 <= i < len(page.runs) for i in found.runs)
    assert all(a < b for a, b in pairwise(found.runs))
    assert bool(found.text) == bool(found.runs)
    assert found.trace
    assert not [attempt.reason for attempt in found.trace if "Error" in attempt.reason]
    kept = without_invisible("".join(page.runs[i].text for i in found.runs))
    assert "".join(found.text.split()) == "".join(kept.split())


@pytest.mark.parametrize("name", ["classic", "justext+tree"])
@pytest.mark.parametrize(
    "html", [b"", b"x", b"\0\0", b"\xff\xfe\xfd", b"\x89PNG\r\n\x1a\n\0\0", "<p>\ud800", b"<frameset>"]
)
def test_pages_that_are_hardly_any(name: str, html: bytes | str) -> None:
    found = run_chain(parse(html), resolve(name))
    assert found.problems == ("short",)


def test_a_deep_page() -> None:
    page = parse("<div>" * 3000 + "text " * 100 + "</div>" * 3000)
    assert isinstance(run_chain(page, resolve("classic")).text, str)
