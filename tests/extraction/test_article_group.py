"""The group of paragraphs that `classic` takes as the article."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction.article_group import article_group, climb, merge_siblings
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import Elements

STORY = "The council agreed on Tuesday to build the new bridge over the river, and the mayor was glad of it. " * 2
TEASER = "Storm is over"
Texts = Callable[[str], list[str]]


@pytest.fixture
def group_of(page_of: Callable[..., Page]) -> Texts:
    """First words of the runs in the group of a body, everything selected; the article recipe keeps what has STORY."""

    def find(body: str) -> list[str]:
        page = page_of(body)
        article = [i for i, run in enumerate(page.runs) if STORY.strip() in run.text]
        return [page.runs[i].text.split()[0] for i in article_group(page, range(len(page.runs)), article)]

    return find


def p(label: str) -> str:
    return f"<p>{label} {STORY}</p>"


def test_the_parts_between_adverts_are_one_article(group_of: Texts) -> None:
    part = "<div class='text part'>{}</div>"
    body = f"<main>{part.format(p('One'))}<div class=ad><p>Buy</p></div>{part.format(p('Two'))}</main>"
    assert group_of(body) == ["One", "Two"]


@pytest.mark.parametrize(
    "other", ["<div class=b>{}</div>", "<section class=a>{}</section>", "<i><div class=a>{}</div></i>"]
)
def test_elements_of_another_class_tag_or_parent_are_no_parts_of_it(group_of: Texts, other: str) -> None:
    body = f"<main><div class=a>{p('One')}{p('Two')}</div>{other.format('<p>' + TEASER + '</p>')}</main>"
    assert group_of(body) == ["One", "Two"]


def test_the_group_climbs_to_the_rest_of_the_article(group_of: Texts) -> None:
    body = f"<main><div><div class=lead>{p('One') * 2}</div><div class=rest>{p('Two') * 3}</div></div></main>"
    assert group_of(body) == ["One"] * 2 + ["Two"] * 3


def test_it_does_not_climb_to_what_the_article_recipe_gave_up(group_of: Texts) -> None:
    comments = "".join(
        f"<p>Comment {i} says that bridges are bad and that mayors are worse than bridges.</p>" for i in range(9)
    )
    body = f"<main><div class=story>{p('One') * 5}</div><div class=talk>{comments}</div></main>"
    assert group_of(body) == ["One"] * 5


def test_it_does_not_climb_for_a_little_text(group_of: Texts) -> None:
    body = f"<main><div class=story>{p('One') * 8}</div><div class=box>{p('Box')}</div></main>"
    assert group_of(body) == ["One"] * 8


def test_runs_come_in_document_order(page_of: Callable[..., Page]) -> None:
    part = f"<div class=a>{p('x')}</div>"
    page = page_of(f"<main>{part}<div class=b>{p('y')}</div>{part}</main>")
    assert article_group(page, (0, 1, 2), ()) == (0, 2)


def test_nothing_selected_gives_nothing(page_of: Callable[..., Page]) -> None:
    assert article_group(page_of("<p>text</p>"), (), ()) == ()


def test_a_merged_group_is_called_by_its_first_ancestor(make_elements: Callable[[str], Elements]) -> None:
    elements = make_elements("body>0 div>1 div>1 p>1")
    assert merge_siblings(elements, {2: [5], 3: [6], 4: [7]}) == {2: [5, 6], 4: [7]}


def test_a_level_that_does_not_hold_the_whole_group_is_passed_over(
    page_of: Callable[..., Page], make_run: Callable[..., TextRun]
) -> None:
    page = page_of("".join(p(str(i)) for i in range(6)))
    levels = [[0, 2, 3, 4], [0, 1, 2, 3, 4, 5]]
    assert climb(page, (0, 1), levels, range(6)) == (0, 1, 2, 3, 4, 5)
    assert climb(page, (0, 1), levels[:1], range(6)) == (0, 1)
