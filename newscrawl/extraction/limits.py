"""The limits below which a text is too short. They are settings, so a process without extractors may import them."""

from __future__ import annotations

from dataclasses import dataclass

from newscrawl.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a text. If it is below any of them, it is too short, and the next extractor of the chain is tried.

    docs/design.md ("The text") compares them with others.
    Raises ConfigurationError for values that cannot work.
    """

    min_words: int = 60
    min_characters: int = 300
    min_share: float = 1 / 3
    """Share of the characters in the page's prose (`Page.prose`) outside comments."""

    def __post_init__(self) -> None:
        if self.min_words < 0:
            raise ConfigurationError("NEWSCRAWL_MIN_WORDS", f"{self.min_words} is negative: give 0 or more words")
        if self.min_characters < 0:
            raise ConfigurationError(
                "NEWSCRAWL_MIN_CHARACTERS", f"{self.min_characters} is negative: give 0 or more characters"
            )
        if not 0 <= self.min_share <= 1:
            raise ConfigurationError("min_share", f"{self.min_share} is no share: give a number from 0 to 1")
