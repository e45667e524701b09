"""Estimates how good an extracted text is: the expected F1 against what a careful reader would copy from the page.

A confidence depends on nothing but the page and the chain. So a crawl, an ingest and a re-extraction of the same bytes
give the same one.

The measures compare the text with the page around it, with the choices of other algorithms and with what the page
states. Words of the text are not used, so the measures are the same in every language and for every subject.

The model is boosted trees that add up to the expected F1: Friedman, "Greedy function approximation: a gradient boosting
machine", Annals of Statistics 29 (2001), section 4.1; with squared error, the sum of the trees is the expected value.
`python -m benchmarks.train_confidence` writes its file, `confidence.json`, and the tables of
docs/measurements/quality.md. A tree is nested nodes: a node is a list [feature, threshold, left, right], or a number, a
leaf's part of the score. The file has the same form as JSON. A walk takes half the time of one over a table of nodes,
and needs no numpy.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import log1p
from typing import Any, Final, TypeAlias

from newscrawl.extraction.stated import STATED, Topic, stated_bodies
from newscrawl.model import Extraction, Selection
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.parse import PROSE_WORDS

MIN_UNDISPLAYED: Final = 0.1
"""The least share of undisplayed words that lowers a confidence. Of 600 pages of naeb, daniel, wcxb, misinfo_crawler,
14 have more."""
STATED_F1: Final = 0.89
"""The mean F1 of texts that JSON-LD states, on the 116 pages of naeb, misinfo_crawler, fundus_tests and wcxb that state
one of at least 300 characters."""


def confidence_of(page: Page, found: Extraction) -> float:
    """Returns the expected F1 of a chain's text of `page`, from 0 to 1; 0 without a text. Words that the page does not
    display lower it: who hides words on a page shows a reader another text than a program."""
    if found.extractor == STATED:
        return STATED_F1
    expected = load().expected_f1(measure(page, found)) if found.runs else 0.0
    if found.undisplayed < MIN_UNDISPLAYED:
        return expected
    return round(expected * (1 - found.undisplayed / 2), DIGITS)


UNKNOWN: Final = -1.0
"""The value of a measure that a page or a chain does not give."""
SHORT_RUN_WORDS: Final = 10
"""Runs with fewer words are labels, headings and captions rather than sentences."""
MAX_RATIO: Final = 2.0
"""A stated text counts as at most so many times as long as the extracted one."""
FAR: Final = 50
"""Runs between the headline and the text are counted up to this number."""

SENTENCE_ENDS: Final = frozenset(".!?…。！？؟۔।։")
CLOSING_SIGNS: Final = "\"'”’“»«)]）」』"
"""Signs that may be behind the end of a sentence."""

OF_SIZE: Final = ("log_characters", "share_of_page", "share_of_prose", "other_prose")
OF_RUNS: Final = ("characters_a_run", "short_runs", "open_ends", "ended", "linked_words", "one_element")
OF_PLACE: Final = ("gaps", "prose_above", "prose_within", "prose_below", "below_headline", "prose_below_headline")
OF_STATEMENTS: Final = ("topic_words", "stated_text")
OF_SELECTION: Final = ("article_precision", "article_recall")
OF_MODEL: Final = ("is_learned", "classic_precision", "classic_recall", "probability", "expected_share")
FEATURES: Final = (*OF_SIZE, *OF_RUNS, *OF_PLACE, *OF_STATEMENTS, *OF_SELECTION, *OF_MODEL)
MEANINGS: Final = {
    "log_characters": "logarithm of the text's length",
    "share_of_page": "its share of all characters of the page",
    "share_of_prose": f"its share of the page's prose: runs of {PROSE_WORDS} words and more without a link",
    "other_prose": "the prose that is not in the text, as a multiple of the text",
    "characters_a_run": "logarithm of the mean length of its runs",
    "short_runs": f"share of its runs with fewer than {SHORT_RUN_WORDS} words",
    "open_ends": "share of its characters in runs that end with a letter or digit, without a full stop",
    "ended": "share of its characters in runs that end like a sentence, quotation marks and brackets left out",
    "linked_words": "share of its words that are linked",
    "one_element": "the largest share of its characters in runs whose elements have the same grandparent",
    "gaps": "share of the runs between its first and last one that were left out",
    "prose_above": "the prose above its first run, as a multiple of the text",
    "prose_within": "the prose between its first and last run that was left out, likewise",
    "prose_below": "the prose below its last run, likewise",
    "below_headline": f"runs between the headline and the text, at most {FAR} either way",
    "prose_below_headline": "the prose between the headline and the text, as a multiple of the text",
    "topic_words": "share of the words of headline and description that are in the text",
    "stated_text": "length of the text that structured data states (`articleBody`), relative to this one",
    "article_precision": "share of the text that Boilerpipe's article recipe keeps, too",
    "article_recall": "share of that recipe's text that is in this one",
    "is_learned": "whether the learned extractor of `best` chose it",
    "classic_precision": "share of the text that the first step of `classic` chooses, too, where `best` ran",
    "classic_recall": "share of that step's text that is in this one",
    "probability": "mean probability that the learned model gives its runs",
    "expected_share": "share of the page's text that this model expects and that is in this one",
}
"""The features in their order, with what they mean."""
LEARNED: Final = "learned"


def measure(page: Page, found: Extraction) -> tuple[float, ...]:
    """Returns the values of `FEATURES` for a text with at least one run. Linear time."""
    runs, kept = page.runs, found.runs
    lengths = [len(run.text) for run in runs]
    prose = [0] * len(runs)
    for i in page.prose:
        prose[i] = lengths[i]
    size = sum([lengths[i] for i in kept])
    return (
        *_of_size(lengths, prose, kept, size),
        *_of_runs(page, kept, size),
        *_of_place(page, prose, kept, size),
        *_of_statements(page, found),
        *_of_selection(lengths, found, size),
    )


def _of_size(lengths: Sequence[int], prose: Sequence[int], kept: Sequence[int], size: int) -> tuple[float, ...]:
    own, every = sum([prose[i] for i in kept]), sum(prose)
    return log1p(size), size / sum(lengths), own / max(1, every), (every - own) / size


def _of_runs(page: Page, kept: Sequence[int], size: int) -> tuple[float, ...]:
    chosen = [page.runs[i] for i in kept]
    short = sum([run.words < SHORT_RUN_WORDS for run in chosen])
    unfinished = sum([len(run.text) for run in chosen if run.text[-1].isalnum()])
    ended = sum([len(run.text) for run in chosen if run.text.rstrip(CLOSING_SIGNS)[-1:] in SENTENCE_ENDS])
    linked, words = sum([run.linked_words for run in chosen]), sum([run.words for run in chosen])
    shape = log1p(size / len(kept)), short / len(kept), unfinished / size, ended / size
    return *shape, linked / max(1, words), _in_one_element(page, chosen) / size


def _in_one_element(page: Page, chosen: Sequence[TextRun]) -> int:
    """Returns the most characters of runs whose elements have the same grandparent, or the same root."""
    parent = page.elements.parent
    characters: dict[int, int] = {}
    for run in chosen:
        above = parent[run.element]
        top = parent[above] if above != NO_PARENT else NO_PARENT
        characters[top] = characters.get(top, 0) + len(run.text)
    return max(characters.values())


def _of_place(page: Page, prose: Sequence[int], kept: Sequence[int], size: int) -> tuple[float, ...]:
    first, end = kept[0], kept[-1] + 1
    span = sum(prose[first:end])
    own = sum([prose[i] for i in kept])
    headline = _headline(page)
    distance = max(-FAR, min(FAR, first - headline)) if headline is not None else -FAR - 1
    between = sum(prose[headline:first]) if headline is not None else 0
    return (
        1 - len(kept) / (end - first),
        sum(prose[:first]) / size,
        (span - own) / size,
        sum(prose[end:]) / size,
        distance,
        between / size,
    )


def _headline(page: Page) -> int | None:
    """Returns the run that is the first h1; None if there is none."""
    wanted = page.hints.headline
    return next((i for i, run in enumerate(page.runs) if run.text == wanted), None) if wanted else None


def _of_statements(page: Page, found: Extraction) -> tuple[float, ...]:
    topic = found.topic if found.topic is not None else Topic(page).share(found.runs)
    stated = _share_of_stated_text(page, found.text)
    return UNKNOWN if topic is None else topic, UNKNOWN if stated is None else stated


def _share_of_stated_text(page: Page, text: str) -> float | None:
    """Returns the length of the longest stated text relative to `text`, which must not be empty; None if the page
    states none. White space is not counted."""
    longest = max(map(_letters, stated_bodies(page)), default=0)
    return min(MAX_RATIO, longest / max(1, _letters(text))) if longest else None


def _letters(text: str) -> int:
    return len("".join(text.split()))


def _of_selection(lengths: Sequence[int], found: Extraction, size: int) -> tuple[float, ...]:
    selection = found.selection
    if selection is None:
        return (UNKNOWN,) * (len(OF_SELECTION) + len(OF_MODEL))
    kept = frozenset(found.runs)
    article = _agreement(lengths, kept, size, selection.article)
    return *article, *_of_model(lengths, kept, size, found.extractor, selection)


def _of_model(
    lengths: Sequence[int], kept: Collection[int], size: int, extractor: str, selection: Selection
) -> tuple[float, ...]:
    if selection.group is None or selection.probability is None or selection.expected_share is None:
        return (0.0, *(UNKNOWN,) * (len(OF_MODEL) - 1))
    agreement = _agreement(lengths, kept, size, selection.group)
    return float(extractor == LEARNED), *agreement, selection.probability, selection.expected_share


def _agreement(lengths: Sequence[int], kept: Collection[int], size: int, other: Sequence[int]) -> tuple[float, float]:
    """Returns the common share of the text, and of the other one."""
    common = sum([lengths[i] for i in other if i in kept])
    return common / size, common / max(1, sum([lengths[i] for i in other]))


Tree: TypeAlias = Any
"""A leaf's number, or [feature, threshold, left, right]: the index of the measure that the node tests, the value up to
and including which a row goes left, and the trees on both sides. A type that refers to itself would make every use of a
node a cast."""


def score_trees(trees: Sequence[Tree], row: Sequence[float]) -> float:
    """Returns the sum of the leaves in which the row ends, added in the order of the trees."""
    total = 0.0
    for node in trees:
        while node.__class__ is list:
            feature, threshold, left, right = node
            node = left if row[feature] <= threshold else right
        total += node
    return total


def features_of(tree: Tree) -> Iterator[int]:
    """Yields the feature of every test of a tree."""
    if isinstance(tree, list):
        feature, _, left, right = tree
        yield feature
        yield from features_of(left)
        yield from features_of(right)


WEIGHTS_FILE: Final = "confidence.json"
DIGITS: Final = 4
"""Decimals of a confidence. Equal pages have equal ones on every machine."""


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """The mean F1 of the texts that were learned from, and the trees that add to it."""

    base: float
    trees: Sequence[Tree]

    def expected_f1(self, row: Sequence[float]) -> float:
        """Returns the expected F1 of a text, from 0 to 1, from a row of `FEATURES`."""
        raw = self.base + score_trees(self.trees, row)
        return round(min(1.0, max(0.0, raw)), DIGITS)


@cache
def load() -> ConfidenceModel:
    """Returns the model in the package; it is read once a process."""
    return unpack((files("newscrawl.extraction") / WEIGHTS_FILE).read_text(encoding="ascii"))


def unpack(text: str) -> ConfidenceModel:
    """Returns a model from the text of its file. Raises ValueError if it was trained with other features."""
    stored = json.loads(text)
    if tuple(stored["features"]) != FEATURES:
        raise ValueError(f"{WEIGHTS_FILE} has other features than this version: train it again")
    return ConfidenceModel(stored["base"], tuple(stored["trees"]))


def pack(model: ConfidenceModel) -> str:
    """Returns the text of a model's file, a tree a line. Equal models give equal texts."""
    lines = ",\n".join(json.dumps(tree, separators=(",", ":")) for tree in model.trees)
    return f'{{"features": {json.dumps(FEATURES)},\n"base": {json.dumps(model.base)},\n"trees": [\n{lines}\n]}}\n'
