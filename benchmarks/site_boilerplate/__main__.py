"""`python -m benchmarks.site_boilerplate CORPUS ...`: F1 with and without the boilerplate of sites left out.

Sites with eight pages or more are read in the order of their pages' ids. Each page is judged with the epoch learned
from the pages before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import process_time
from typing import Final

import click

from newscrawl.article import ArticleOptions, fingerprint, make_article
from newscrawl.article.page_lines import unlinked_lines
from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.bench.quality.measure import is_scored
from newscrawl.bench.scoring.scores import Score, score, shingles, summarise
from newscrawl.extraction import Chain, resolve, run_chain
from newscrawl.extraction.per_site.repeated import leave_out_repeated
from newscrawl.identity import registrable_domain
from newscrawl.metadata import MetadataReader
from newscrawl.model import RawPage
from newscrawl.page import parse
from newscrawl.site_boilerplate import NO_BOILERPLATE
from newscrawl.site_boilerplate.learn import MIN_CHANGED, RECENT_TEXTS, RecentText, changed_share, learn
from newscrawl.site_boilerplate.lines import key_of

MIN_PAGES: Final = 8
"""Pages of a site that is measured."""
NOW: Final = datetime(2026, 11, 24, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Judged:
    """A page with the pages of its site before it, and its score without and with the epoch of its site."""

    seen: int
    language: str
    before: Score
    after: Score
    epoch_bytes: int
    seconds: float
    """CPU time of the whole page without boilerplate, as a worker processes it; 0 without an epoch."""
    extra_seconds: float
    """CPU time of leaving the boilerplate out."""


def sites_of(pages: Sequence[GoldPage]) -> Iterator[list[GoldPage]]:
    """Yields the pages of each site with enough of them, in the order of their ids."""
    sites: dict[str, list[GoldPage]] = defaultdict(list)
    for page in filter(is_scored, pages):
        if page.domain:
            sites[registrable_domain(page.domain) or page.domain].append(page)
    for of_site in sites.values():
        if len(of_site) >= MIN_PAGES:
            yield sorted(of_site, key=lambda page: page.id)


def page_seconds(gold: GoldPage, body: bytes, options: ArticleOptions) -> float:
    """Returns the CPU time in which a worker makes the article of a page."""
    url = gold.url or "https://harbour.example/"
    raw = RawPage(url, url, 200, {"content-type": "text/html"}, body, NOW, gold.domain or "harbour")
    begun = process_time()
    fingerprint(make_article(raw, options))
    return process_time() - begun


def judged(of_site: Sequence[GoldPage], chain: Chain, options: ArticleOptions) -> Iterator[Judged]:
    """Yields the pages of one site, each judged with what the pages before it taught."""
    epoch, texts = NO_BOILERPLATE, list[RecentText]()
    for number, gold in enumerate(of_site):
        body = gold.body()
        seconds = page_seconds(gold, body, options) if epoch else 0.0
        page = parse(body, url=gold.url)
        found = run_chain(page, chain)
        extracted = process_time()
        left = leave_out_repeated(page, chain, found, epoch) if epoch else found
        extra = process_time() - extracted
        wanted = shingles(gold.text)
        scores = score(wanted, shingles(found.text)), score(wanted, shingles(left.text))
        yield Judged(number, gold.language or "?", *scores, len(epoch.lines), seconds, extra)
        selected = [line for line in found.text.split("\n") if line.strip()]
        lines = "\n".join(dict.fromkeys([*unlinked_lines(page), *selected]))
        title = MetadataReader(page, fetched_at=NOW).title
        texts.append(RecentText.of(number, lines, map(key_of, selected), title))
        del texts[:-RECENT_TEXTS]
        new = learn(texts, epoch)
        if changed_share(texts, epoch, new) >= MIN_CHANGED:
            epoch = new


def row(name: str, pages: Sequence[Judged]) -> str:
    """Returns a row of the table."""
    before, after = (summarise(scores).f1 for scores in ([p.before for p in pages], [p.after for p in pages]))
    return f"| {name} | {len(pages)} | {before:.4f} | {after:.4f} | {after - before:+.4f} |"


@click.command()
@click.argument("corpora", nargs=-1, required=True)
@click.option("--corpora", "folder", type=click.Path(path_type=Path), default=Path("../shared/corpora"))
@click.option("--chain", default="classic", show_default=True)
def main(corpora: Sequence[str], folder: Path, chain: str) -> None:
    """Print F1 by corpus, by language and by the number of pages seen before; and the CPU time."""
    resolved, options = resolve(chain), ArticleOptions(chain=chain)
    click.echo("| pages | number | without | with | difference |\n|---|---|---|---|---|")
    for name in corpora:
        pages = [
            page for site in sites_of(read_corpus(folder / name).pages) for page in judged(site, resolved, options)
        ]
        if not pages:
            continue
        click.echo(row(f"{name}, {chain}", pages))
        for language in sorted({page.language for page in pages}):
            click.echo(row(f"{name}, {language}", [page for page in pages if page.language == language]))
        for first, last in ((0, 3), (4, 7), (8, 15), (16, 31), (32, 63), (64, 10_000)):
            if part := [page for page in pages if first <= page.seen <= last]:
                click.echo(row(f"{name}, {first} to {last} pages seen", part))
        with_epoch = [page for page in pages if page.epoch_bytes]
        seconds = sum(page.seconds for page in with_epoch)
        extra = sum(page.extra_seconds for page in with_epoch)
        click.echo(f"largest epoch: {max(page.epoch_bytes for page in pages):,} bytes", err=True)
        if with_epoch:
            took = f"{extra:.2f} s of CPU beside {seconds:.2f} s for the rest, {extra / seconds:.1%}"
            click.echo(f"{len(with_epoch)} pages with an epoch: {took}", err=True)


if __name__ == "__main__":
    main()
