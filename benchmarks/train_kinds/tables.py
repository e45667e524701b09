"""Tables of kinds against verdicts, and of the features that the trees test."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, get_args

from benchmarks.train_kinds.pages import OF_KINDS, KindPage
from newscrawl.article.page_kinds.judge import judged_row
from newscrawl.article.page_kinds.model import ARTICLE, ROW_FEATURES, KindModel
from newscrawl.article.verdict import ARTICLES
from newscrawl.extraction.confidence.model import features_of
from newscrawl.model import Verdict

Z: Final = 1.96
"""Deviations of a 95 % interval."""
STORED: Final = frozenset({*ARTICLES, "empty"})
"""Verdicts of pages that are not lost as articles: an empty text is a matter of extraction."""
MAX_WEIGHTS: Final = 30


@dataclass(frozen=True, slots=True)
class Judged:
    """A page, and its verdicts by a model that never saw its site."""

    page: KindPage
    verdict: str
    listed: str
    """The verdict if a feed had listed the page."""

    @classmethod
    def of(cls, page: KindPage, model: KindModel) -> Judged:
        if not page.is_decided_by_model:
            return cls(page, page.rules, page.rules)
        row, probabilities = judged_row(model, page.row, lambda: page.words)
        kind, listed = (model.decide(row, probabilities, is_listed=is_listed) for is_listed in (False, True))
        return cls(page, kind or page.rules, listed or page.rules)


def table(judged: Sequence[Judged]) -> str:
    """Returns the articles lost by corpus, and the pages of other kinds found, as Markdown."""
    articles = [one for one in judged if one.page.kind == ARTICLE]
    corpora = sorted({one.page.corpus for one in articles})
    kinds = sorted({one.page.kind for one in judged if one.page.corpus == OF_KINDS})
    return "\n".join(
        (
            "| corpus | articles | lost | 95 % | lost if a feed lists them | languages with a loss |",
            "|---|--:|--:|--:|--:|---|",
            *(_lost(name, [one for one in articles if one.page.corpus == name]) for name in corpora),
            _lost("all", articles),
            "",
            "| kind | pages | not stored | 95 % | called by its kind |",
            "|---|--:|--:|--:|--:|",
            *(_found(kind, [one for one in judged if one.page.kind == kind]) for kind in kinds),
            "",
            *_verdicts(judged),
            "",
            "| corpus | language | articles | lost | 95 % |",
            "|---|---|--:|--:|--:|",
            *_languages(articles),
        )
    )


def _verdicts(judged: Sequence[Judged]) -> Iterator[str]:
    """Yields a table of the true kinds of each corpus against the verdicts."""
    counts = Counter((one.page.corpus, one.page.kind, one.verdict) for one in judged)
    verdicts = [verdict for verdict in get_args(Verdict) if any(verdict == found for _, _, found in counts)]
    yield f"| corpus | kind | {' | '.join(verdicts)} |"
    yield "|---|---" + "|--:" * len(verdicts) + "|"
    for corpus, kind in sorted({(corpus, kind) for corpus, kind, _ in counts}):
        cells = [str(counts[corpus, kind, verdict] or "") for verdict in verdicts]
        yield f"| {corpus} | {kind} | {' | '.join(cells)} |"


def _languages(articles: Sequence[Judged]) -> Iterator[str]:
    """Yields the losses of each language of the corpora with several languages or another one than English."""
    lost: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for one in articles:
        lost[one.page.corpus, one.page.language or "?"].append(one.verdict not in STORED)
    foreign = {corpus for corpus, language in lost if language != "en"}
    for (corpus, language), losses in sorted(lost.items()):
        if corpus in foreign:
            number = sum(losses)
            yield f"| {corpus} | {language} | {len(losses)} | {number} | {interval(number, len(losses))} |"


def _found(kind: str, pages: Sequence[Judged]) -> str:
    out = sum(one.verdict not in ARTICLES for one in pages)
    right = sum(one.verdict == kind for one in pages) / len(pages)
    return f"| {kind} | {len(pages)} | {out / len(pages):.2f} | {interval(out, len(pages))} | {right:.2f} |"


def _lost(name: str, pages: Sequence[Judged]) -> str:
    lost = [one for one in pages if one.verdict not in STORED]
    listed = sum(one.listed not in STORED for one in pages)
    languages = ", ".join(sorted({one.page.language or "?" for one in lost}))
    return f"| {name} | {len(pages)} | {len(lost)} | {interval(len(lost), len(pages))} | {listed} | {languages} |"


def interval(count: int, total: int) -> str:
    """Returns Wilson's 95 % interval of a share (Wilson, "Probable inference", JASA 22, 1927)."""
    share, spread = count / total, Z * Z / total
    middle = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / total + spread / (4 * total)) / (1 + spread)
    return f"{max(0, middle - half):.3f}-{min(1, middle + half):.3f}"


def limits(model: KindModel) -> str:
    """Returns the limits of the model, as Markdown."""
    shown = " | ".join(f"{100 * limit:.2g} %" for limit in model.limits.values())
    return f"| {' | '.join(model.limits)} |\n{'|--:' * len(model.limits)}|\n| {shown} |"


def weights(model: KindModel) -> str:
    """Returns how often each feature is tested by the trees of each kind, as Markdown, the most tested first."""
    counts = {
        kind: Counter(ROW_FEATURES[one] for tree in trees for one in features_of(tree))
        for kind, trees in model.trees.items()
    }
    totals = sum(counts.values(), Counter[str]())
    lines = [f"| feature | {' | '.join(counts)} |", "|---" + "|--:" * len(counts) + "|"]
    lines += [
        f"| {name} | {' | '.join(str(of_kind[name]) for of_kind in counts.values())} |"
        for name, _ in totals.most_common(MAX_WEIGHTS)
    ]
    return "\n".join(lines)
