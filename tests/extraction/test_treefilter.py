"""The tree filter keeps the paragraphs that are close together in the tree."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction.treefilter import (
    PARAGRAPH_TAGS,
    group_by_ancestor,
    identify_paragraphs,
    list_ancestors,
    select_largest,
    tree_filter,
)
from newscrawl.page import Page, TextRun, parse
from newscrawl.page.elements import Elements

MakeRun = Callable[..., TextRun]
MakeElements = Callable[[str], Elements]


def test_the_paper_has_fifteen_paragraph_tags() -> None:
    assert len(set(PARAGRAPH_TAGS)) == len(PARAGRAPH_TAGS) == 15


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


def test_a_paragraph_tag_without_text_is_not_contained(make_elements: MakeElements, make_run: MakeRun) -> None:
    elements = make_elements("body>0 div>1 p>2 blockquote>2")
    assert identify_paragraphs(elements, [make_run("quote", 4)], [0]) == {0: 2}


def test_text_that_was_not_selected_still_makes_its_tag_a_contained_paragraph(
    make_elements: MakeElements, make_run: MakeRun
) -> None:
    elements = make_elements("body>0 div>1 p>2 blockquote>2")
    runs = [make_run("dropped", 3), make_run("quote", 4)]
    assert identify_paragraphs(elements, runs, [1]) == {1: 4}


@pytest.mark.parametrize(("depth", "ancestors"), [(1, (4, 3)), (2, (4, 3, 2)), (3, (4, 3, 2, 1)), (5, (4, 3, 2, 1))])
def test_ancestors_are_counted_from_the_paragraph_and_end_at_body(
    make_elements: MakeElements, depth: int, ancestors: tuple[int, ...]
) -> None:
    elements = make_elements("body>0 section>1 div>2 p>3")
    assert list_ancestors(elements, [4, 4], depth) == {4: ancestors}


def test_every_element_counts_as_an_ancestor_whatever_its_name(make_elements: MakeElements) -> None:
    elements = make_elements("body>0 div>1 span>2 p>3")
    assert list_ancestors(elements, [4], 2)[4][-1] == 2


def test_groups_are_the_runs_below_the_same_ancestor() -> None:
    ancestors = {4: (4, 2), 5: (5, 2), 7: (7, 6)}
    assert group_by_ancestor({0: 4, 1: 5, 2: 7, 3: 4}, ancestors) == {2: [0, 1, 3], 6: [2]}


def test_the_group_with_most_characters_wins_not_the_one_with_most_runs(make_run: MakeRun) -> None:
    runs = [make_run("a b"), make_run("c d"), make_run("a longer text")]
    assert select_largest(runs, {1: [0, 1], 2: [2]}) == (2,)


def test_of_equal_groups_the_first_in_the_document_wins(make_run: MakeRun) -> None:
    runs = [make_run("same"), make_run("size")]
    assert select_largest(runs, {9: [0], 2: [1]}) == (0,)


def test_nothing_selected_gives_nothing() -> None:
    assert tree_filter(parse("<p>text</p>"), ()) == ()


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


def test_only_selected_text_has_weight(
    page_of: Callable[..., Page], select_texts: Callable[[Page, list[str]], tuple[int, ...]]
) -> None:
    page = page_of("<div><p>Short one.</p><p>A long paragraph nobody selected, so it does not weigh.</p></div>"
                   "<section><div><p>Of middling length.</p></div></section>")  # fmt: skip
    selected = select_texts(page, ["Short", "Of"])
    assert [page.runs[i].text for i in tree_filter(page, selected, 1)] == ["Of middling length."]
