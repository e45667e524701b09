"""Train the model of confidence again, and show how far it is right on sites that it has not seen.

    python -m benchmarks.train_confidence                  # writes the weights, prints the tables
    python -m benchmarks.train_confidence --markdown FILE

Run it after `python -m benchmarks.train`. Needs scikit-learn (`make peers`). The same corpora and version of
scikit-learn give the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from benchmarks.support import common
from benchmarks.support.common import write_or_print
from benchmarks.support.learning import require_scikit_learn
from benchmarks.train_confidence.fit import fit
from benchmarks.train_confidence.pages import FOLDS, JudgedText, texts_to_judge, texts_to_learn
from benchmarks.train_confidence.table import Expected, corpora, second_chain, tenths, weights
from newscrawl.bench.documents import around_section
from newscrawl.errors import NewscrawlError
from newscrawl.extraction.confidence.model import WEIGHTS_FILE, ConfidenceModel, pack

WEIGHTS: Final = Path(__file__).parents[2] / "newscrawl" / "extraction" / "confidence" / WEIGHTS_FILE


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
