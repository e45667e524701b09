"""The link quota filter."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction.literature import lqf
from newscrawl.page import Page


def kept(page: Page, quota: float = lqf.QUOTA) -> list[str]:
    return [page.runs[i].text for i in lqf.select(page, quota)]


def test_a_line_of_links_goes_and_text_with_a_link_stays(page_of: Callable[..., Page]) -> None:
    page = page_of("<p><a href='/'>home</a> <a href='/n'>news</a></p><p>read <a href='/'>this</a> today</p>")
    assert kept(page) == ["read this today"]


def test_half_links_is_not_yet_too_much(page_of: Callable[..., Page]) -> None:
    assert kept(page_of("<p>one <a href='/'>two</a></p>")) == ["one two"]
    assert kept(page_of("<p>one <a href='/'>two three</a></p>")) == []


@pytest.mark.parametrize("tag", ["ul", "ol", "dl", "nav", "td"])
def test_a_list_or_cell_that_is_mostly_links_goes_as_a_whole(tag: str, page_of: Callable[..., Page]) -> None:
    inner = "<p><a href='/1'>one two three</a></p><p>4 May</p>"
    body = f"<{tag}>{inner}</{tag}>" if tag != "td" else f"<table><tr><td>{inner}</td></tr></table>"
    assert kept(page_of(f"{body}<p>text</p>")) == ["text"]


def test_other_elements_are_judged_line_by_line(page_of: Callable[..., Page]) -> None:
    assert kept(page_of("<div><p><a href='/1'>one two three</a></p><p>4 May</p></div>")) == ["4 May"]


def test_a_list_inside_a_link_list_goes_with_it(page_of: Callable[..., Page]) -> None:
    links = "<li><a href='/1'>one two three</a></li>" * 3
    assert kept(page_of(f"<ul>{links}<li><ul><li>plain</li></ul></li></ul>")) == []


def test_the_quota_can_be_set(page_of: Callable[..., Page]) -> None:
    page = page_of("<p>one two three <a href='/'>four</a></p>")
    assert kept(page, 0.25) == ["one two three four"]
    assert kept(page, 0.2) == []
