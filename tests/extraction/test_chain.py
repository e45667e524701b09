"""A chain continues with the next extractor if one gives too little text, also if an extractor fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from newscrawl.extraction.chain import LOW_SHARE, SHORT, Chain, Limits, Step, resolve, run_chain
from newscrawl.page import Page, parse

LINE = "The council met on Tuesday and said that the library will be built beside the river in spring."
PAGE = parse("".join(f"<p>{LINE} Number {i}.</p>" for i in range(10)))
LIMITS = Limits(min_words=40, min_characters=100, min_share=0.25)


def keeps(*runs: int) -> Callable[[Page], Sequence[int]]:
    """An extractor that selects these runs of any page."""
    return lambda page: runs


def breaks(error: BaseException) -> Callable[[Page], Sequence[int]]:
    """An extractor that raises."""

    def select(page: Page) -> Sequence[int]:
        raise error

    return select


def chain(*selectors: Callable[[Page], Sequence[int]], limits: Limits = LIMITS) -> Chain:
    """A chain of extractors named a, b, c ..."""
    return Chain("test", tuple(Step(name, select) for name, select in zip("abcdef", selectors, strict=False)), limits)


def test_the_first_text_that_is_long_enough_is_taken_and_nothing_else_tried() -> None:
    found = run_chain(PAGE, chain(keeps(0, 1, 2), breaks(AssertionError("must not run"))))
    assert found.extractor == "a"
    assert found.runs == (0, 1, 2)
    assert found.text.split("\n\n") == [f"{LINE} Number {i}." for i in range(3)]
    assert [(a.extractor, a.accepted, a.reason) for a in found.trace] == [("a", True, "long enough")]
    assert (found.trace[0].words, found.trace[0].characters) == (60, 3 * len(f"{LINE} Number 0."))
    assert found.problems == ()


def test_a_short_text_gives_the_next_extractor_its_turn() -> None:
    found = run_chain(PAGE, chain(keeps(0), keeps(1, 2, 3)))
    assert found.extractor == "b"
    assert [(a.accepted, a.reason) for a in found.trace] == [
        (False, "too short: 20 of at least 40 words"),
        (True, "long enough"),
    ]


def test_a_small_share_of_the_page_gives_the_next_extractor_its_turn() -> None:
    found = run_chain(PAGE, chain(keeps(0, 1), keeps(*range(10))))
    assert found.extractor == "b"
    assert "characters in long runs" in found.trace[0].reason


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("bad\n  block"), "ValueError: bad block"),
        (RecursionError(), "RecursionError"),
        (KeyError("x" * 500), "KeyError: '" + "x" * 199),
        (MemoryError(), "MemoryError"),
    ],
)
def test_an_extractor_that_raises_is_an_attempt_in_the_trace(error: Exception, reason: str) -> None:
    found = run_chain(PAGE, chain(breaks(error), keeps(0, 1, 2)))
    assert found.extractor == "b"
    assert found.trace[0].reason == reason
    assert (found.trace[0].words, found.trace[0].characters, found.trace[0].accepted) == (0, 0, False)


def test_an_extractor_that_selects_what_the_page_does_not_have_is_an_attempt_too() -> None:
    found = run_chain(PAGE, chain(keeps(0, 99), keeps(0, 1, 2)))
    assert found.trace[0].reason.startswith("IndexError")
    assert found.extractor == "b"


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1)])
def test_what_stops_the_process_is_not_held_up(error: BaseException) -> None:
    with pytest.raises(type(error)):
        run_chain(PAGE, chain(breaks(error), keeps(0, 1, 2)))


def test_a_later_text_is_taken_only_where_it_is_longer() -> None:
    found = run_chain(PAGE, chain(keeps(0, 1), keeps(2)))
    assert found.extractor == "a"
    assert found.runs == (0, 1)
    assert found.trace[0].accepted
    assert found.trace[0].reason.endswith("but none is better")
    assert not found.trace[1].accepted


def test_a_text_that_is_long_enough_but_not_longer_is_named_so() -> None:
    few = Limits(min_words=40, min_characters=100, min_share=0.9)
    found = run_chain(PAGE, chain(keeps(0, 1, 2), keeps(3, 4), limits=few))
    assert found.extractor == "a"
    assert "too short" in found.trace[1].reason


def test_of_equal_texts_the_first_extractors_is_taken() -> None:
    assert run_chain(PAGE, chain(keeps(0), keeps(1))).extractor == "a"


def test_a_text_that_stays_short_is_flagged() -> None:
    found = run_chain(PAGE, chain(keeps(0), keeps()))
    assert found.problems == (SHORT,)
    assert found.text == f"{LINE} Number 0."
    assert found.trace[1].reason == "nothing selected"


def test_a_text_that_is_long_but_a_small_share_of_the_page_is_flagged_as_that() -> None:
    found = run_chain(PAGE, chain(keeps(0, 1)))
    assert found.problems == (LOW_SHARE,)


def weighing(select: Callable[[Page], Sequence[int]], *others: Callable[[Page], Sequence[int]]) -> Chain:
    """A chain whose first extractor weighs its choice against the rest of the page by itself."""
    return Chain("test", (Step("learned", select), *chain(*others).steps), LIMITS, finishes=True)


def test_the_share_of_the_page_is_not_asked_of_a_step_that_weighed_it() -> None:
    found = run_chain(PAGE, weighing(keeps(0, 1), keeps(*range(10))))
    assert found.extractor == "learned"
    assert found.problems == ()


def test_a_short_text_of_such_a_step_is_flagged_and_stays() -> None:
    found = run_chain(PAGE, weighing(keeps(0), keeps(*range(10))))
    assert found.extractor == "learned"
    assert found.problems == (SHORT,)


def test_where_little_is_left_of_what_it_selected_the_next_extractor_has_its_turn() -> None:
    long = "".join(f"<p>{LINE} Number {i}.</p>" for i in range(9))
    page = parse(f"<title>Bridge</title><h1>Bridge</h1><p>{LINE * 7}</p><div><h1>Other</h1>{long * 5}</div>")
    chosen = [i for i, run in enumerate(page.runs) if run.text not in ("Bridge", "Other")]
    steps = (Step("learned", keeps(*chosen)), Step("a+group", keeps(*chosen)))
    found = run_chain(page, Chain("test", steps, LIMITS, finishes=True))
    assert found.extractor == "a+group"
    assert "characters in long runs" in found.trace[0].reason


def test_nothing_selected_by_such_a_step_leaves_the_page_to_the_next() -> None:
    assert run_chain(PAGE, weighing(keeps(), keeps(0))).extractor == "a"


def test_when_all_fail_the_text_is_empty_and_the_trace_says_why() -> None:
    found = run_chain(PAGE, chain(breaks(ValueError("first")), keeps(), breaks(TypeError("third"))))
    assert (found.text, found.runs, found.problems) == ("", (), (SHORT,))
    assert [a.reason for a in found.trace] == ["ValueError: first", "nothing selected", "TypeError: third"]
    assert not any(a.accepted for a in found.trace)


def test_a_chain_without_steps_gives_an_empty_text() -> None:
    assert run_chain(PAGE, Chain("none", ())).text == ""


def test_a_steps_tree_filter_narrows_what_it_selects() -> None:
    page = parse("<div><p>One two three.</p></div><section><div><p>Longer text than that.</p></div></section>")
    found = run_chain(page, Chain("x", (Step("a", keeps(0, 1), depth=1),), Limits(0, 0, 0.0)))
    assert found.runs == (1,)
    assert found.extractor == "a+tree1"


STORY = " ".join([LINE] * 3)
SITE = f"""
<html lang="en"><body>
<ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li><li><a href="/sport">Sport</a></li></ul>
<div id="main"><h1>Library beside the river</h1><div class="story">{f"<p>{STORY}</p>" * 4}</div></div>
<div id="more"><ul><li><a href="/1">Storm is over</a></li><li><a href="/2">Bridge opens</a></li></ul></div>
<div id="foot"><p>All rights reserved</p></div>
</body></html>"""


@pytest.mark.parametrize("name", ["classic", "boilerpipe-article", "boilerpipe-wide+tree1", "justext", "justext+tree"])
def test_the_real_chains_find_the_story_of_a_plain_page(name: str) -> None:
    found = run_chain(parse(SITE), resolve(name))
    assert found.text.count(STORY) == 4
    assert "Storm" not in found.text
    assert "Home" not in found.text
    assert found.problems == ()


def test_classic_falls_back_on_justext_for_a_story_scattered_over_the_tree() -> None:
    blocks = "".join(f"{'<div>' * 6}<p>{STORY} Part {i}.</p>{'</div>' * 6}" for i in range(8))
    found = run_chain(parse(f"<html lang=en><body>{blocks}</body></html>"), resolve("classic"))
    assert found.extractor == "justext"
    assert [a.extractor for a in found.trace] == ["boilerpipe-wide+group", "justext"]
    assert found.text.count(STORY) == 8


def test_the_size_in_the_trace_is_that_of_the_text() -> None:
    found = run_chain(parse(SITE), resolve("classic"))
    (accepted,) = (a for a in found.trace if a.accepted)
    assert accepted.characters == len(found.text.replace("\n", ""))
    assert accepted.words == len(found.text.split())
