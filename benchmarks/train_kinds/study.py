"""Judges the pages of all corpora, by models that never saw their sites or by the model in the package, and chooses the
limits of probability below which a page is no article, from a few round values for each kind.

Each kind has its own limit: articles look like pages of services or listings, and hardly ever like documentation. Pages
that have nothing an article has share one (`BARE`), or one for short texts (`SHORT`). The values are few and round,
because a limit that follows the probability of a single article depends on which articles were seen: chosen on four
fifths of the pages, such limits of services were between 0.1 and 2 %.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import sqrt
from pathlib import Path
from typing import Final, get_args

from benchmarks.train_kinds.fit import fit
from benchmarks.train_kinds.pages import MEASURED, OF_KINDS, TRAIN, KindPage, read_pages
from newscrawl.bench.parallel import in_parallel
from newscrawl.errors import UsageError
from newscrawl.extraction.article.page_kinds.judge import (
    ARTICLE,
    BARE,
    LEARNED,
    LISTED,
    ROW_FEATURES,
    SHORT,
    KindModel,
    judged_row,
    limit_of,
    load,
)
from newscrawl.extraction.article.verdict import ARTICLES
from newscrawl.extraction.confidence import features_of
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


OTHERS: Final = LEARNED[1:]
"""The kinds other than article."""
CHOICES: Final = (
    (("documentation",), (0.2, 0.3)),
    (("forum", "product"), (0.1, 0.2)),
    (("listing",), (0.05, 0.07, 0.1)),
    (("service",), (0.03, 0.05)),
    ((BARE,), (0.05, 0.1)),
    ((SHORT,), (0.3, 0.4)),
)
"""Groups of pages that have one limit, and the limits they may have. The highest were read off cross-validated
probabilities of three seeds. With 50 % for documentation or short bare pages, an article more is lost of a corpus that
had lost none; with 7 % for services, one more of wcxb. Most articles below 20 % look like services, so the limit of
listings may be higher than theirs."""
MAX_LOST: Final = 0.003
"""The most articles that may be below the limits, of those that may be learned from. All corpora have 2.3 times as many
articles."""
MAX_LOST_OF_CORPUS: Final = 0.005
"""The most articles of a corpus that may be lost by rules and limits. The goal is 5 in 1,000 of every corpus."""
LISTED_SHARE: Final = 0.1
"""The limit for pages that a feed lists, as a share of the lowest probability of any article."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A page, judged by a model that never saw its site."""

    page: KindPage
    article: float
    """The probability of an article."""
    group: str
    """The name of its limit: the likeliest other kind, `BARE` or `SHORT`."""

    @classmethod
    def of(cls, page: KindPage, model: KindModel) -> Guess:
        """Returns the guess of `model` on a page that it decides."""
        _, probabilities = judged_row(model, page.row, lambda: page.words)
        kind = max(OTHERS, key=probabilities.__getitem__)
        return cls(page, probabilities[ARTICLE], limit_of(page.row, kind))


def choose_limits(pages: Sequence[KindPage], guesses: Sequence[Guess]) -> Mapping[str, float]:
    """Returns the limit of each group and of listed pages. Of the limits below which no more articles are than allowed,
    these find most of the other pages, each kind counting the same. If there are none, the lowest are returned.

    `guesses` are those of the `pages` that the model decides, at least one of them an article.
    """
    number = Counter(page.kind for page in pages)
    allowed = _allowed_losses(pages)
    best, found = next(_possible()), -1.0
    for limits in _possible():
        below = [guess.page for guess in guesses if guess.article < limits[guess.group]]
        lost = Counter(page.corpus for page in below if page.kind == ARTICLE)
        share = sum(1 / number[page.kind] for page in below if page.kind != ARTICLE)
        if share > found and lost.total() <= MAX_LOST * number[ARTICLE] and lost <= allowed:
            best, found = limits, share
    return {**best, LISTED: LISTED_SHARE * min(guess.article for guess in guesses if guess.page.kind == ARTICLE)}


def _allowed_losses(pages: Sequence[KindPage]) -> Counter[str]:
    """Returns how many articles of each corpus may be below the limits: the rules have lost some already."""
    articles = [page for page in pages if page.kind == ARTICLE]
    by_rules = Counter(page.corpus for page in articles if page.rules not in STORED)
    numbers = Counter(page.corpus for page in articles)
    return Counter(
        {corpus: max(0, int(MAX_LOST_OF_CORPUS * all_) - by_rules[corpus]) for corpus, all_ in numbers.items()}
    )


def _possible() -> Iterator[dict[str, float]]:
    """Yields all limits that may be chosen, the lowest first."""
    for chosen in product(*(values for _, values in CHOICES)):
        limits = {group: limit for (groups, _), limit in zip(CHOICES, chosen, strict=True) for group in groups}
        yield {group: limits[group] for group in (*OTHERS, BARE, SHORT)}


FOLDS: Final = 5
Without = frozenset[int]
"""The folds that a model has not learned from."""


def known_pages(corpora: Path, *, processes: int | None = None) -> list[KindPage]:
    """Returns the pages of all corpora that are in the folder. Raises UsageError if one to learn from is missing."""
    there = {path.name.partition(".")[0] for path in corpora.iterdir()} if corpora.is_dir() else set()
    if missing := sorted(set(TRAIN) - there):
        raise UsageError(f"no corpus {missing[0]!r} in {corpora}: name the folder above it with --shared")
    names = [name for name in (*TRAIN, *MEASURED) if name in there]
    return read_pages(corpora, names, FOLDS, processes=processes)


def learned(pages: Sequence[KindPage], *, processes: int | None = None) -> KindModel:
    """Returns the model learned from all pages that teach, with its limits. Fits six models."""
    wanted = [frozenset[int](), *(frozenset({fold}) for fold in range(FOLDS))]
    return _with_limits(_fitted(pages, wanted, processes), pages, wanted[0])


def cross_validated(pages: Sequence[KindPage], *, processes: int | None = None) -> list[Judged]:
    """Returns the verdict on every page by a model and by limits that were learned from other sites.

    This is nested cross-validation: the limits for a fold are chosen on the other folds, each judged by a model that
    learned from neither. A model without two folds serves both of them, so 15 models are fitted (Varma and Simon, "Bias
    in error estimation when using cross-validation for model selection", BMC Bioinformatics 7, 2006).
    """
    wanted = [frozenset(folds) for number in (1, 2) for folds in combinations(range(FOLDS), number)]
    models = _fitted(pages, wanted, processes)
    judged: list[Judged] = []
    for fold in range(FOLDS):
        model = _with_limits(models, pages, frozenset({fold}))
        judged += [Judged.of(page, model) for page in pages if page.fold == fold]
    return judged


def shipped(pages: Sequence[KindPage]) -> list[Judged]:
    """Returns the verdict on every page by the model in the package, which has learned from some of them."""
    model = load()
    return [Judged.of(page, model) for page in pages]


def _fitted(
    pages: Sequence[KindPage], wanted: Collection[Without], processes: int | None
) -> Mapping[Without, KindModel]:
    """Returns a model for each set of folds that it is not to learn from."""
    known = [page for page in pages if page.corpus in TRAIN]
    others = [[page for page in known if page.fold not in without] for without in wanted]
    return dict(zip(wanted, in_parallel(fit, others, label="models", processes=processes), strict=True))


def _with_limits(models: Mapping[Without, KindModel], pages: Sequence[KindPage], without: Without) -> KindModel:
    """Returns the model without these folds, with limits chosen on the pages of all others that may be learned from."""
    known = [page for page in pages if page.corpus in TRAIN and page.fold not in without]
    guesses = [Guess.of(page, models[without | {page.fold}]) for page in known if page.is_decided_by_model]
    return replace(models[without], limits=choose_limits(known, guesses))
