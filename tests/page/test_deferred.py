"""Values that are computed when they are first read are the same at any time, and free the tree afterwards."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from threading import Thread

import pytest

from newscrawl.page import Page, parse

HTML = """<html lang=en><body class=home><h1 id=top>Rain</h1><div style="color: red" class=byline>By A. B.</div>
<p hidden>not <b style="display: none">seen</b></p><a rel=next href="/two">On</a>
<script type="application/ld+json">{"@type": "NewsArticle"}</script></body></html>"""


def test_a_page_survives_pickling_with_all_that_was_not_read_yet() -> None:
    page = parse(HTML)
    copy = pickle.loads(pickle.dumps(page))
    assert copy == page
    assert copy.links[0].href == "/two"
    assert copy.elements.attributes[1] == {"class": "home"}
    assert [run.code for run in copy.runs] == [run.code for run in page.runs]


def test_threads_parse_at_the_same_time(html_of: Callable[[int], str]) -> None:
    expected = [parse(html_of(number)) for number in range(8)]
    found: dict[int, Page] = {}

    def work(number: int) -> None:
        for _ in range(20):
            found[number] = parse(html_of(number))

    threads = [Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number] for number in range(8)] == expected


@pytest.fixture
def html_of() -> Callable[[int], str]:
    return lambda number: f"<h1 class=c{number}>Page {number}</h1>" + f"<p>Paragraph of {number}.</p>" * (number + 1)


def test_the_headline_is_found_behind_any_number_of_marked_elements() -> None:
    page = parse("<i class=date>today</i>" * 300 + "<h1>Rain</h1>")
    assert page.hints.headline == "Rain"
    assert len(page.hints.marked) == 200


def test_marked_elements_are_told_by_class_property_and_relation() -> None:
    page = parse(
        "<p class='x BYLINE'>a<p class=up-date>b<p class=none>c<p itemprop>d<p rel=author>e<p rel='author me'>f<time>g"
    )
    assert [mark.text for mark in page.hints.marked] == ["a", "b", "d", "e", "g"]
    assert page.hints.marked == pickle.loads(pickle.dumps(page.hints.marked))
