"""Judge pages in many languages, which the model of kinds did not learn from.

    python -m benchmarks.train_kinds.labelled
    python -m benchmarks.train_kinds.labelled --markdown FILE

The corpora trafilatura_eval and htmldate_eval were made for snippets and dates. They hold front pages, shops and forums
among their articles, so the kinds of their pages were labelled for this (`labels.txt`): a language model judged each
page once, by its address, title, first headings and the start of its text. Pages that are neither clearly articles nor
clearly of another kind have the label `unclear` and are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from benchmarks.support import common
from benchmarks.support.common import write_or_print
from benchmarks.train_kinds.pages import prepare
from benchmarks.train_kinds.study import STORED, Judged, interval, shipped
from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.bench.documents import around_section
from newscrawl.errors import NewscrawlError
from newscrawl.extraction.article.page_kinds.judge import ARTICLE
from newscrawl.extraction.article.verdict import ARTICLES

CORPORA: Final = ("trafilatura_eval", "htmldate_eval")
"""A page of both corpora has the same id in both."""
LABELS: Final = Path(__file__).with_name("labels.txt")
UNCLEAR: Final = "unclear"
SECTION: Final = "labelled"


def read_labels(text: str) -> dict[str, str]:
    """Returns the kinds of pages by id, from lines `ID KIND`. Lines that start with # are comments."""
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {line[0]: line[1] for line in lines}


def labelled(folder: Path, labels: Mapping[str, str]) -> list[tuple[str, GoldPage, str]]:
    """Returns the pages of the corpora in `folder` with a clear kind, each once, with the corpus and the kind."""
    pages = {page.id: (name, page) for name in CORPORA for page in read_corpus(folder / name).pages}
    kinds = {page: labels.get(page, ARTICLE) for page in pages}
    return [(*pages[page], kind) for page, kind in kinds.items() if kind != UNCLEAR]


def table(judged: Sequence[Judged]) -> str:
    """Returns the articles lost by language and the other pages not stored by kind, as Markdown."""
    articles = [one for one in judged if one.page.kind == ARTICLE]
    others = [one for one in judged if one.page.kind != ARTICLE]
    return "\n".join(
        (
            "| language | articles | lost | 95 % |",
            "|---|--:|--:|--:|",
            *_rows([(one.page.language or "?", one.verdict not in STORED) for one in articles]),
            "",
            "| kind | pages | not stored | 95 % |",
            "|---|--:|--:|--:|",
            *_rows([(one.page.kind, one.verdict not in ARTICLES) for one in others]),
        )
    )


def _rows(found: Sequence[tuple[str, bool]]) -> Iterator[str]:
    """Yields a line for each name with its pages and how many were found, then one for all."""
    number, hits = Counter(name for name, _ in found), Counter(name for name, hit in found if hit)
    for name in sorted(number):
        yield f"| {name} | {number[name]} | {hits[name]} | {interval(hits[name], number[name])} |"
    if found:
        yield f"| all | {len(found)} | {hits.total()} | {interval(hits.total(), len(found))} |"


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--markdown", "document", type=click.Path(path_type=Path), help="Write the tables into this document.")
@common.processes_option
@common.shared_option
def main(*, document: Path | None, processes: int, shared: Path) -> None:
    try:
        if document is not None:
            around_section(document, SECTION)
        wanted = labelled(common.require_shared(shared) / "corpora", read_labels(LABELS.read_text(encoding="utf-8")))
        pages = list(common.in_parallel(prepare, wanted, label="features", processes=processes))
        report = table(shipped(pages))
        write_or_print(document, SECTION, report, "train_kinds.labelled")
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
