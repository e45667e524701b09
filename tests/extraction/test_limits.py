"""When a text is too short."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.errors import ConfigurationError
from newscrawl.extraction.limits import Limits
from newscrawl.extraction.size import Size, prose_characters, size_of
from newscrawl.page import Page, parse

LONG = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"


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


@pytest.mark.parametrize(("characters", "low"), [(1000, False), (999, True)])
def test_a_text_is_short_below_a_third_of_the_pages_prose(characters: int, low: bool) -> None:
    assert (Size(500, characters).low_share(3000, Limits()) is not None) is low


@pytest.mark.parametrize("values", [{"min_words": -1}, {"min_characters": -1}, {"min_share": 1.1}, {"min_share": -0.1}])
def test_limits_that_cannot_work_are_refused(values: dict[str, float]) -> None:
    with pytest.raises(ConfigurationError, match="give"):
        Limits(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("body", "counted"),
    [
        pytest.param(f"<p>{LONG}</p>", True, id="a long run"),
        pytest.param("<p>one two three</p>", False, id="a short run"),
        pytest.param(f"<p>{LONG} <a href=/>more</a></p>", False, id="a run with a link"),
        pytest.param(f"<div id=comments><div><p>{LONG}</p></div></div>", False, id="comments by id"),
        pytest.param(f"<div class='story-Comments-list'><p>{LONG}</p></div>", False, id="comments by class"),
        pytest.param(f"<div id=disqus_thread><p>{LONG}</p></div>", False, id="disqus"),
        pytest.param(f"<div id=respond><p>{LONG}</p></div>", False, id="respond"),
        pytest.param(f"<div class=commentary><p>{LONG}</p></div>", True, id="a commentary is an article"),
        pytest.param(f"<div class=correspondent><p>{LONG}</p></div>", True, id="a correspondent writes one"),
    ],
)
def test_prose_is_what_stands_in_long_unlinked_runs_outside_comments(
    page_of: Callable[..., Page], body: str, counted: bool
) -> None:
    assert prose_characters(page_of(body)) == (len(LONG) if counted else 0)


def test_a_body_that_says_it_has_comments_is_not_all_comments() -> None:
    page = parse(f'<body class="comments-open"><p>{LONG}</p></body>')
    assert prose_characters(page) == len(LONG)
