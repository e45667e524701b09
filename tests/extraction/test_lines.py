"""The runs of a page as lines."""

from __future__ import annotations

from collections.abc import Callable

from newscrawl.extraction.lines import lines_of, per_run, runs_of, text_length
from newscrawl.page import Page


def texts(page: Page) -> list[str]:
    return ["|".join(page.runs[i].text for i in line.runs) for line in lines_of(page.runs)]


def test_a_line_begins_at_every_block_and_every_br(page_of: Callable[..., Page]) -> None:
    page = page_of("<div>one<p>two</p>three<br>four</div>five")
    assert texts(page) == ["one", "two", "three", "four", "five"]


def test_inline_elements_do_not_break_a_line(page_of: Callable[..., Page]) -> None:
    page = page_of("<p>one <a href='/'>two</a> <cite>three</cite> four</p>")
    assert texts(page) == ["one two|three|four"]


def test_a_line_counts_what_its_runs_hold(page_of: Callable[..., Page]) -> None:
    page = page_of("<p>first</p><p class='lead'>one <a href='/'>two</a><cite>three</cite></p>")
    line = lines_of(page.runs)[1]
    assert (line.length, line.words, line.linked_words) == (len("one two") + len("three"), 3, 1)
    assert line.tags == 6
    assert line.code == len("<p class='lead'></p>") + len("<a href='/'></a>") + len("<cite></cite>")


def test_form_controls_are_no_text_but_their_tags_are_code(page_of: Callable[..., Page]) -> None:
    page = page_of("<p>one</p><select><option>red</option></select><noscript>two</noscript><p>three</p>")
    assert texts(page) == ["one", "three"]
    assert lines_of(page.runs)[1].tags == 8


def test_a_control_inside_a_line_does_not_join_the_lines_around_it(page_of: Callable[..., Page]) -> None:
    page = page_of("one<div><button>press</button></div>two")
    assert texts(page) == ["one", "two"]


def test_a_character_of_a_script_without_blanks_weighs_three() -> None:
    assert text_length("abc") == 3
    assert text_length("müde") == 4
    assert text_length("中文a") == 7


def test_values_of_lines_spread_over_their_runs(page_of: Callable[..., Page]) -> None:
    page = page_of("<p>one <cite>two</cite></p><button>press</button><p>three</p>")
    lines = lines_of(page.runs)
    assert per_run(lines, ["a", "b"], len(page.runs), "") == ["a", "a", "", "b"]
    assert runs_of(lines, [True, False]) == (0, 1)


def test_an_empty_page_has_no_lines() -> None:
    assert lines_of([]) == []
