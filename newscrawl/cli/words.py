"""Numbers with their nouns, and verdicts, as a person would write them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from newscrawl.model import SOURCE_DIED, SOURCE_MEMORY, SOURCE_TIMEOUT, TOO_COSTLY
from newscrawl.wording import counted as counted

if TYPE_CHECKING:
    from newscrawl.storage.reports.copies import FirstPage
    from newscrawl.storage.reports.overlaps import Overlaps

NO_ARTICLES: Final[dict[str, str]] = {
    "bot_wall": "a check whether a person is asking",
    "soft_404": "a page that says there is none",
    "consent": "a request for consent",
    "video": "a video",
    "gallery": "a picture gallery",
    "listing": "a list of stories",
}
"""What a page looks like, by its verdict (newscrawl.model.Verdict), as an operator may read it."""


HARM: Final[dict[str, str]] = {
    TOO_COSTLY: "reading it costs more CPU time than a source may",
    SOURCE_TIMEOUT: "reading it does not end",
    SOURCE_MEMORY: "reading it takes more memory than a worker may",
    SOURCE_DIED: "reading it kills its worker",
}
"""What a source does, by the kind of its failure."""


def source_failure(kind: str | None) -> str:
    """A source's failure by its name, with what the source does where it does harm."""
    return f"{kind} ({HARM[kind]})" if kind in HARM else str(kind)


def shown_first(found: FirstPage | None) -> Iterator[str]:
    """Which of several pages their story is shown by, and why."""
    if found is not None and found.pages > 1:
        yield f"of {found.pages} pages of story {found.story}, {found.url} is shown first: {found.reason}"


def overlapping(found: Overlaps) -> Iterator[str]:
    """The larger texts that a text is part of, and the smaller ones that it contains, a line each."""
    for one in found.contained_in:
        yield f"{one.containment:.0%} of its text is in the larger text at {one.url}"
    if found.more:
        yield f"it is also in {counted(found.more, 'round-up')} more"
    for one in found.contains:
        yield f"it contains {one.containment:.0%} of the text at {one.url}"


def failure(kind: str) -> str:
    """A failure's name, with what the page looks like where that is why."""
    told = NO_ARTICLES.get(kind.removeprefix("verdict/"))
    return f"{kind} (it looks like {told})" if told else kind
