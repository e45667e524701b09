"""Structure of texts beside the elements of their pages: kinds of paragraphs, links, cost, and stored size.

\b
    python -m benchmarks.structure                         # all corpora of ../shared, about ten minutes on two cores
    python -m benchmarks.structure -c naeb --sample 60
    python -m benchmarks.structure -c naeb --database postgresql://localhost/scratch   # the size there; a new database

The kind of a paragraph is compared with that of the nearest element around its first run, as a plain script reads it

of them and is not counted. A link of the page counts if its words are in a kept run and its address is one of http,
https or mailto. The cost is that of the structure over that of the whole page from its bytes to its article. The size
is that of the column over that of the text: in characters of UTF-8, and in bytes as a database stores them.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin

import click
from w3lib.url import safe_url_string

from benchmarks.support import common
from benchmarks.support.common import Benchmark
from newscrawl.bench.corpora import GoldPage, find_corpora, read_corpus
from newscrawl.extraction.article.extracted import Extracted, extract
from newscrawl.extraction.article.from_page import article_or_failure
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.extraction.render import lines_of
from newscrawl.extraction.structure import structure_of
from newscrawl.model import PARAGRAPH_GAP, RawPage
from newscrawl.model.jsonable import to_text
from newscrawl.page.elements import CodeOfElements

FETCHED_AT: Final = datetime(2026, 11, 1, tzinfo=UTC)
ROUNDS: Final = 3
"""The least of so many times counts."""
OTHERS: Final = frozenset("td th blockquote figcaption caption pre".split())
HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
ITEMS: Final = frozenset("li dt dd".split())
NEWS: Final = ("naeb", "misinfo_crawler", "fundus_tests", "magic_html_article", "l3s_gn1", "daniel", "xmu_zh_news")
"""The corpora over whose mean the size is to be at most a fifth."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One page: paragraphs by the kind of their source element and, of these, those of the same kind; the page's links
    in kept paragraphs and, of these, the kept ones; seconds of CPU time; characters of structure and text in UTF-8."""

    kinds: Counter[str]
    same: Counter[str]
    links: int
    kept: int
    seconds: float
    structure_seconds: float
    structure_size: int
    text_size: int
    differences: tuple[str, ...] = ()


@click.command(cls=Benchmark, help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-c", "--corpus", "corpora", multiple=True, help="Name of a corpus (default: all in --shared).")
@click.option("--differences", type=int, default=0, help="Print so many differences of each corpus.")
@common.corpus_options
def main(
    corpora: tuple[str, ...], differences: int, shared: Path, sample: int | None, processes: int, json_path: Path | None
) -> None:
    folder = common.require_shared(shared) / "corpora"
    figures: dict[str, Mapping[str, float]] = {}
    for path in find_corpora(folder):
        corpus = read_corpus(path, limit=sample) if not corpora or path.name.partition(".")[0] in corpora else None
        if corpus is None:
            continue
        pages = common.in_parallel(partial(measured), corpus.pages, processes=processes, label=corpus.name)
        found = [page for page in pages if page is not None]
        figures[corpus.name] = _figures(found)
        click.echo(
            f"{corpus.name:20} " + "  ".join(f"{name} {value:.4g}" for name, value in figures[corpus.name].items())
        )
        for line in [line for page in found for line in page.differences][:differences]:
            click.echo(f"    {line}")
    if json_path is not None:
        json_path.write_text(to_text(figures, indent=1), encoding="utf-8")


def _figures(pages: list[Measured]) -> dict[str, float]:
    kinds, same = sum((page.kinds for page in pages), Counter()), sum((page.same for page in pages), Counter())
    whole = sum(page.seconds for page in pages)
    return {
        "pages": len(pages),
        **{name: same[name] / kinds[name] if kinds[name] else 1.0 for name in ("paragraphs", "items", "headings")},
        "links": sum(page.kept for page in pages) / max(1, sum(page.links for page in pages)),
        "cost": sum(page.structure_seconds for page in pages) / whole if whole else 0.0,
        "size": sum(page.structure_size for page in pages) / max(1, sum(page.text_size for page in pages)),
    }


def measured(gold: GoldPage) -> Measured | None:
    """Returns the figures of a page; None for one without a text of its own."""
    body, url = gold.body(), gold.url or "https://corpus.example/"
    extracted = extract(body, url, fetched_at=FETCHED_AT)
    structure = structure_of(extracted.page, extracted.extraction)
    if structure is None or not extracted.text:
        return None
    raw = RawPage(url, url, 200, {}, body, FETCHED_AT, "corpus.example")
    seconds = min(_seconds(lambda: article_or_failure(raw, ArticleOptions())) for _ in range(ROUNDS))
    own = []
    for _ in range(ROUNDS):
        fresh = extract(body, url, fetched_at=FETCHED_AT)
        _ = fresh.extraction
        own.append(_seconds(partial(structure_of, fresh.page, fresh.extraction)))
    kinds, same, notes = Counter[str](), Counter[str](), list[str]()
    codes = structure.blocks.split()
    nodes = _nodes(extracted)
    for code, runs, text in zip(
        codes, lines_of(extracted.page, extracted.extraction.runs, PARAGRAPH_GAP), extracted.text.split(PARAGRAPH_GAP)
    ):
        tag = _source(nodes[extracted.page.runs[runs[0]].element])
        if tag in OTHERS:
            continue
        kind = "headings" if tag in HEADINGS else "items" if tag in ITEMS else "paragraphs"
        kinds[kind] += 1
        is_same = code == tag if tag in HEADINGS else code[0] in "uo+" and code != "+" if tag in ITEMS else code == "p"
        same[kind] += is_same
        if not is_same:
            notes.append(f"{gold.id} {tag or '-'} is {code}: {text[:60]!r}")
    wanted = Counter(_links(extracted, nodes, url))
    missing = wanted - Counter(link.url for link in structure.links)
    notes += [f"{gold.id} link {address}" for address in missing]
    stored = to_text(structure.to_row())
    return Measured(
        kinds,
        same,
        wanted.total(),
        wanted.total() - missing.total(),
        seconds,
        min(own),
        len(stored.encode()),
        len(extracted.text.encode()),
        tuple(notes),
    )


def _seconds(work: Any) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _nodes(extracted: Extracted) -> dict[int, Any]:
    """Returns lxml's elements by their numbers."""
    every = [node for node in extracted.page.tree.root.iter() if isinstance(node.tag, str)]
    return dict(zip(extracted.page.tree.numbers(every), every, strict=True))


def _source(node: Any) -> str | None:
    """Returns the tag of the nearest element that says what a paragraph is."""
    around = (one.tag for one in (node, *node.iterancestors()))
    return next((tag for tag in around if tag in HEADINGS | ITEMS | OTHERS), None)


def _links(extracted: Extracted, nodes: Mapping[int, Any], url: str) -> Iterator[str]:
    """Yields the addresses of the links with words in kept paragraphs."""
    page = extracted.page
    paragraphs = lines_of(page, extracted.extraction.runs, PARAGRAPH_GAP)
    words = [" ".join(text.split()) for text in extracted.text.split(PARAGRAPH_GAP)]
    spans = [
        (code.first, code.end, text)
        for runs, text in zip(paragraphs, words, strict=True)
        for run in runs
        if isinstance(code := page.runs[run].counted_code, CodeOfElements)
    ]
    firsts = [first for first, _, _ in spans]
    for number, node in nodes.items():
        place = bisect_right(firsts, number) - 1
        if node.tag != "a" or not node.get("href") or place < 0 or number >= spans[place][1]:
            continue
        shown = " ".join("".join(node.itertext()).split())
        with suppress(ValueError):
            address = safe_url_string(urljoin(urljoin(url, page.head.base or ""), node.get("href").strip()))
            if (
                re.search(r"\w", shown)
                and shown in spans[place][2]
                and address.startswith(("http:", "https:", "mailto:"))
            ):
                yield address.partition("?")[0] if address.startswith("mailto:") else address


if __name__ == "__main__":
    main()
