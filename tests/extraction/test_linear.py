"""Every step's time grows in proportion to the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from newscrawl.extraction.article_group import article_group
from newscrawl.extraction.chain import resolve, run_chain
from newscrawl.extraction.cleanup.beside import judge_again, standfirst
from newscrawl.extraction.cleanup.draft import run_filters
from newscrawl.extraction.cleanup.finish import NO_BOXES, OF_BLOCKS, finish
from newscrawl.extraction.cleanup.within import fill_in
from newscrawl.extraction.justext import Paragraph, classify, select
from newscrawl.extraction.render import render
from newscrawl.extraction.size import prose_characters
from newscrawl.extraction.treefilter import tree_filter
from newscrawl.page import Page, TextRun, parse
from newscrawl.page.elements import NO_PARENT, Elements
from newscrawl.page.run import BLOCK_BEFORE, BREAK_BEFORE
from newscrawl.page.tags import TAG_NAMES

Doubling = Callable[..., None]
LONG = "a word and some more words that make this run long enough to be prose for all of them"


def nested(n: int, make_run: Callable[..., TextRun], tag: str, flags: int = 0) -> Page:
    """n elements, each inside the one before, each with a run: deeper than any parser allows."""
    return _page(list(range(-1, n - 1)), make_run, tag, flags)


def flat(n: int, make_run: Callable[..., TextRun], tag: str, flags: int = 0) -> Page:
    """n elements side by side below one, each with a run."""
    return _page([NO_PARENT] + [0] * (n - 1), make_run, tag, flags)


def _page(parents: list[int], make_run: Callable[..., TextRun], tag: str, flags: int) -> Page:
    count = len(parents)
    elements = Elements(parents, [TAG_NAMES.index(tag)] * count, [{}] * count)
    first = make_run(LONG, 0, flags)
    at = TextRun._fields.index("element")
    before, after = first[:at], first[at + 1 :]  # hundreds of thousands of runs, which differ by their element alone
    return replace(parse(""), runs=tuple(TextRun(*before, i, *after) for i in range(count)), elements=elements)


@pytest.mark.parametrize("tag", ["div", "blockquote"])
@pytest.mark.parametrize("shape", [nested, flat])
def test_the_tree_filter(
    doubling: Doubling, make_run: Callable[..., TextRun], shape: Callable[..., Page], tag: str
) -> None:
    doubling(lambda page: tree_filter(page, range(len(page.runs)), 5), lambda n: shape(n, make_run, tag), 2000)


@pytest.mark.parametrize("tag", ["div", "blockquote"])
@pytest.mark.parametrize("shape", [nested, flat])
def test_the_articles_group(
    doubling: Doubling, make_run: Callable[..., TextRun], shape: Callable[..., Page], tag: str
) -> None:
    every = range(16_000)
    doubling(
        lambda page: article_group(page, every[: len(page.runs)], every[: len(page.runs) : 2]),
        lambda n: shape(n, make_run, tag),
        1000,
    )


@pytest.mark.parametrize("tag", ["div", "blockquote"])
@pytest.mark.parametrize("shape", [nested, flat])
@pytest.mark.parametrize(
    "step",
    [
        lambda page, runs: fill_in(page, runs[::2], runs),
        lambda page, runs: judge_again(page, runs[::2], runs[::2]),
        lambda page, runs: run_filters(page, runs, [NO_BOXES]),
        lambda page, runs: run_filters(page, runs, OF_BLOCKS),
        finish,
        standfirst,
    ],
)
def test_the_steps_around_the_group(
    doubling: Doubling,
    make_run: Callable[..., TextRun],
    step: Callable[..., object],
    shape: Callable[..., Page],
    tag: str,
) -> None:
    doubling(lambda page: step(page, range(len(page.runs))), lambda n: shape(n, make_run, tag), 1000)


@pytest.mark.parametrize(
    "body",
    ["<p>Short one.</p><p><a href=/>Another story of ours</a></p>", f"<p>{LONG}</p><div class=ad>Ad</div>&nbsp;"],
)
def test_looking_past_many_adverts(doubling: Doubling, page_of: Callable[..., Page], body: str) -> None:
    def paragraphs(page: Page) -> list[int]:
        return [i for i, run in enumerate(page.runs) if not run.linked_words and run.words > 1]

    doubling(
        lambda page: judge_again(page, paragraphs(page)[::2], paragraphs(page)[::2]), lambda n: page_of(body * n), 1000
    )


@pytest.mark.parametrize(
    "body",
    [
        "<h1>x</h1><p>read more</p>",
        "<h1>y</h1>",
        "<p>Comments</p>",
        "a <small>b</small> ",
        f"<p>{LONG}</p><div id=a style='display:none'>{LONG}</div><a href=#b>c</a>",
        f"<div hidden>{LONG}",
        f"<p>{LONG}</p><p><a href=/>Another story of ours</a></p>",
        f"<p>{LONG}</p><p>Yes.</p><ul><li>a<li>b</ul><p>{LONG}</p>",
        "<div><p>a b c</p><input type=email></div>",
    ],
)
def test_finishing_many_headings_notes_and_cues(doubling: Doubling, page_of: Callable[..., Page], body: str) -> None:
    doubling(
        lambda page: run_filters(page, range(len(page.runs)), OF_BLOCKS),
        lambda n: page_of(body * n, "<title>x</title>"),
        1000,
    )


@pytest.mark.parametrize("shape", [nested, flat])
def test_rendering(doubling: Doubling, make_run: Callable[..., TextRun], shape: Callable[..., Page]) -> None:
    flags = BLOCK_BEFORE | BREAK_BEFORE
    doubling(lambda page: render(page, range(len(page.runs))), lambda n: shape(n, make_run, "cite", flags), 2000)


def test_rendering_few_runs_far_apart(doubling: Doubling, make_run: Callable[..., TextRun]) -> None:
    doubling(lambda page: render(page, range(0, len(page.runs), 500)), lambda n: flat(n, make_run, "p"), 4000)


@pytest.mark.parametrize("shape", [nested, flat])
def test_the_pages_prose(doubling: Doubling, make_run: Callable[..., TextRun], shape: Callable[..., Page]) -> None:
    doubling(prose_characters, lambda n: shape(n, make_run, "div"), 2000)


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        pytest.param("short x", False, id="short paragraphs"),
        pytest.param("x", True, id="tiny headings"),
        pytest.param("", True, id="empty headings"),
        pytest.param("the of and " * 10, False, id="near-good paragraphs"),
    ],
)
def test_justexts_classes(doubling: Doubling, text: str, heading: bool) -> None:
    words = frozenset({"the", "of", "and"})
    doubling(lambda paragraphs: classify(paragraphs, words), lambda n: [Paragraph(text, 0, heading=heading)] * n, 5000)


@pytest.mark.parametrize(
    "body", ["<p>short x</p>", "<h2>x</h2>", "x<br>", "<i>x</i><section>y</section>", "中<br><br>"]
)
def test_justext_on_a_page(doubling: Doubling, page_of: Callable[..., Page], body: str) -> None:
    doubling(lambda page: select(page, "en"), lambda n: page_of(body * n), 2000)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("<p>short x</p>", id="short paragraphs"),
        pytest.param(f"<div><p>{LONG}</p><p>{LONG}</p></div>", id="long paragraphs"),
        pytest.param(f"<h2>x</h2><p>{LONG}</p><a href=/>more</a>", id="headings, text and links"),
    ],
)
def test_the_default_chain(doubling: Doubling, page_of: Callable[..., Page], body: str) -> None:
    classic = resolve("classic")
    doubling(lambda page: run_chain(page, classic), lambda n: page_of(body * n), 300)
