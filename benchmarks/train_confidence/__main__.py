"""Train the model of confidence again, and show how far it is right on sites that it has not seen.

    python -m benchmarks.train_confidence                  # writes the weights, prints the tables
    python -m benchmarks.train_confidence --markdown FILE

Run it after `python -m benchmarks.train`. Needs scikit-learn (`make peers`). The same corpora and version of
scikit-learn give the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Final

import click
import numpy as np

from benchmarks.support import common
from benchmarks.support.common import write_or_print
from benchmarks.support.learning import require_scikit_learn
from benchmarks.train_confidence.fit import CHAINS, FOLDS, JudgedText, fit, texts_to_judge, texts_to_learn
from newscrawl.bench.documents import around_section, markdown
from newscrawl.bench.scores import Score, summarise
from newscrawl.errors import NewscrawlError
from newscrawl.extraction.chain import MIN_CONFIDENCE
from newscrawl.extraction.confidence import FEATURES, MEANINGS, WEIGHTS_FILE, ConfidenceModel, features_of, pack

TENTHS: Final = 10
SEED: Final = 20_180_412
CONFIDENCES: Final = (0.8, 0.9, MIN_CONFIDENCE, 0.97)
"""Confidences below which a chain might ask `best`."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A text, and its confidence by a model that never saw its site."""

    text: JudgedText
    confidence: float

    @property
    def f1(self) -> float:
        """The F1 of the text."""
        return self.text.score.f1

    @property
    def is_learned_from(self) -> bool:
        """Whether its corpus may be learned from; the confidence is then cross-validated."""
        return self.text.fold is not None


def tenths(expected: Sequence[Expected]) -> str:
    """Returns the mean confidence and the mean F1 in each tenth by confidence, and the share of the loss in it."""
    groups = _groups(expected)
    rows = []
    for number in range(TENTHS):
        cells = [str(number + 1)]
        for group in groups.values():
            part = _tenths_of(group)[number]
            mean, f1 = fmean(one.confidence for one in part), fmean(one.f1 for one in part)
            cells.append(f"{mean:.3f} / {f1:.3f} ({mean - f1:+.3f}), {_loss(part) / _loss(group):.0%}")
        rows.append(cells)
    return markdown(["tenth", *groups], rows)


def corpora(expected: Sequence[Expected]) -> str:
    """Returns the mean confidence and F1 on each corpus, and the share of the loss in its least confident tenth."""
    rows = []
    for name in dict.fromkeys(one.text.corpus for one in expected):
        own = [one for one in expected if one.text.corpus == name]
        cells = [name + ("" if own[0].is_learned_from else " (never learned from)"), str(len(own) // len(CHAINS))]
        for chain in CHAINS:
            of_chain = [one for one in own if one.text.chain == chain]
            mean, f1 = fmean(one.confidence for one in of_chain), fmean(one.f1 for one in of_chain)
            cells.append(f"{mean:.3f} / {f1:.3f}, {_loss(_tenths_of(of_chain)[0]) / max(_loss(of_chain), 1e-9):.0%}")
        rows.append(cells)
    return markdown(["corpus", "pages", *CHAINS], rows)


def second_chain(expected: Sequence[Expected]) -> str:
    """Returns the F1 if `best` is asked where the confidence in the text of `classic` is below a limit."""
    rows = []
    for corpus in dict.fromkeys(one.text.corpus for one in expected):
        pages: dict[str, dict[str, Expected]] = {}
        for one in expected:
            if one.text.corpus == corpus:
                pages.setdefault(one.text.page, {})[one.text.chain] = one
        both = [(page["classic"], page["best"]) for page in pages.values() if len(page) == len(CHAINS)]
        cells = [corpus, *(f"{_f1([pair[place].text.score for pair in both]):.3f}" for place in range(len(CHAINS)))]
        for limit in CONFIDENCES:
            asked = [classic.confidence < limit for classic, _ in both]
            chosen = [pair[is_asked].text.score for pair, is_asked in zip(both, asked, strict=True)]
            cells.append(f"{_f1(chosen):.3f}, {fmean(asked):.0%}")
        rows.append(cells)
    return markdown(["corpus", *CHAINS, *(f"below {limit}" for limit in CONFIDENCES)], rows)


def weights(model: ConfidenceModel, texts: Sequence[JudgedText]) -> str:
    """Returns how often the trees test each measure, and by how much the mean squared error of `texts` rises if its
    values are those of another text (Breiman, "Random forests", 2001, section 10)."""
    tested = Counter(FEATURES[one] for tree in model.trees for one in features_of(tree))
    rises = dict(_rises(model, texts))
    rows = [
        [f"`{name}`", MEANINGS[name], str(tested[name]), f"{rises[name]:.0%}"]
        for name in sorted(FEATURES, key=lambda name: (-rises[name], name))
    ]
    return markdown(["measure", "what it is", "tests", "error rises by"], rows)


def _rises(model: ConfidenceModel, texts: Sequence[JudgedText]) -> Iterator[tuple[str, float]]:
    rows, f1 = [list(text.row) for text in texts], [text.score.f1 for text in texts]
    own = _error(model, rows, f1)
    for place, name in enumerate(FEATURES):
        order = np.random.default_rng(SEED).permutation(len(rows)).tolist()
        mixed = [[*row[:place], rows[other][place], *row[place + 1 :]] for row, other in zip(rows, order, strict=True)]
        yield name, _error(model, mixed, f1) / own - 1


def _error(model: ConfidenceModel, rows: Sequence[Sequence[float]], f1: Sequence[float]) -> float:
    return fmean((model.expected_f1(row) - one) ** 2 for row, one in zip(rows, f1, strict=True))


def _groups(expected: Sequence[Expected]) -> dict[str, list[Expected]]:
    groups: dict[str, list[Expected]] = {}
    for one in expected:
        kind = "cross-validated" if one.is_learned_from else "never learned from"
        groups.setdefault(f"{one.text.chain}, {kind}", []).append(one)
    return groups


def _tenths_of(group: Sequence[Expected]) -> list[list[Expected]]:
    ordered = sorted(group, key=lambda one: (one.confidence, one.text.corpus, one.text.page))
    edges = [len(ordered) * number // TENTHS for number in range(TENTHS + 1)]
    return [ordered[begin:end] for begin, end in pairwise(edges)]


def _loss(group: Sequence[Expected]) -> float:
    return sum(1 - one.f1 for one in group)


def _f1(scores: Sequence[Score]) -> float:
    return summarise(scores).mean_f1


WEIGHTS: Final = Path(__file__).parents[2] / "newscrawl" / "extraction" / WEIGHTS_FILE


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), default=WEIGHTS, help="Weights file.")
@click.option("--markdown", "document", type=click.Path(path_type=Path), help="Write the tables into this document.")
@common.processes_option
@common.shared_option
def main(*, output: Path, document: Path | None, processes: int, shared: Path) -> None:
    try:
        require_scikit_learn()
        place = common.require_shared(shared) / "corpora"
        if document is not None:
            around_section(document, "confidence")
        learned = list(texts_to_learn(place, processes=processes))
        model = fit(learned)
        output.write_text(pack(model), encoding="ascii")
        expected = [*_cross_validated(learned), *_expected(model, list(texts_to_judge(place, processes=processes)))]
        report = tables(model, expected)
        write_or_print(document, "confidence", report, "train_confidence")
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error


def tables(model: ConfidenceModel, expected: Sequence[Expected]) -> str:
    """Returns all tables as Markdown."""
    unseen = [one.text for one in expected if not one.is_learned_from]
    parts = (
        "Confidence / F1 (difference), and share of the loss, in each tenth of the texts by confidence:",
        tenths(expected),
        "Confidence / F1, and share of the loss in the least confident tenth of each corpus:",
        corpora(expected),
        "Mean F1 of the pages, and share of pages on which `best` is asked, if it is asked below a limit:",
        second_chain(expected),
        "Tests of the trees, and rise of the mean squared error on the other corpora if a measure's values are mixed:",
        weights(model, unseen),
    )
    return "\n\n".join(parts)


def _cross_validated(texts: Sequence[JudgedText]) -> list[Expected]:
    """Returns the confidence in each text by a model that was learned without the texts of its fold."""
    expected: list[Expected] = []
    for fold in range(FOLDS):
        model = fit([text for text in texts if text.fold != fold])
        expected += _expected(model, [text for text in texts if text.fold == fold])
    return sorted(expected, key=lambda one: (one.text.corpus, one.text.page, one.text.chain))


def _expected(model: ConfidenceModel, texts: Sequence[JudgedText]) -> list[Expected]:
    return [Expected(text, model.expected_f1(text.row)) for text in texts]


if __name__ == "__main__":
    main()
