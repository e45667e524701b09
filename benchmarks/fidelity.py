"""How faithful our algorithms are: Boilerpipe to the original's texts, jusText to its package.

    python -m benchmarks.fidelity                # a table of both; `benchmarks.check` compares with the floors
    python -m benchmarks.fidelity --worst 5      # and the pages that differ most, with jusText's paragraphs

Boilerpipe: mean over pages of the F1 of four-token shingles between our text and the one of the original Java
Boilerpipe (1 where both are empty), pages read as UTF-8 as the original read them. It is not 1 where the original's
HTML parser (NekoHTML) builds another tree than libxml2.

jusText: the share of pages of which both keep the same paragraphs of the same decoded text, with the English stop list.
Paragraphs are compared as a set of texts without white space, since the package joins text nodes that we keep apart
only by white space. A page whose title never ends, which we close, is given to the package with its title closed: else
it sees no page at all. From a page with words that nobody sees, which we do not read, their elements are removed for
the package: each would change how the paragraphs beside it are judged. docs/explanation/justext.md explains the
differences that remain.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

import click
import justext as package
from lxml import etree
from lxml.html import HtmlElement

from benchmarks.support import common
from benchmarks.support.common import Benchmark
from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.bench.documents import markdown
from newscrawl.bench.scores import Bag, shingles
from newscrawl.errors import CorpusError
from newscrawl.extraction.boilerpipe.recipes import select
from newscrawl.extraction.justext import kept_paragraphs
from newscrawl.extraction.render import render
from newscrawl.page import parse
from newscrawl.page.decode import decode
from newscrawl.page.parse import TITLE_NOT_CLOSED
from newscrawl.page.styles import bits_of_style
from newscrawl.page.tags import TAGS

RECIPES: Final = {
    "article": "boilerpipe-article",
    "default": "boilerpipe-default",
    "article_sentences": "boilerpipe-article-sentences",
    "largest_content": "boilerpipe-largest",
    "canola": "boilerpipe-canola",
    "num_words_rules": "boilerpipe-num-words",
}
"""The oracle's names of the recipes, and ours."""
CORPORA: Final = ("naeb", "l3s_gn1", "misinfo_crawler")
FLOOR: Final = 0.97
FLOOR_RECIPES: Final = ("boilerpipe-article", "boilerpipe-default")
JUSTEXT_FLOOR: Final = 0.99
"""What must be faithful on each of `CORPORA`: the mean F1 of these recipes, and jusText's share of pages (issue 2)."""

_XML_DECLARATION: Final = re.compile(r"^\s*<\?xml[^>]*\?>")
"""lxml refuses text with one and the package then guesses an encoding; it says nothing about the content."""
_TITLE: Final = re.compile(r"<title\b[^>]*>[^<]*", re.IGNORECASE)

Case = tuple[GoldPage, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Fidelity:
    """A recipe of ours on a corpus: the mean F1 to the original's texts, and each page's with its id, worst first."""

    mean: float
    pages: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """Paragraphs that only one of the two keeps on a page, white space removed."""

    page: str
    only_package: tuple[str, ...]
    only_ours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """jusText on a corpus; `differences` has the pages that are not the same."""

    pages: int
    differences: tuple[Difference, ...]

    @property
    def share(self) -> float:
        """Share of pages with the same kept paragraphs."""
        return 1 - len(self.differences) / self.pages if self.pages else 1.0


@click.command(cls=Benchmark, help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--worst", default=0, show_default=True, help="Number of the worst pages of each row to list.")
@common.shared_option
@common.sample_option
@common.processes_option
def main(*, worst: int, shared: Path, sample: int | None, processes: int) -> None:
    shared = common.require_shared(shared)
    rows, listed = [], list[str]()
    for corpus in CORPORA:
        for recipe, found in compare_boilerpipe(shared, corpus, sample, processes).items():
            same = fmean(value == 1 for value, _ in found.pages)
            rows.append([corpus, f"`{recipe}`", f"{found.mean:.4f}", f"{same:.1%}"])
            listed += [f"{value:.3f} {corpus}/{page} {recipe}" for value, page in found.pages[:worst] if value < 1]
        agreement = compare_justext(shared, corpus, sample, processes)
        rows.append([corpus, "`justext`", "", f"{agreement.share:.1%}"])
        for difference in agreement.differences[:worst]:
            listed.append(f"{corpus}/{difference.page} justext")
            listed += [f"  package only: {paragraph[:100]}" for paragraph in difference.only_package]
            listed += [f"  ours only:    {paragraph[:100]}" for paragraph in difference.only_ours]
    click.echo(markdown(["corpus", "algorithm", "mean F1 to the original", "pages that are the same"], rows))
    click.echo("\n".join(listed))


def compare_boilerpipe(shared: Path, name: str, sample: int | None, processes: int) -> dict[str, Fidelity]:
    """Compares every recipe of ours with the original's on one corpus."""
    path = shared / "oracle" / f"{name}.jsonl.xz"
    if not path.is_file():
        raise CorpusError(f"no oracle at {path}")
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        oracle = {row.pop("id"): {recipe: text or "" for recipe, text in row.items()} for row in map(json.loads, lines)}
    corpus = read_corpus(shared / "corpora" / name, limit=sample)
    cases = [(page, oracle[page.id]) for page in corpus.pages if page.id in oracle]
    rows = list(common.in_parallel(_compare_recipes, cases, label=f"{name}: Boilerpipe", processes=processes))
    found = {}
    for recipe in RECIPES.values():
        values = sorted((row[recipe], page.id) for row, (page, _) in zip(rows, cases, strict=True))
        found[recipe] = Fidelity(fmean(value for value, _ in values) if values else 0.0, tuple(values))
    return found


def _compare_recipes(case: Case) -> dict[str, float]:
    """Similarity of each recipe's text to the original's on one page."""
    gold, texts = case
    page = parse(gold.body(), encoding="utf-8")
    return {
        recipe: similarity(shingles(render(page, select(page, recipe))), shingles(texts[name]))
        for name, recipe in RECIPES.items()
    }


def similarity(one: Bag, other: Bag) -> float:
    """Returns F1 of two texts; 1 if both are empty."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def compare_justext(shared: Path, name: str, sample: int | None, processes: int) -> Agreement:
    """Ours and the package on every page of a corpus."""
    pages = read_corpus(shared / "corpora" / name, limit=sample).pages
    found = common.in_parallel(_compare_paragraphs, pages, label=f"{name}: jusText", processes=processes)
    return Agreement(len(pages), tuple(difference for difference in found if difference is not None))


def _compare_paragraphs(gold: GoldPage) -> Difference | None:
    """Returns the paragraphs that only one of the two keeps; None if they are equal."""
    text = _XML_DECLARATION.sub("", decode(gold.body()).data.decode("utf-8"))
    parsed = parse(text)
    if TITLE_NOT_CLOSED in parsed.problems:
        text = _TITLE.sub(r"\g<0></title>", text, count=1)
    ours = {_squeezed(paragraph.text) for paragraph in kept_paragraphs(parsed, "en")}
    theirs = _package_paragraphs(text, _without_unseen if parsed.unseen else package.core.preprocessor)
    return None if ours == theirs else Difference(gold.id, tuple(sorted(theirs - ours)), tuple(sorted(ours - theirs)))


def _without_unseen(dom: HtmlElement) -> HtmlElement:
    """Returns the package's tree without the elements whose own style hides their words for good (`page.walk`)."""
    for element in list(dom.iter(etree.Element)):
        style, step = element.get("style") or "", TAGS.get(element.tag)
        added, _, is_hidden = bits_of_style(style)
        is_nameless = (
            element.get("id") is None and element.get("class") is None and step is not None and not step.splits
        )
        if element.tag != "body" and (added or (is_nameless and (is_hidden or element.get("hidden") is not None))):
            element.drop_tree()
    return package.core.preprocessor(dom)


def _package_paragraphs(text: str, preprocessor: Callable[[HtmlElement], HtmlElement]) -> set[str]:
    if not text.strip():
        return set()  # the package raises on a page without an element
    found = package.justext(text, package.get_stoplist("English"), preprocessor=preprocessor)
    return {_squeezed(paragraph.text) for paragraph in found if not paragraph.is_boilerplate} - {""}


def _squeezed(text: str) -> str:
    return "".join(text.split())


if __name__ == "__main__":
    main()
