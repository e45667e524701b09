"""Structure of texts beside the elements of their pages: kinds of paragraphs, links, cost, and stored size.

\b
    python -m benchmarks.structure                              # all corpora of ../shared, ten minutes on two cores
    python -m benchmarks.structure -c naeb --sample 60 --differences 10
    python -m benchmarks.structure --database postgresql:///scratch       # the size there, too; a new database
    python -m benchmarks.structure -c naeb --sample 20 --beside FOLDER    # Markdown of newscrawl and trafilatura

The kind of a paragraph is compared with the nearest element around its first run that says one, as a plain script reads
it from lxml's tree: h1 to h6, li (with dt and dd), or none. Cells, quotations, captions and preformatted text are not
counted. A link of the page counts if it has a word, stands in a kept paragraph and leads to an address of http, https
or mailto. The cost is that of the structure over that of the page from its bytes to its article, in CPU time. The size
is that of the stored structure over that of the text, in bytes of UTF-8, and as a database stores both.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin

import click
from sqlalchemy import insert, text
from w3lib.url import safe_url_string

from benchmarks.support import common
from benchmarks.support.common import Benchmark
from newscrawl.bench.corpora import GoldPage, named_corpora
from newscrawl.extraction.article.extracted import Extracted, extract
from newscrawl.extraction.article.from_page import article_or_failure
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.extraction.render import lines_of
from newscrawl.extraction.structure import structure_of
from newscrawl.model import PARAGRAPH_GAP, RawPage, Structure
from newscrawl.model.jsonable import to_text
from newscrawl.page.elements import CodeOfElements
from newscrawl.storage import migrations
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.tables.articles import articles

FETCHED_AT: Final = datetime(2026, 11, 1, tzinfo=UTC)
ROUNDS: Final = 3
"""The least time of so many counts."""
KINDS: Final = ("paragraphs", "items", "headings", "links")
HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
ITEMS: Final = frozenset({"li", "dt", "dd"})
OTHERS: Final = frozenset("td th blockquote figcaption caption pre".split())
STORED: Final = {
    "sqlite": "SELECT 1.0 * sum(length(CAST(structure AS BLOB))) / sum(length(CAST(text AS BLOB))) FROM articles",
    "postgresql": "SELECT 1.0 * sum(pg_column_size(structure)) / sum(pg_column_size(text)) FROM articles",
}


@dataclass(frozen=True, slots=True)
class Measured:
    """One page: by kind (links, too) what the page has, and what of it the structure has; seconds of CPU time."""

    wanted: Counter[str]
    same: Counter[str]
    seconds: float
    own_seconds: float
    text: str
    structure: Structure
    differences: Sequence[str]


@click.command(cls=Benchmark, help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-c", "--corpus", "corpora", multiple=True, help="Name of a corpus (default: all in --shared).")
@click.option("--differences", type=click.IntRange(min=0), default=0, help="Print so many differences of each corpus.")
@click.option("--database", help="Also store the texts in this new database, and measure the size there.")
@click.option("--beside", type=click.Path(path_type=Path, file_okay=False), help="Write Markdown to this folder.")
@common.corpus_options
def main(
    corpora: tuple[str, ...],
    differences: int,
    database: str | None,
    beside: Path | None,
    shared: Path,
    sample: int | None,
    processes: int,
    json_path: Path | None,
) -> None:
    figures: dict[str, Mapping[str, float]] = {}
    if database is not None:
        migrations.upgrade(database)
    for corpus in named_corpora(corpora, common.require_shared(shared) / "corpora", limit=sample):
        if beside is not None:
            write_markdown(corpus.pages, beside)
            continue
        pages = common.in_parallel(measured, corpus.pages, processes=processes, label=corpus.name)
        found = [page for page in pages if page is not None]
        figures[corpus.name] = _figures(found) | ({"stored": stored(database, found)} if database else {})
        told = "  ".join(f"{name} {value:.4g}" for name, value in figures[corpus.name].items())
        click.echo(f"{corpus.name:20} {told}")
        for line in [line for page in found for line in page.differences][:differences]:
            click.echo(f"    {line}")
    if json_path is not None:
        json_path.write_text(to_text(figures, indent=1), encoding="utf-8")


def _figures(pages: Sequence[Measured]) -> dict[str, float]:
    wanted, same = (sum((getattr(page, name) for page in pages), Counter[str]()) for name in ("wanted", "same"))
    sizes = [(len(to_text(page.structure.to_row()).encode()), len(page.text.encode())) for page in pages]
    return {
        "pages": len(pages),
        **{name: same[name] / wanted[name] if wanted[name] else 1.0 for name in KINDS},
        "cost": sum(page.own_seconds for page in pages) / max(1e-9, sum(page.seconds for page in pages)),
        "size": sum(own for own, _ in sizes) / max(1, sum(whole for _, whole in sizes)),
    }


def measured(gold: GoldPage) -> Measured | None:
    """Returns the figures of a page; None for one without a structure."""
    body, url = gold.body(), gold.url or "https://corpus.example/"
    extracted = extract(body, url, fetched_at=FETCHED_AT)
    page, structure = extracted.page, extracted.structure
    if structure is None:
        return None
    raw = RawPage(url, url, 200, {}, body, FETCHED_AT, "corpus.example")
    seconds = min(_seconds(partial(article_or_failure, raw, ArticleOptions())) for _ in range(ROUNDS))
    fresh = [extract(body, url, fetched_at=FETCHED_AT) for _ in range(ROUNDS)]
    own = min(_seconds(partial(structure_of, one.page, one.extraction)) for one in fresh if one.text)
    wanted, same, notes = Counter[str](), Counter[str](), list[str]()
    every = [node for node in page.tree.root.iter() if isinstance(node.tag, str)]
    nodes = dict(zip(page.tree.numbers(every), every, strict=True))
    paragraphs = lines_of(page, extracted.extraction.runs, PARAGRAPH_GAP)
    for code, runs in zip(structure.blocks.split(), paragraphs, strict=True):
        tag = _source(nodes[page.runs[runs[0]].element])
        if tag in OTHERS or code[0] in "tr." or code == "+":
            continue
        kind = "headings" if tag in HEADINGS else "items" if tag in ITEMS else "paragraphs"
        is_same = code == tag if kind == "headings" else code[0] in "uo+" if kind == "items" else code == "p"
        wanted[kind] += 1
        same[kind] += is_same
        if not is_same:
            notes.append(f"{gold.id} {tag or '-'} is {code}: {page.runs[runs[0]].text[:60]!r}")
    links = Counter(_links(extracted, nodes, paragraphs, url))
    lost = links - Counter(link.url for link in structure.links)
    wanted["links"], same["links"] = links.total(), links.total() - lost.total()
    notes += [f"{gold.id} link {address}" for address in lost]
    return Measured(wanted, same, seconds, own, extracted.text, structure, notes)


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _source(node: Any) -> str | None:
    """Returns the tag of the nearest element that says what a paragraph is."""
    around = (one.tag for one in (node, *node.iterancestors()))
    return next((tag for tag in around if tag in HEADINGS | ITEMS | OTHERS), None)


def _links(
    extracted: Extracted, nodes: Mapping[int, Any], paragraphs: Sequence[Sequence[int]], url: str
) -> Iterator[str]:
    """Yields the addresses of the links with words in kept paragraphs."""
    page, texts = extracted.page, extracted.text.split(PARAGRAPH_GAP)
    spans = [
        (code.first, code.end, " ".join(words.split()))
        for runs, words in zip(paragraphs, texts, strict=True)
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
            if re.search(r"\w", shown) and shown in spans[place][2] and address.startswith(("http", "mailto:")):
                yield address.partition("?")[0] if address.startswith("mailto:") else address


def stored(database: str, pages: Sequence[Measured]) -> float:
    """Returns the size of the structures over that of the texts, as the database stores them."""
    url = parse_url(database)
    own = {"content_hash": "", "extractor": "", "first_seen": FETCHED_AT}
    rows = [
        own | {"identity_key": f"{number}", "text": page.text, "structure": page.structure.to_row()}
        for number, page in enumerate(pages)
    ]
    with make_engine(url, pooled=False).begin() as connection:
        connection.execute(articles.delete())
        connection.execute(insert(articles), rows)
        return float(connection.execute(text(STORED[url.get_backend_name()])).scalar_one())


def write_markdown(pages: Sequence[GoldPage], folder: Path) -> None:
    """Writes the Markdown of each page by newscrawl and by trafilatura, to be read side by side."""
    import trafilatura  # `make peers`

    folder.mkdir(parents=True, exist_ok=True)
    options = {"output_format": "markdown", "include_links": True, "include_comments": False}
    for gold in pages:
        own = extract(gold.body(), gold.url, fetched_at=FETCHED_AT).markdown
        peer = trafilatura.extract(gold.body(), url=gold.url, **options) or ""
        for name, written in (("newscrawl", own), ("trafilatura", peer)):
            (folder / f"{gold.id[:60]}.{name}.md").write_text(written, encoding="utf-8", errors="replace")


if __name__ == "__main__":
    main()
