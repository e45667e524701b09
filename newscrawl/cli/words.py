"""Numbers with their nouns, and verdicts, as a person would write them."""

from __future__ import annotations

from typing import Final

NO_ARTICLES: Final[dict[str, str]] = {
    "bot_wall": "a check whether a person is asking",
    "soft_404": "a page that says there is none",
    "consent": "a request for consent",
    "video": "a video",
    "gallery": "a picture gallery",
    "listing": "a list of stories",
}
"""What a page looks like, by its verdict (newscrawl.model.Verdict), as an operator may read it."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """ "1 page", "2 pages"; `many` where an s does not make the plural."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def failure(kind: str) -> str:
    """A failure's name, with what the page looks like where that is why."""
    told = NO_ARTICLES.get(kind.removeprefix("verdict/"))
    return f"{kind} (it looks like {told})" if told else kind
