"""Chains: their names, the turns of their extractors, limits, the topic of a text, and the tree filter."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from newscrawl.errors import ConfigurationError, UnknownChainError
from newscrawl.extraction.chain import LOW_SHARE, SHORT, Chain, Step, resolve, run_chain
from newscrawl.extraction.limits import Limits
from newscrawl.extraction.size import Size, size_of
from newscrawl.extraction.stated import Topic
from newscrawl.extraction.treefilter import tree_filter
from newscrawl.page import Page, TextRun, parse
from newscrawl.page.elements import Elements

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


EXTRACTORS = [
    "boilerpipe-article",
    "boilerpipe-article-sentences",
    "boilerpipe-canola",
    "boilerpipe-default",
    "boilerpipe-largest",
    "boilerpipe-num-words",
    "boilerpipe-wide",
    "boilerpipe-wide+group",
    "justext",
]


def steps(name: str, extra: dict[str, Any] | None = None) -> list[str]:
    return [step.name for step in resolve(name, extra or {}).steps]


def test_classic_is_boilerpipe_with_the_articles_group_then_justext_then_long_lines() -> None:
    assert steps("classic") == ["boilerpipe-wide+group", "justext", "unlinked+group"]


@pytest.mark.parametrize(("suffix", "depth"), [("+tree", 2), *((f"+tree{n}", n) for n in range(1, 6))])
@pytest.mark.parametrize("name", EXTRACTORS)
def test_any_extractor_can_have_a_tree_filter(name: str, suffix: str, depth: int) -> None:
    assert steps(name + suffix) == [f"{name.removesuffix('+group')}+tree{depth}"]


def test_a_tree_filter_on_a_chain_narrows_every_step() -> None:
    assert steps("classic+tree3") == ["boilerpipe-wide+tree3", "justext+tree3", "unlinked+tree3"]


def test_settings_define_more_chains() -> None:
    extra = {"mine": ["boilerpipe-article+tree1", "justext"], "other": ("justext+tree",)}
    assert steps("mine", extra) == ["boilerpipe-article+tree1", "justext"]
    assert steps("other", extra) == ["justext+tree2"]
    assert steps("mine+tree4", extra) == ["boilerpipe-article+tree4", "justext+tree4"]


@pytest.mark.parametrize(
    "name", ["", "nonsense", "classic+tree0", "classic+tree6", "justext+tree12", "justext+trees", "+tree", "Justext"]
)
def test_an_unknown_name_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownChainError, match=r"choose one of .*classic.*justext") as caught:
        resolve(name)
    assert caught.value.name == name


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ({"classic": ["justext"]}, "'classic' is built in"),
        ({"justext": ["justext"]}, "'justext' is built in"),
        ({"a+tree": ["justext"]}, r"leave out '\+'"),
        ({"mine": []}, "give a list of one or more"),
        ({"mine": "justext"}, "give a list of one or more"),
        ({"mine": None}, "give a list of one or more"),
        ({"mine": ["nonsense"]}, "'nonsense' is no extractor: choose one of accb, boilerpipe-article"),
        ({"mine": ["classic"]}, "'classic' is no extractor"),
        ({"mine": [3]}, "3 is no extractor"),
        ({"mine": ["justext+tree7"]}, "depths are 1 to 5"),
    ],
)
def test_a_chain_in_the_settings_that_cannot_work_is_refused_whichever_chain_is_asked_for(
    extra: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message) as caught:
        resolve("justext", extra)
    assert caught.value.setting == "NEWSCRAWL_CHAINS"


@pytest.mark.parametrize(
    ("words", "characters", "reason"),
    [
        (60, 300, None),
        (59, 900, "59 of at least 60 words"),
        (90, 299, "299 of at least 300 characters"),
        (0, 0, "0 of at least 60 words"),
    ],
)
def test_a_text_is_short_by_words_or_characters(words: int, characters: int, reason: str | None) -> None:
    assert Size(words, characters).shortness(Limits()) == reason


@pytest.mark.parametrize(("text", "short"), [("河" * 60, True), ("河" * 120, False), ("x " * 120, True)])
def test_a_character_of_a_script_without_blanks_says_as_much_as_three_letters(
    page_of: Callable[..., Page], text: str, short: bool
) -> None:
    page = page_of(f"<p>{text}</p>")
    assert (size_of(page, (0,)).shortness(Limits()) is not None) is short


@pytest.mark.parametrize("values", [{"min_words": -1}, {"min_characters": -1}, {"min_share": 1.1}, {"min_share": -0.1}])
def test_limits_that_cannot_work_are_refused(values: dict[str, float]) -> None:
    with pytest.raises(ConfigurationError, match="give"):
        Limits(**values)  # type: ignore[arg-type]


MakePage = Callable[..., Page]

HEAD = "<title>Council builds library beside river</title>"
ON_TOPIC = "The council builds its library beside the river, and the council pays."
TEASER = "Storms have flooded three villages near the coast, and many people have left."
LOOSE = Limits(0, 0, 0.0)


def test_scripts_without_blanks_are_looked_up_by_pairs_of_characters(page_of: MakePage) -> None:
    page = page_of("<p>市议会将建新图书馆</p><p>台风袭击沿海三村</p>", "<title>市议会建新图书馆</title>")
    topic = Topic(page)
    assert (topic.share([0]) or 0) > 0.8
    assert topic.share([1]) == 0


def _chain(*selections: tuple[int, ...], limits: Limits = LOOSE) -> Chain:
    def keep(runs: tuple[int, ...]) -> Callable[[Page], tuple[int, ...]]:
        return lambda page: runs

    return Chain("test", tuple(Step(name, keep(runs)) for name, runs in zip("ab", selections, strict=True)), limits)


def test_a_text_off_topic_gives_way_to_a_shorter_one_that_is_on_it(page_of: MakePage) -> None:
    page = page_of(f"<p>{TEASER}</p><p>{TEASER}</p><p>{ON_TOPIC}</p>", HEAD)
    found = run_chain(page, _chain((0, 1), (2,)))
    assert found.extractor == "b"
    assert found.trace[0].reason == "off topic: 0% of the headline's words"
    assert found.problems == ()


def test_a_text_off_topic_stays_where_no_other_is_on_it(page_of: MakePage) -> None:
    page = page_of(f"<p>{TEASER}</p><p>{TEASER} Again.</p><p>{ON_TOPIC}</p>", HEAD)
    found = run_chain(page, _chain((0,), (0, 1)))
    assert found.extractor == "a"
    assert found.trace[0].reason.endswith("but none is better")


def test_nothing_else_is_tried_where_no_text_of_the_page_is_on_topic(page_of: MakePage) -> None:
    page = page_of(f"<p>{TEASER}</p><p>{TEASER} Again.</p>", HEAD)
    assert [attempt.reason for attempt in run_chain(page, _chain((0,), (0, 1))).trace] == ["long enough"]


def test_a_short_text_stays_where_a_longer_one_adds_other_articles(page_of: MakePage) -> None:
    page = page_of(f"<p>{ON_TOPIC}</p>{f'<p>{TEASER}</p>' * 3}", HEAD)
    strict = Limits(min_words=30, min_characters=0, min_share=0.0)
    assert run_chain(page, _chain((0,), (0, 1, 2, 3), limits=strict)).runs == (0,)


def test_a_short_text_gives_way_to_a_longer_one_that_goes_on_about_it(page_of: MakePage) -> None:
    page = page_of(f"<p>{ON_TOPIC}</p><p>The library at the river has a roof, said the council.</p>", HEAD)
    strict = Limits(min_words=15, min_characters=0, min_share=0.0)
    assert run_chain(page, _chain((0,), (0, 1), limits=strict)).runs == (0, 1)


MakeRun = Callable[..., TextRun]
MakeElements = Callable[[str], Elements]


@pytest.mark.parametrize("depth", [-1, 0, 6])
def test_a_depth_the_paper_does_not_know_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match="must be 1 to 5"):
        tree_filter(parse("<p>text</p>"), (0,), depth)


def test_of_equal_groups_the_first_in_the_document_wins(page_of: Callable[..., Page]) -> None:
    page = page_of("<section><p>same</p></section><div><p>size</p></div>")
    assert tree_filter(page, (0, 1), 1) == (0,)
