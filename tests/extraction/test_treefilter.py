"""The tree filter keeps the paragraphs that are close together in the tree."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction.treefilter import (
    identify_paragraphs,
    tree_filter,
)
from newscrawl.page import Page, TextRun, parse
from newscrawl.page.elements import Elements

MakeRun = Callable[..., TextRun]
MakeElements = Callable[[str], Elements]


@pytest.mark.parametrize(
    ("outline", "run_elements", "paragraphs"),
    [
        pytest.param("body>0 p>1 p>1", [2, 3], [2, 3], id="a p is its own paragraph"),
        pytest.param("body>0 div>1 pre>2", [3], [2], id="other tags belong to the nearest of the fifteen above"),
        pytest.param("body>0 ul>1 li>2 li>2", [3, 4], [2, 2], id="a list is one paragraph"),
        pytest.param("body>0 div>1 p>2 blockquote>2", [3, 4], [3, 4], id="the child stands for a div that holds a p"),
        pytest.param("body>0 div>1 p>2", [2, 3], [2, 3], id="bare text beside a p belongs to the div itself"),
        pytest.param(
            "body>0 div>1 main>2 figure>3 p>2", [4, 5], [3, 5], id="the child is the topmost, not the nearest"
        ),
        pytest.param("body>0 section>1 div>2 p>3 figure>2", [4, 5], [4, 5], id="grandchildren count as contained"),
        pytest.param("body>0", [1], [1], id="text directly in body"),
        pytest.param("frameset>0", [1], [0], id="a page without body has its root as the only paragraph"),
    ],
)
def test_a_runs_paragraph(
    make_elements: MakeElements, make_run: MakeRun, outline: str, run_elements: list[int], paragraphs: list[int]
) -> None:
    runs = [make_run("text", element) for element in run_elements]
    found = identify_paragraphs(make_elements(outline), runs, range(len(runs)))
    assert list(found.values()) == paragraphs


@pytest.mark.parametrize("depth", [-1, 0, 6])
def test_a_depth_the_paper_does_not_know_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match="must be 1 to 5"):
        tree_filter(parse("<p>text</p>"), (0,), depth)


BODY = """
<div id="page">
  <div id="article">
    <div class="body"><p>First paragraph of the story.</p><p>Second paragraph of the story.</p>
      <blockquote>Somebody said a thing.</blockquote></div>
    <div class="more"><p>Third paragraph below an advert.</p></div>
  </div>
  <div id="related"><div><div><p>Teaser of another story.</p></div></div></div>
</div>"""


@pytest.mark.parametrize(
    ("depth", "kept"),
    [
        (1, ["First", "Second", "Somebody"]),
        (2, ["First", "Second", "Somebody", "Third"]),
        (3, ["First", "Second", "Somebody", "Third"]),
        (4, ["First", "Second", "Somebody", "Third"]),
        (5, ["First", "Second", "Somebody", "Third", "Teaser"]),
    ],
)
def test_the_depth_says_how_far_apart_paragraphs_may_stand(
    page_of: Callable[..., Page], depth: int, kept: list[str]
) -> None:
    page = page_of(BODY)
    runs = tree_filter(page, range(len(page.runs)), depth)
    assert [page.runs[i].text.split()[0] for i in runs] == kept


def test_of_equal_groups_the_first_in_the_document_wins(page_of: Callable[..., Page]) -> None:
    page = page_of("<section><p>same</p></section><div><p>size</p></div>")
    assert tree_filter(page, (0, 1), 1) == (0,)
