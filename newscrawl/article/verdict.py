"""What a page is, judged by its statements, its mark-up and its extracted text, with the evidence.

Precision comes first: a page is an article unless several signs say otherwise, and most signs are not looked for where
the page's structured data calls it one.
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
"""Yields evidence for one verdict; none is a no."""

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
"""The first with evidence decides: what keeps a reader out, then what says most about an article, then the rest."""

ARTICLES: Final[frozenset[Verdict]] = frozenset({"article", "live", "paywalled", "short"})
"""Verdicts of pages that have an article's text, whole or in part."""


@dataclass(frozen=True, slots=True)
class VerdictWithEvidence:
    """A verdict and what it rests on; an ordinary article needs no evidence."""

    verdict: Verdict
    evidence: tuple[str, ...] = ()
    rule: str = ""
    """The user's rule that says that the page is not an article, and has the evidence for it; "" for none."""

    @property
    def name(self) -> str:
        """The rule's name if a rule decided, else the verdict."""
        return self.rule or self.verdict

    @property
    def is_article(self) -> bool:
        """Whether the text is an article's, at least in part."""
        return not self.rule and self.verdict in ARTICLES


def judge(
    page: Page, extraction: Extraction, metadata: Metadata, rules: Sequence[NamedRule] = ()
) -> VerdictWithEvidence:
    """What `page` is, given the text that was extracted from it and what it says of itself; linear in its size.

    The user's `rules` are asked in their order about pages that are articles otherwise. Raises ExtractionError for a
    rule that raises.
    """
    signals = Signals(page, extraction, metadata)
    judged = _judged(signals)
    for rule in rules if judged.is_article else ():
        if evidence := rule.evidence(signals):
            return VerdictWithEvidence(judged.verdict, evidence, rule.name)
    return judged


def _judged(signals: Signals) -> VerdictWithEvidence:
    """The built-in verdict."""
    extraction = signals.extraction
    for verdict, signs in _JUDGES:
        if evidence := tuple(signs(signals)):
            if verdict in ARTICLES and not extraction.text:
                break
            return VerdictWithEvidence(verdict, evidence)
    if not extraction.text:
        return VerdictWithEvidence("empty")
    return VerdictWithEvidence("short" if SHORT in extraction.problems else "article")
