"""F1 with and without the boilerplate of sites left out, by the number of pages of the site that were seen before.

Sites with eight pages or more are read in the order of their pages' ids. Each page is judged with the epoch learned
from the pages before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from time import process_time
from typing import Final

from newscrawl.bench.corpora import Corpus, GoldPage
from newscrawl.bench.measure import is_scored
from newscrawl.bench.parallel import in_parallel
from newscrawl.bench.scores import Score, score, shingles, summarise
from newscrawl.errors import UsageError
from newscrawl.extraction.article.from_page import unlinked_lines
from newscrawl.extraction.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.extraction.chain import Chain, resolve, run_chain
from newscrawl.extraction.metadata.read import MetadataReader
from newscrawl.extraction.per_site import leave_out_repeated
from newscrawl.extraction.site_boilerplate import NO_BOILERPLATE
from newscrawl.extraction.site_boilerplate.epoch import key_of
from newscrawl.extraction.site_boilerplate.learn import MIN_CHANGED, RECENT_TEXTS, RecentText, changed_share, learn
from newscrawl.model import RawPage
from newscrawl.model.identity import registrable_domain
from newscrawl.page import parse

MIN_PAGES: Final = 8
"""Pages of a site that is measured."""
NOW: Final = datetime(2026, 11, 24, tzinfo=UTC)
"""The time of the download. No text depends on it."""
CHAINS: Final = ("classic", "best")
SEEN: Final = ((0, 3), (4, 7), (8, 15), (16, 31), (32, 63), (64, None))
"""Numbers of pages of a site, for which F1 is shown apart."""


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


def memory_report(corpora: Sequence[Corpus], chains: Sequence[str], processes: int) -> str:
    """Returns the tables of all chains as Markdown. Raises UsageError if no site has enough pages."""
    sites = {corpus.name: list(sites_of(corpus.pages)) for corpus in corpora}
    if not any(sites.values()):
        raise UsageError(f"no site of these corpora has {MIN_PAGES} pages with a gold text: nothing to measure")
    return "\n\n".join(_of_chain(chain, sites, processes) for chain in chains)


def _of_chain(chain: str, sites: Mapping[str, Sequence[Sequence[GoldPage]]], processes: int) -> str:
    rows, everything = [], list[Judged]()
    for name, of_corpus in sites.items():
        judge = partial(_judged_site, chain)
        pages = [page for site in in_parallel(judge, of_corpus, label=name, processes=processes) for page in site]
        if not pages:
            continue
        everything += pages
        rows.append(_row(name, pages))
        languages = sorted({page.language for page in pages})
        if len(languages) > 1:
            rows += [_row(f"{name}, {tag}", [page for page in pages if page.language == tag]) for tag in languages]
        rows += [_row(f"{name}, {label}", part) for label, part in _by_seen(pages)]
    head = ("| pages | number | F1 | without the boilerplate | difference |", "|---|--:|--:|--:|--:|")
    return "\n".join([f"### `{chain}`", "", *head, *rows, "", _cost(everything)])


def _judged_site(chain: str, pages: Sequence[GoldPage]) -> list[Judged]:
    return list(judged(pages, resolve(chain), ArticleOptions(chain=chain)))


def _by_seen(pages: Sequence[Judged]) -> Iterator[tuple[str, list[Judged]]]:
    """Yields the pages by the number of pages of their site that were seen before."""
    for first, last in SEEN:
        part = [page for page in pages if first <= page.seen and (last is None or page.seen <= last)]
        if part:
            yield f"{first} to {last} pages seen" if last is not None else f"{first} pages seen and more", part


def _row(name: str, pages: Sequence[Judged]) -> str:
    before, after = (summarise(scores).f1 for scores in ([p.before for p in pages], [p.after for p in pages]))
    return f"| {name} | {len(pages)} | {before:.4f} | {after:.4f} | {after - before:+.4f} |"


def _cost(pages: Sequence[Judged]) -> str:
    """Returns what leaving boilerplate out costs, on the pages whose site has an epoch."""
    largest = f"The largest epoch has {max((page.epoch_bytes for page in pages), default=0):,} bytes."
    with_epoch = [page for page in pages if page.epoch_bytes]
    if not with_epoch:
        return largest
    share = sum(page.extra_seconds for page in with_epoch) / sum(page.seconds for page in with_epoch)
    return f"{largest} On {len(with_epoch)} pages with an epoch, it takes {share:.1%} of the rest of a page's CPU time."
