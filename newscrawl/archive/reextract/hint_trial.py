"""Counts what the hints of a site's declaration would change in stored texts, paragraph by paragraph. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from newscrawl.archive.reextract.tally import ExtractionDifference, Tally
from newscrawl.model import ProcessedPage
from newscrawl.storage.articles.deciding.known import PreviousReading

Effect = Literal["same", "loses_one", "loses_more", "gains", "both", "loses_much", "gone", "new"]
LABELS: Final[dict[Effect, str]] = {
    "same": "have the same text",
    "loses_one": "lose one paragraph",
    "loses_more": "lose two paragraphs or more",
    "gains": "gain text",
    "both": "lose some text and gain some",
    "loses_much": "lose more than 5 % of their text",
    "gone": "give no article, and gave one",
    "new": "give an article, and gave none",
}
"""The effects in the order of the output. A page that loses more than 5 % of its text counts only as `loses_much`."""
MUCH: Final = 0.05
"""Share of a text's characters whose loss needs a look: an advert or a box has less in an article."""
EXAMPLES: Final = 5
"""Pages shown of each effect."""
SHOWN: Final = 160
"""Characters shown of a paragraph."""


@dataclass(frozen=True, slots=True)
class Example:
    """A page with an effect, and a paragraph that it loses or gains."""

    effect: Effect
    url: str
    lost: str
    gained: str


@dataclass
class HintTrial(Tally):
    """The results of a site's captures with the hints of its declaration, beside what is stored."""

    effects: Counter[Effect] = field(default_factory=Counter)
    fields: Counter[str] = field(default_factory=Counter)
    """For each of title, authors and date the number of pages on which it differs."""
    matches: Counter[str] = field(default_factory=Counter)
    """For each hint the number of pages on which it matches an element."""
    hinted: int = 0
    """Pages with an article to which hints apply."""
    examples: list[Example] = field(default_factory=list)

    def add(self, old: PreviousReading, page: ProcessedPage, difference: ExtractionDifference) -> None:
        """Counts one page."""
        super().add(old, page, difference)
        new = page.article.text if page.article is not None else None
        lost, gained = changed_paragraphs(old.text or "", new or "")
        effect = effect_of(old.text, new, lost, gained)
        self.effects[effect] += 1
        self.fields.update(name.strip() for name in difference.what.split(",") if page.article is not None and name)
        if page.article is not None and page.article.hints:
            self.hinted += 1
            for match in page.article.hints:
                self.matches[match.label] += bool(match.number)
        if effect != "same" and sum(example.effect == effect for example in self.examples) < EXAMPLES:
            first = [next(iter(paragraphs), "")[:SHOWN] for paragraphs in (lost, gained)]
            self.examples.append(Example(effect, page.raw.final_url, *first))

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yields the number of pages and the words of each effect; of the most common ones also if it is 0."""
        always: set[Effect] = {"same", "loses_one", "loses_much"}
        for effect, label in LABELS.items():
            if self.effects[effect] or effect in always:
                yield self.effects[effect], label


def changed_paragraphs(old: str, new: str) -> tuple[list[str], list[str]]:
    """Returns the paragraphs that only the old text has, and those that only the new one has, in their order."""
    before, after = ([line for line in text.split("\n") if line.strip()] for text in (old, new))
    lost, gained = Counter(before) - Counter(after), Counter(after) - Counter(before)
    return _among(before, lost), _among(after, gained)


def effect_of(old: str | None, new: str | None, lost: list[str], gained: list[str]) -> Effect:
    """Returns the effect on one page. A text is None without an article."""
    if not old or not new:
        return "same" if bool(old) == bool(new) else "gone" if old else "new"
    if len(old) - len(new) > MUCH * len(old):
        return "loses_much"
    if lost and gained:
        return "both"
    if gained:
        return "gains"
    if not lost:
        return "same"
    return "loses_one" if len(lost) == 1 else "loses_more"


def _among(lines: list[str], wanted: Counter[str]) -> list[str]:
    left = wanted.copy()
    found = []
    for line in lines:
        if left[line] > 0:
            left[line] -= 1
            found.append(line)
    return found
