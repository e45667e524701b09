"""Decides what a page is, from its statements, its HTML and its extracted text, and gives the evidence.

Precision comes first: a page is an article unless there is strong evidence against it. Most evidence is not looked for
if the page's structured data declares an article.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from newscrawl.article import interstitials, kinds
from newscrawl.article.signals import Signals
from newscrawl.article.verdict_rules import NamedRule
from newscrawl.extraction.chain import SHORT
from newscrawl.model import Extraction, Metadata, Verdict
from newscrawl.page import Page

Judge = Callable[[Signals], Iterator[str]]
"""Yields the evidence for one verdict; nothing if the verdict does not apply."""

_JUDGES: Final[tuple[tuple[Verdict, Judge], ...]] = (
    ("bot_wall", interstitials.bot_wall),
    ("soft_404", interstitials.soft_404),
    ("consent", interstitials.consent),
    ("live", kinds.live),
    ("paywalled", kinds.paywalled),
    ("video", kinds.video),
    ("gallery", kinds.gallery),
    ("listing", kinds.listing),
)
"""The first verdict with evidence is used: pages in place of an article, then kinds of articles, then the others."""

ARTICLES: Final[frozenset[Verdict]] = frozenset({"article", "live", "paywalled", "short"})
"""Verdicts of pages that have the text of an article, completely or in part."""


@dataclass(frozen=True, slots=True)
class VerdictWithEvidence:
    """A verdict and its evidence. An ordinary article has no evidence."""

    verdict: Verdict
    evidence: tuple[str, ...] = ()
    rule: str = ""
    """The name of the user's rule that decided that the page is no article; "" if none did."""

    @property
    def name(self) -> str:
        """The rule's name if a rule decided, else the verdict."""
        return self.rule or self.verdict

    @property
    def is_article(self) -> bool:
        """Whether the page has the text of an article, at least in part."""
        return not self.rule and self.verdict in ARTICLES


def judge(
    page: Page, extraction: Extraction, metadata: Metadata, rules: Sequence[NamedRule] = ()
) -> VerdictWithEvidence:
    """Returns the verdict on `page` with its extracted text and its metadata. Takes time in proportion to the page's
    size.

    The user's `rules` are applied in their order to pages that would be articles. Raises ExtractionError if a rule
    raises.
    """
    signals = Signals(page, extraction, metadata)
    judged = _judged(signals)
    for rule in rules if judged.is_article else ():
        if evidence := rule.evidence(signals):
            return VerdictWithEvidence(judged.verdict, evidence, rule.name)
    return judged


def _judged(signals: Signals) -> VerdictWithEvidence:
    """Returns the built-in verdict."""
    extraction = signals.extraction
    for verdict, judge_of in _JUDGES:
        if evidence := tuple(judge_of(signals)):
            if verdict in ARTICLES and not extraction.text:
                break
            return VerdictWithEvidence(verdict, evidence)
    if not extraction.text:
        return VerdictWithEvidence("empty")
    return VerdictWithEvidence("short" if SHORT in extraction.problems else "article")
