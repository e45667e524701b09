"""A chain continues with the next extractor if one gives too little text, also if an extractor fails."""

from __future__ import annotations

import re
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


def weighing(select: Callable[[Page], Sequence[int]], *others: Callable[[Page], Sequence[int]]) -> Chain:
    """A chain whose first extractor weighs its choice against the rest of the page by itself."""
    return Chain("test", (Step("learned", select), *chain(*others).steps), LIMITS, finishes=True)


LONG = "long enough"
TOO_SHORT = "too short: 20 of at least 40 words"
LITTLE = ".*characters in long runs.*"
BETTER = ", but none is better"

TABLE: list[tuple[Chain, str, tuple[int, ...], list[str], tuple[str, ...]]] = [
    # A chain, the extractor whose runs are taken, and of each attempt the reason; what was accepted has no more.
    (chain(keeps(0, 1, 2), breaks(AssertionError("must not run"))), "a", (0, 1, 2), [LONG], ()),
    (chain(keeps(0), keeps(1, 2, 3)), "b", (1, 2, 3), [TOO_SHORT, LONG], ()),
    (chain(keeps(0, 1), keeps(*range(10))), "b", tuple(range(10)), [LITTLE, LONG], ()),
    (chain(breaks(ValueError("bad\n  block")), keeps(0, 1, 2)), "b", (0, 1, 2), ["ValueError: bad block", LONG], ()),
    (chain(breaks(RecursionError()), keeps(0, 1, 2)), "b", (0, 1, 2), ["RecursionError", LONG], ()),
    (chain(breaks(KeyError("x" * 500)), keeps(0, 1, 2)), "b", (0, 1, 2), ["KeyError: '" + "x" * 199, LONG], ()),
    (chain(breaks(MemoryError()), keeps(0, 1, 2)), "b", (0, 1, 2), ["MemoryError", LONG], ()),
    (chain(keeps(0, 99), keeps(0, 1, 2)), "b", (0, 1, 2), ["IndexError.*", LONG], ()),
    (chain(keeps(0, 1), keeps(2)), "a", (0, 1), [LITTLE + BETTER, TOO_SHORT], (LOW_SHARE,)),
    (chain(keeps(0), keeps(1)), "a", (0,), [TOO_SHORT + BETTER, TOO_SHORT], (SHORT,)),
    (chain(keeps(0), keeps()), "a", (0,), [TOO_SHORT + BETTER, "nothing selected"], (SHORT,)),
    (chain(keeps(0, 1)), "a", (0, 1), [LITTLE + BETTER], (LOW_SHARE,)),
    (weighing(keeps(0, 1), keeps(*range(10))), "learned", (0, 1), [LONG], ()),
    (weighing(keeps(0), keeps(*range(10))), "learned", (0,), [".*", ".*"], (SHORT,)),
    (weighing(keeps(), keeps(0)), "a", (0,), [".*", ".*"], (SHORT,)),
    (
        chain(breaks(ValueError("first")), keeps(), breaks(TypeError("third"))),
        "",
        (),
        ["ValueError: first", "nothing selected", "TypeError: third"],
        (SHORT,),
    ),
    (Chain("none", ()), "", (), [], (SHORT,)),
]


@pytest.mark.parametrize(("of", "extractor", "runs", "reasons", "problems"), TABLE)
def test_a_chain_takes_the_first_text_that_is_enough_or_the_best_and_says_why(
    of: Chain, extractor: str, runs: tuple[int, ...], reasons: list[str], problems: tuple[str, ...]
) -> None:
    found = run_chain(PAGE, of)
    assert (found.runs, found.problems) == (runs, problems)
    assert found.text == "\n\n".join(PAGE.runs[i].text for i in runs)
    assert [attempt.extractor for attempt in found.trace if attempt.accepted] == ([extractor] if extractor else [])
    assert [
        reason for reason, attempt in zip(reasons, found.trace, strict=True) if not re.fullmatch(reason, attempt.reason)
    ] == []


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1)])
def test_what_stops_the_process_is_not_held_up(error: BaseException) -> None:
    with pytest.raises(type(error)):
        run_chain(PAGE, chain(breaks(error), keeps(0, 1, 2)))


def test_where_little_is_left_of_what_it_selected_the_next_extractor_has_its_turn() -> None:
    long = "".join(f"<p>{LINE} Number {i}.</p>" for i in range(9))
    page = parse(f"<title>Bridge</title><h1>Bridge</h1><p>{LINE * 7}</p><div><h1>Other</h1>{long * 5}</div>")
    chosen = [i for i, run in enumerate(page.runs) if run.text not in ("Bridge", "Other")]
    steps = (Step("learned", keeps(*chosen)), Step("a+group", keeps(*chosen)))
    found = run_chain(page, Chain("test", steps, LIMITS, finishes=True))
    assert found.extractor == "a+group"
    assert "characters in long runs" in found.trace[0].reason


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
