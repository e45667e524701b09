"""When a text is too short."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.errors import ConfigurationError
from newscrawl.extraction.limits import Limits
from newscrawl.extraction.size import Size, size_of
from newscrawl.page import Page


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
