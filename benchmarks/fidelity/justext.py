"""How faithful our jusText is: the same kept paragraphs as the package `justext` on the same decoded text.

    python -m benchmarks.fidelity.justext             # naeb, l3s_gn1, misinfo_crawler
    python -m benchmarks.fidelity.justext --check     # exit code 1 when fewer than 99 % of pages agree

Both get the English stop list. Paragraphs are compared as a set of texts without white space, since the package joins
text nodes that we keep apart only by white space. A page whose title never ends, which we close, is given to the
package with its title closed: else it sees no page at all. From a page with words that nobody sees, which we do not
read, their elements are removed for the package: each would change how the paragraphs beside it are judged.
docs/explanation/justext.md explains the differences that remain.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import justext as package
from lxml import etree
from lxml.html import HtmlElement

from benchmarks.support import common
from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.bench.documents import markdown
from newscrawl.errors import NewscrawlError
from newscrawl.extraction.justext import kept_paragraphs
from newscrawl.page import parse
from newscrawl.page.decode import decode
from newscrawl.page.parse import TITLE_NOT_CLOSED
from newscrawl.page.styles import bits_of_style
from newscrawl.page.tags import TAGS

CORPORA: Final = ("naeb", "l3s_gn1", "misinfo_crawler")
FLOOR: Final = 0.99
"""Share of pages with the same kept paragraphs, on each of `CORPORA` (issue 2)."""

_XML_DECLARATION: Final = re.compile(r"^\s*<\?xml[^>]*\?>")
"""lxml refuses text with one and the package then guesses an encoding; it says nothing about the content."""
_TITLE: Final = re.compile(r"<title\b[^>]*>[^<]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Difference:
    """Paragraphs that only one of the two keeps on a page, white space removed."""

    page: str
    only_package: tuple[str, ...]
    only_ours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """A corpus's result; `differences` has the pages that are not the same."""

    pages: int
    differences: tuple[Difference, ...]

    @property
    def share(self) -> float:
        """Share of pages with the same kept paragraphs."""
        return 1 - len(self.differences) / self.pages if self.pages else 1.0


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-c", "--corpus", "corpora", multiple=True, default=CORPORA, show_default=True, help="Corpus to compare.")
@click.option("--check", is_flag=True, help="Exit with 1 if the floor is missed.")
@click.option("--show", default=0, show_default=True, help="Number of different pages whose paragraphs are shown.")
@common.corpus_options
def main(
    *,
    corpora: Sequence[str],
    check: bool,
    show: int,
    shared: Path,
    sample: int | None,
    processes: int,
    json_path: Path | None,
) -> None:
    try:
        found = {name: compare_corpus(shared, name, sample, processes) for name in corpora}
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error
    rows = [[name, str(a.pages), str(a.pages - len(a.differences)), f"{a.share:.1%}"] for name, a in found.items()]
    click.echo(markdown(["corpus", "pages", "same", "share"], rows))
    for name, agreement in found.items():
        for difference in agreement.differences[:show]:
            click.echo(described(name, difference))
    if json_path:
        figures = {name: {"pages": a.pages, "same": a.share} for name, a in found.items()}
        json_path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    missed = [name for name, agreement in found.items() if agreement.share < FLOOR] if check else []
    for name in missed:
        click.echo(
            f"{name}: jusText keeps the package's paragraphs on {found[name].share:.1%}, floor {FLOOR}", err=True
        )
    sys.exit(1 if missed else 0)


def compare_corpus(shared: Path, name: str, sample: int | None, processes: int) -> Agreement:
    """Both on every page of a corpus."""
    pages = read_corpus(common.require_shared(shared) / "corpora" / name, limit=sample).pages
    found = common.in_parallel(compare_page, pages, label=f"{name}: jusText", processes=processes)
    return Agreement(len(pages), tuple(difference for difference in found if difference is not None))


def compare_page(gold: GoldPage) -> Difference | None:
    """Returns the paragraphs that only one of the two keeps; None if they are equal."""
    text = _XML_DECLARATION.sub("", decode(gold.body()).data.decode("utf-8"))
    return compare_text(gold.id, text)


def compare_text(page: str, text: str) -> Difference | None:
    """The same for a decoded page."""
    parsed = parse(text)
    if TITLE_NOT_CLOSED in parsed.problems:
        text = _TITLE.sub(r"\g<0></title>", text, count=1)
    ours = {_squeezed(paragraph.text) for paragraph in kept_paragraphs(parsed, "en")}
    theirs = _package_paragraphs(text, _without_unseen if parsed.unseen else package.core.preprocessor)
    if ours == theirs:
        return None
    return Difference(page, tuple(sorted(theirs - ours)), tuple(sorted(ours - theirs)))


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


def described(corpus: str, difference: Difference) -> str:
    """A page's differences for people, paragraphs cut short."""
    lines = [f"{corpus}/{difference.page}"]
    lines += [f"  package only: {paragraph[:100]}" for paragraph in difference.only_package]
    lines += [f"  ours only:    {paragraph[:100]}" for paragraph in difference.only_ours]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
