"""Content after the end of a document belongs to its body, as in browsers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.page import segment as segments
from newscrawl.page.ends import TEXT_LOST
from newscrawl.page.segment import reference, segment
from newscrawl.page.walk import walk

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
    found = segment(html.encode())
    assert ([run.text for run in found.runs], found.problems) == (expected, ())


@pytest.mark.parametrize("case", PAGES)
def test_python_alone_reads_the_same_words(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    html, expected = PAGES[case]
    monkeypatch.setattr(segments, "walk_tree", lambda root: reference(walk(root)))
    monkeypatch.setattr(segments, "without_scripts", lambda page: page)
    found = segment(html.encode())
    assert ([run.text for run in found.runs], found.problems) == (expected, ())


@pytest.mark.parametrize(
    "end", ["</body>", "</BODY >", "</html>", "</body></html>", "</body></html><html><body>", "</body><body>"]
)
def test_an_end_inside_an_element_does_not_close_it(end: str) -> None:
    found = segment(f"<html><body><div><article>{FIRST}{end}{SECOND}</article></div></body></html>".encode())
    assert [found.elements.path(run.element) for run in found.runs] == ["html/body/div/article/p"] * 2


def test_words_that_are_missing_all_the_same_are_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "without_early_end", lambda html: (html, frozenset({"after"})))
    assert segment(PAGES["both ends"][0].encode()).problems == (TEXT_LOST,)


@pytest.mark.parametrize(
    "piece", ["</html>", "</body>x", "<script>", "<!-- ", "</html ", "<script></html>", "<title>a"]
)
def test_ends_take_time_in_proportion(piece: str, grows_evenly: Callable[..., None]) -> None:
    grows_evenly(lambda html: segments.without_early_end(html), lambda n: b"<p>a</body>b" + piece.encode() * n, 20_000)
