"""What the algorithms that compare text with markup decide about each run."""

from __future__ import annotations

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.extraction.chain import resolve
from newscrawl.extraction.explain.reasons import EXPLAINERS
from newscrawl.extraction.explain.steps import reasons_of
from newscrawl.page import parse

PARAGRAPH = "<p>The council met on Tuesday and said that it will build the library after all this year.</p>"
MENU = "".join(f'<li class="menu"><a href="/section/{n}">Section {n}</a></li>' for n in range(12))
HTML = f"<ul>{MENU}</ul><button>press</button>{PARAGRAPH * 6}<p>one<br>two <a href='/'>three</a></p><ul>{MENU}</ul>"
PIECES = [
    "<p>",
    "<br>",
    "<ul>",
    "</ul>",
    "<li>",
    "<a href='/'>",
    "</a>",
    "<td>",
    "<select>",
    "word ",
    PARAGRAPH,
    "中文",
]


@pytest.mark.parametrize("name", EXPLAINERS)
@settings(max_examples=examples(40), deadline=None)
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=30))
def test_the_explainer_selects_what_the_algorithm_selects(name: str, pieces: list[str]) -> None:
    step = resolve(name).steps[0]
    for page in (parse(HTML), parse("".join(pieces))):
        reasons = reasons_of(page, step)
        assert reasons.selected == tuple(step.select(page))
        assert {run for run, said in reasons.remarks.items() if said[-1].content} == set(reasons.selected)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cetr", "characters, 2 tags"),
        ("danag", "characters of text over code"),
        ("dsc", "tags a token"),
        ("lqf", "0 of 17 words are links"),
        ("ccb", "content is above 0.5"),
        ("accb", "content is above 0.6"),
        ("tccb", "content is above 0.7"),
    ],
)
def test_the_reasons_tell_what_was_measured(name: str, words: str) -> None:
    page = parse(HTML)
    run = next(i for i, run in enumerate(page.runs) if run.text.startswith("The council"))
    assert words in " ".join(remark.text for remark in EXPLAINERS[name](page).remarks[run + 1])
