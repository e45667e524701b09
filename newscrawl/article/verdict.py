"""Decides what a page is, from its statements, its HTML and its extracted text, and gives the evidence.

Precision comes first: a page is an article unless there is strong evidence against it. Most evidence is not looked for
if the page's structured data declares an article.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from newscrawl.article import interstitials
from newscrawl.article.kinds import declared_other, gallery, listing, live, paywalled, video
from newscrawl.article.page_kinds.judge import other_kind
from newscrawl.article.signals import Signals
from newscrawl.article.verdict_rules import NamedRule
from newscrawl.extraction.chain import SHORT
from newscrawl.model import Verdict

Judge = Callable[[Signals], Iterator[str]]
"""Yields the evidence for one verdict; nothing if the verdict does not apply."""

_JUDGES: Final[tuple[tuple[Verdict, Judge], ...]] = (
    ("bot_wall", interstitials.bot_wall),
    ("soft_404", interstitials.soft_404),
    ("consent", interstitials.consent),
    ("live", live),
    ("paywalled", paywalled),
    ("video", video),
    ("gallery", gallery),
    ("product", partial(declared_other, "product")),
    ("forum", partial(declared_other, "forum")),
    ("service", partial(declared_other, "service")),
    ("listing", listing),
)
"""The first verdict with evidence is used: pages in place of an article, then kinds of articles, then the others."""

ARTICLES: Final[frozenset[Verdict]] = frozenset({"article", "live", "paywalled", "short"})
"""Verdicts of pages that have the text of an article, completely or in part."""

MODELLED: Final[frozenset[Verdict]] = frozenset({"article", "short", "empty"})
"""Verdicts of the rules after which the model of kinds is asked: the others have evidence of their own. A page without
text may be a listing."""


@dataclass(frozen=True, slots=True)
class VerdictWithEvidence:
    """A verdict and its evidence. An ordinary article has no evidence."""

    verdict: Verdict
    evidence: tuple[str, ...] = ()
    rule: str = ""
    """The name of the user's rule that decided that the page is no article; "" if none did."""
    probability: float | None = None
    """The probability that the page is no article, if the model of kinds decided; None if a rule did."""

    @property
    def name(self) -> str:
        """The rule's name if a rule decided, else the verdict."""
        return self.rule or self.verdict

    @property
    def is_article(self) -> bool:
        """Whether the page has the text of an article, at least in part."""
        return self.is_kept(ARTICLES)

    def is_kept(self, kinds: Collection[str]) -> bool:
        """Returns whether the page is stored by an operator who keeps these kinds (NEWSCRAWL_KINDS)."""
        return not self.rule and self.verdict in kinds


def judge(
    signals: Signals,
    rules: Sequence[NamedRule] = (),
    *,
    kinds: Collection[str] = ARTICLES,
    is_listed: bool = False,
    use_model: bool = True,
) -> VerdictWithEvidence:
    """Returns the verdict on a page with its extracted text and its metadata. Takes time in proportion to the page's
    size.

    `is_listed` says that a feed or news sitemap lists the page. Pages that the built-in rules accept as articles are
    judged by the model of kinds, unless `use_model` is false. The user's `rules` are applied in their order to pages
    of the `kinds` that are kept. Raises ExtractionError if a rule raises.
    """
    judged = _judged(signals)
    if use_model and judged.verdict in MODELLED and (other := other_kind(signals, is_listed=is_listed)):
        judged = VerdictWithEvidence(other.verdict, other.evidence, probability=other.probability)
    for rule in rules if judged.is_kept(kinds) else ():
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
