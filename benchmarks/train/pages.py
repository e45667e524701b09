"""The pages that the weights are learned from or judged on, with all that does not depend on a fold.

In here: which runs of a page are the article, from the page's gold text, as docs/explanation/what-is-the-text.md
defines it; and the weights of the words in ids and classes: in how many sites they are around text, and in how many
not.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.support.common import in_parallel
from benchmarks.support.learning import folds_of
from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.bench.scores import common_subsequence, shingles
from newscrawl.extraction.learned.features import FEATURES, Matrix, PageFeatures, base_features, look_at
from newscrawl.extraction.learned.text import tokens
from newscrawl.extraction.learned.tree import GROUPS, Tree, names_of
from newscrawl.model.identity import registrable_domain
from newscrawl.page import Page, parse
from newscrawl.page.elements import Elements
from newscrawl.page.run import HEADING

MIN_MATCHED: Final = 0.6
"""Share of a run's tokens in the common subsequence of page and gold from which it belongs to the article."""
MIN_SHINGLES: Final = 0.4
"""The same for pairs of neighbouring tokens of a longer run: common words alone match by chance."""
LONG_RUN: Final = 8
"""Tokens from which pairs are looked at."""
MIN_PAGE: Final = 0.75
"""Pages where the runs so found hold less than this share of the gold's tokens teach nothing: the text is elsewhere."""
MAX_TOKENS: Final = 30_000
"""Longer pages are left out: the subsequence takes the product of both lengths."""

MAX_COST: Final = 2.0
"""What all runs of a page cost together at most: a page's score cannot fall below nothing, however long its comments
are beside a short text. A third of the pages would cost more."""

_BYLINE: Final = re.compile(r"\W*(?:by|von|por|par|di|da|af|av|door)\s+\w", re.IGNORECASE)
_OUT_NAMES: Final = tuple(1 << list(GROUPS).index(name) for name in ("caption", "byline", "date", "share", "related"))


@dataclass(frozen=True, slots=True)
class Labels:
    """For every run whether it is the article's (`target`) and what a mistake costs (`weight`)."""

    target: NDArray[np.bool_]
    weight: NDArray[np.float32]
    recall: float
    """Share of the gold's tokens found in the runs marked as text."""


def label_page(page: Page, gold: str) -> Labels | None:
    """Labels of a page's runs; None where page or gold are too long, too short or do not belong together."""
    wanted = tokens(gold)
    runs = [tokens(run.text) for run in page.runs]
    flat = [token for run in runs for token in run]
    if not wanted or not flat or len(flat) > MAX_TOKENS:
        return None
    matched = np.zeros(len(flat), dtype=bool)
    matched[common_subsequence(flat, wanted)] = True
    pairs = set(itertools.pairwise(wanted))
    target, weight, found, start = np.zeros(len(runs), dtype=bool), np.zeros(len(runs), dtype=np.float32), 0, 0
    for i, run in enumerate(runs):
        hits = int(matched[start : start + len(run)].sum())
        start += len(run)
        target[i] = _belongs(run, hits, pairs)
        weight[i] = len(run)
        found += hits if target[i] else 0
    recall = found / len(wanted)
    if recall < MIN_PAGE:
        return None
    weight = (weight + 2) / (target @ weight + 20)
    return _apply_taste(page, target, weight, recall)


def label_snippets(page: Page, required: Sequence[str], forbidden: Sequence[str]) -> Labels | None:
    """Labels of the runs that hold a snippet; the others cost nothing. None where no required snippet is found.

    A short snippet may stand in several runs (a headline, a teaser, the text): only the longest that has it is meant.
    """
    texts = [_folded(run.text) for run in page.runs]
    weight, target = np.zeros(len(texts), dtype=np.float32), np.zeros(len(texts), dtype=bool)
    for snippets, wanted in ((forbidden, False), (required, True)):
        found = {max(holders, key=lambda i: len(texts[i])) for s in snippets if (holders := _holders(texts, s))}
        for run in found:
            target[run], weight[run] = wanted, 1 / len(found)
    return Labels(target, weight, 1.0) if target.any() else None


def _holders(texts: Sequence[str], snippet: str) -> list[int]:
    folded = _folded(snippet)
    return [i for i, text in enumerate(texts) if folded and folded in text]


def _belongs(run: list[str], hits: int, pairs: set[tuple[str, str]]) -> bool:
    if not run or hits < MIN_MATCHED * len(run):
        return False
    if len(run) < LONG_RUN:
        return True
    own = list(itertools.pairwise(run))
    return sum(map(pairs.__contains__, own)) >= MIN_SHINGLES * len(own)


def _apply_taste(page: Page, target: NDArray[np.bool_], weight: NDArray[np.float32], recall: float) -> Labels:
    """Headline and captions are out whatever the gold says; where else golds differ a mistake costs nothing."""
    titles = {_folded(t) for t in (page.hints.headline, page.head.first("og:title"), page.head.title) if t}
    for i, run in enumerate(page.runs):
        in_caption = any(page.elements.name(e) == "figcaption" for e in _path(page.elements, run.element))
        if target[i] and (in_caption or _folded(run.text) in titles):
            target[i] = False
        elif (target[i] and run.words < 40 and names_of(page.elements, run.element)[0] & sum(_OUT_NAMES[:3])) or (
            target[i] and run.words < 8 and _BYLINE.match(run.text)
        ):
            weight[i] = 0
        elif not target[i] and run.flags & HEADING and 0 < i < len(target) - 1 and target[i - 1] and target[i + 1]:
            weight[i] = 0  # a sub-head that this gold leaves out
    return Labels(target, weight * np.float32(min(1.0, MAX_COST / max(1e-9, float(weight.sum())))), recall)


def _path(elements: Elements, element: int) -> list[int]:
    return [element, *elements.ancestors(element)]


def _folded(text: str) -> str:
    return " ".join(tokens(text))


MIN_SITES: Final = 4
"""A word of fewer sites says nothing of others."""
SMOOTH: Final = 1.0

Counts = dict[str, tuple[float, float]]
"""Weight of text and of other runs below elements that a word names."""


def page_counts(tree: Tree, labels: Labels) -> Counts:
    """How much of a page's weight stands below elements with each word, as text and not."""
    counts: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    paths: dict[int, frozenset[str]] = {0: frozenset()}
    for element, (words, above) in enumerate(zip(tree.words, tree.parents.tolist(), strict=True)):
        paths[element] = paths[above].union(words) if words else paths[above]
    for run, target, weight in zip(tree.of_run.tolist(), labels.target, labels.weight, strict=True):
        for word in paths[run] if weight else ():
            counts[word][0 if target else 1] += float(weight)
    return {word: (text, other) for word, (text, other) in counts.items()}


def site_shares(pages: Iterable[Counts]) -> Counts:
    """The vote of one site on each word. Both numbers add up to 1."""
    sums: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for counts in pages:
        for word, (text, other) in counts.items():
            sums[word][0] += text
            sums[word][1] += other
    return {w: (text / (text + other), other / (text + other)) for w, (text, other) in sums.items() if text + other > 0}


def total(shares: Iterable[Counts]) -> Counts:
    """The votes of all sites."""
    sums: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for site in shares:
        for word, (text, other) in site.items():
            sums[word][0] += text
            sums[word][1] += other
    return {word: (text, other) for word, (text, other) in sums.items()}


def weights(votes: Counts, without: Mapping[str, tuple[float, float]] | None = None) -> dict[str, float]:
    """Log-odds of text for each word of `MIN_SITES` sites.

    `without` takes one site's own votes away, so that its pages do not teach what a word says on that site alone.
    """
    own = without or {}
    words = votes if without is None else own
    found = {}
    for word in sorted(words):
        if word not in votes:
            continue
        text, other = votes[word]
        own_text, own_other = own.get(word, (0.0, 0.0))
        text, other = max(0.0, text - own_text), max(0.0, other - own_other)
        if text + other >= MIN_SITES - 0.01:
            found[word] = round(math.log((text + SMOOTH) / (other + SMOOTH)), 3)
    return found


TRAIN: Final[Mapping[str, float]] = MappingProxyType(
    {
        "naeb": 1.0,
        "misinfo_crawler": 1.0,
        "fundus_tests": 1.0,
        "magic_html_article": 0.6,
        "wcxb": 0.5,
        "trafilatura_eval": 0.4,
    }
)
"""Corpora that may be learned from, and what a page of each counts: captions are text to magic_html_article, most of
wcxb are blogs and guides, and of trafilatura_eval only the runs that hold a snippet are known."""
LIMITS: Final[Mapping[str, int]] = MappingProxyType({"wcxb": 300})
"""Pages taken of a corpus, so that blogs do not outnumber news."""
SHORT: Final = 2.0
"""Logarithm of words from which every run is learned from."""
LINKED: Final = 0.5
"""Share of linked words from which a run is a pointer."""
SHORT_KEPT: Final = 6
"""Of shorter runs and pointers that are no text one in so many is learned from, and counts for all of them."""
SEED: Final = 20_180_412


@dataclass(slots=True)
class Prepared:
    """One page."""

    corpus: str
    gold: GoldPage
    look: PageFeatures
    base: Matrix
    labels: Labels | None
    site: str
    counts: Counts = field(default_factory=dict)
    fold: int = 0
    rows: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Runs that are learned from."""
    target: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    weight: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, dtype=np.float32))

    @property
    def page(self) -> Page:
        """The parsed page."""
        return self.look.page

    @property
    def teaches(self) -> bool:
        """Whether weights may be learned from it."""
        return self.corpus in TRAIN and self.labels is not None


def read_pages(
    corpora: Path,
    names: Sequence[str],
    folds: int,
    *,
    sample: int | None = None,
    limits: Mapping[str, int] = LIMITS,
    processes: int | None = None,
) -> list[Prepared]:
    """All pages of the corpora with their folds, in a fixed order. `sample` limits the corpora that teach nothing."""
    wanted: list[tuple[str, GoldPage]] = []
    for name in names:
        corpus = read_corpus(corpora / name).sample(limits.get(name, sample if name not in TRAIN else None))
        wanted += [(name, page) for page in corpus.pages if shingles(page.text) or page.required]
    pages = [page for page in in_parallel(prepare, wanted, label="features", processes=processes) if page is not None]
    for page, fold in zip(
        pages,
        folds_of([p.site for p in pages], [p.gold.text or " ".join(p.gold.required) for p in pages], folds),
        strict=True,
    ):
        page.fold = fold
    for number, page in enumerate(pages):
        _choose_rows(page, np.random.default_rng((SEED, number)))
    return pages


def prepare(item: tuple[str, GoldPage]) -> Prepared | None:
    """Parse and label one page; None where it has no text at all."""
    corpus, gold = item
    page = parse(gold.body(), url=gold.url)
    if not page.runs:
        return None
    look = look_at(page)
    labels = _labels(page, gold) if corpus in TRAIN else None
    counts = page_counts(look.tree, labels) if labels else {}
    site = registrable_domain(gold.url or gold.domain or "")
    return Prepared(corpus, gold, look, base_features(look), labels, site, counts)


def _labels(page: Page, gold: GoldPage) -> Labels | None:
    return label_page(page, gold.text) if gold.text else label_snippets(page, gold.required, gold.forbidden)


def _choose_rows(page: Prepared, random: np.random.Generator) -> None:
    if page.labels is None:
        return
    words, linked = (page.base[:, FEATURES.index(name)] for name in ("log_words", "linked_words"))
    short = ((words < SHORT) | (linked > LINKED)) & ~page.labels.target
    kept = ~short | (random.random(len(short)) * SHORT_KEPT < 1)
    page.rows = np.flatnonzero(kept & (page.labels.weight > 0))
    weight = page.labels.weight * np.where(short, SHORT_KEPT, 1) * TRAIN.get(page.corpus, 0.0)
    page.weight = weight[page.rows].astype(np.float32)
    page.target = page.labels.target[page.rows]
