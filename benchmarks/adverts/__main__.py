"""Pages downloaded twice with different adverts: do both have one content hash?

    python -m benchmarks.adverts                         # 1,000 pages of the corpora
    python -m benchmarks.adverts --pages 200 --each      # ... and each kind of change by itself
    python -m benchmarks.adverts --show 5                # what differs on the worst pages

Each page is served twice (benchmarks/adverts/markup.py): other adverts and related links in the mark-up, other campaign
parameters on every link and on the page's own address. The goals: the same content hash on 99 % of the pages, and none
in common for two pages whose articles differ. Exit code 1 where one is missed.
"""

from __future__ import annotations

import difflib
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import click

from benchmarks.adverts.markup import downloaded, kinds
from benchmarks.support import common
from newscrawl.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.bench.documents import markdown
from newscrawl.identity import content_hash, url_key
from newscrawl.identity.resemblance import related
from newscrawl.identity.signature import shingles
from newscrawl.model import RawPage

CORPORA: Final = "naeb,misinfo_crawler,fundus_tests,magic_html_article,utomo_chaos,l3s_gn1,daniel,trafilatura_eval"
GOAL: Final = 0.99
NOW: Final = datetime(2026, 11, 21, tzinfo=UTC)
TRACKING: Final = ("?utm_source=front&utm_medium=teaser", "?fbclid=IwAR0x&utm_campaign=evening")
SAME_STORY: Final = 0.9
"""Resemblance of the golds from which two pages of a corpus hold one article, such as its print version."""


@dataclass(frozen=True, slots=True)
class Twice:
    """The result of two downloads of a page."""

    name: str
    corpus: str
    hashes: tuple[str | None, str | None]
    keys: tuple[str, str]
    texts: tuple[str, str]

    @property
    def same(self) -> bool:
        """Whether both have one content hash."""
        return self.hashes[0] is not None and self.hashes[0] == self.hashes[1]


def twice(page: tuple[str, GoldPage], chain: str, only: str | None = None) -> Twice:
    """Downloads the page twice and extracts both."""
    corpus, gold = page
    body, address = gold.body(), _address(gold)
    texts, hashes, keys = [], [], []
    for number, tracking in enumerate(TRACKING):
        url = address + (tracking if only is None and "?" not in address else "")
        served = downloaded(body, f"{corpus}/{gold.id}", number, only)
        raw = RawPage(url, url, 200, {"content-type": "text/html"}, served, NOW, corpus, None)
        done = fingerprint(make_article(raw, ArticleOptions(chain)))
        texts.append(done.article.text if done.article is not None else "")
        hashes.append(done.article.content_hash if done.article is not None else None)
        keys.append(url_key(url))
    return Twice(gold.id, corpus, (hashes[0], hashes[1]), (keys[0], keys[1]), (texts[0], texts[1]))


def _address(gold: GoldPage) -> str:
    if gold.url and gold.url.startswith(("http://", "https://")):
        return gold.url.partition("#")[0]
    return f"https://www.example.org/2026/11/21/{gold.id}.html"


def joined_wrongly(found: Iterable[Twice], golds: dict[tuple[str, str], str]) -> list[tuple[Twice, Twice]]:
    """Pairs of pages that share a content hash though their gold texts are different articles."""
    of_hash: dict[str, list[Twice]] = defaultdict(list)
    for one in found:
        for value in {value for value in one.hashes if value is not None}:
            of_hash[value].append(one)
    wrong = []
    for sharing in of_hash.values():
        first = sharing[0]
        text = golds[first.corpus, first.name]
        for other in sharing[1:]:
            theirs = golds[other.corpus, other.name]
            resembling = related(shingles(text), shingles(theirs))
            same = content_hash(text) == content_hash(theirs)
            if not same and (resembling is None or resembling.resemblance < SAME_STORY):
                wrong.append((first, other))
    return wrong


def difference(one: Twice, limit: int = 6) -> list[str]:
    """Lines that only one of the texts has."""
    lines = difflib.ndiff(*([line for line in text.splitlines() if line] for text in one.texts))
    return [line[:160] for line in lines if line[0] in "+-"][:limit]


def _pages(shared: Path, corpora: Sequence[str], count: int) -> list[tuple[str, GoldPage]]:
    """Returns `count` pages, taken from the corpora in turn."""
    lists = [
        [(name, page) for page in read_corpus(shared / "corpora" / name).sample(count).pages if page.text]
        for name in corpora
    ]
    turns = (pages[number] for number in range(max(map(len, lists))) for pages in lists if number < len(pages))
    return list(turns)[:count]


@click.command()
@common.shared_option
@click.option(
    "--corpora", default=CORPORA, show_default=True, help="Names of corpora with full texts, separated by commas."
)
@click.option("--pages", "count", type=click.IntRange(min=1), default=1_000, show_default=True)
@click.option("--chain", default="classic", show_default=True)
@click.option("--each", is_flag=True, help="Also measure each kind of change alone.")
@click.option("--show", type=int, default=0, help="Number of pages whose different lines are shown.")
@common.processes_option
@common.json_option
def main(
    shared: Path, corpora: str, count: int, chain: str, each: bool, show: int, processes: int, json_path: Path | None
) -> None:
    """Download pages twice and compare. Example: python -m benchmarks.adverts --pages 200 --each"""
    pages = _pages(common.require_shared(shared), corpora.split(","), count)
    golds = {(corpus, page.id): page.text for corpus, page in pages}
    figures: dict[str, tuple[int, int]] = {}
    for only in (None, *(kinds() if each else ())):
        label = only or "all changes"
        task = partial(twice, chain=chain, only=only)
        found = list(common.in_parallel(task, pages, label=label, processes=processes))
        figures[label] = (sum(one.same for one in found), len(found))
        if only is None:
            wrong = joined_wrongly(found, golds)
            _tell(found, wrong, show)
            good = figures[label][0] >= GOAL * len(found) and not wrong
    rows = [[label, f"{same:,}", f"{total:,}", f"{same / total:.4f}"] for label, (same, total) in figures.items()]
    click.echo(markdown(["downloads differ in", "same hash", "pages", "share"], rows))
    if json_path is not None:
        json_path.write_text(json.dumps(figures), encoding="utf-8")
    sys.exit(not good)


def _tell(found: Sequence[Twice], wrong: Sequence[tuple[Twice, Twice]], show: int) -> None:
    other = [one for one in found if not one.same]
    empty = sum(None in one.hashes for one in other)
    addresses = sum(one.keys[0] != one.keys[1] for one in found)
    click.echo(f"{len(other)} pages are not recognised ({empty} of them gave no text), {addresses} by their address")
    click.echo(", ".join(f"{corpus} {number}" for corpus, number in Counter(one.corpus for one in other).items()))
    click.echo(f"{len(wrong)} pairs of different articles share a hash")
    for first, second in wrong:
        click.echo(f"  {first.corpus}/{first.name} {second.corpus}/{second.name}: {first.texts[0][:100]!r}")
    for one in other[:show]:
        click.echo(f"\n{one.corpus}/{one.name}")
        click.echo("\n".join(difference(one)))


if __name__ == "__main__":
    main()
