"""`newscrawl add-site` against thirty local replicas of publishing systems' habits, and against sites made of corpora.

    python -m benchmarks.onboarding
    python -m benchmarks.onboarding --corpus CORPORA/naeb --corpus CORPORA/fundus_tests

Of every replica: whether a source it has was found (of those without any: sections), whether the sampled titles are
right, how many of its articles the learned rule accepts, and how many other addresses.
"""

from __future__ import annotations

import asyncio
import difflib
import json
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click
from replica_habits import HABITS
from replicas import Replica, ReplicaArticle, Replicas, alternate, rss, sitemap
from rich.console import Console
from rich.table import Table

from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.crawling.runtime.site_client import SiteClient
from newscrawl.crawling.spider.sources.site_reader import SiteReader
from newscrawl.discovery.links.article_urls import ArticleRule, is_home
from newscrawl.discovery.links.resolve import key_of
from newscrawl.discovery.onboarding.survey import OnboardingError, SiteProposal, survey, visit
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.model.identity import clean_url
from newscrawl.testing.politeness import doubled
from newscrawl.workers.extraction_pool import ExtractionPool

MIN_PAGES: Final = 3
SAME: Final = 0.9
"""Likeness (difflib) of titles, letters and digits only, from which they are the same: corpora differ in quotes."""


def corpus_sites(server: Replicas, folder: Path, most: int) -> list[Replica]:
    """At most `most` sites of a corpus, those with the most pages first."""
    groups: defaultdict[str, dict[str, GoldPage]] = defaultdict(dict)
    for page in read_corpus(folder).pages:
        key = key_of(page.url) if page.url else None
        if page.url and page.domain and page.title and key and not is_home(page.url):
            groups[page.domain].setdefault(key, page)
    large = sorted((group for group in groups.items() if len(group[1]) >= MIN_PAGES), key=lambda g: (-len(g[1]), g[0]))
    return [_site(server, number, domain, list(pages.values())) for number, (domain, pages) in enumerate(large[:most])]


def _site(server: Replicas, number: int, domain: str, pages: list[GoldPage]) -> Replica:
    name = f"{re.sub('[^a-z0-9]+', '', domain.lower())}c{number}"
    site = server.site(name, language=pages[0].language or "en", layout=0, stories=0)
    links: list[tuple[str, ReplicaArticle]] = []
    for position, page in enumerate(pages):
        parts = urlsplit(clean_url(page.url or ""))  # as the crawler will ask for it
        url = site.put(f"{parts.path}?{parts.query}" if parts.query else parts.path, page.body(), "text/html")
        site.titles[url] = page.title or ""
        links.append((url, ReplicaArticle(position, page.id, ("",), server.now)))
    feed = rss(site, links)
    way = number % 4
    if way == 0:
        site.source("/feed/", feed)
    elif way == 1:
        url = site.source("/maps/news.xml", sitemap(links, news=site.language))
        site.robots(f"Sitemap: {url}")
    elif way == 2:
        site.source("/rss.xml", feed)
    cards = [(url, ReplicaArticle(0, site.titles[url], ("",), server.now)) for url, _ in links]
    site.front(cards, head=alternate("/feed/") if way == 0 else "", nav=["/politics/", "/sport/", "/author/ana-paz/"])
    return site


def same_title(found: str | None, gold: str) -> bool:
    """Returns whether a title is the gold one, except for quotes, dashes and capitals."""
    one, other = (re.sub(r"\W+", "", text or "").casefold() for text in (found, gold))
    return one == other or difflib.SequenceMatcher(None, one, other, autojunk=False).ratio() >= SAME


AT_ONCE: Final = 8
OTHERS: Final = ("/", "/about-us/", "/terms-and-conditions-of-use/", "/login", "/search?q=x", "/newsletter")
"""Addresses that every replica links and that are no articles."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one site."""

    name: str
    habit: str
    found: bool
    samples: int
    articles: int
    right_titles: int
    accepted: int
    shapes: int
    """Articles the site has."""
    others: int
    """Other addresses the site links."""
    refused: tuple[str, ...]
    """Articles that the rule refuses."""
    wrongly_accepted: tuple[str, ...]
    declared: tuple[str, ...]
    wrong_titles: tuple[str, ...]
    language: str | None
    problem: str = ""

    @property
    def titles_right(self) -> bool:
        """Every sample is an article with the right title."""
        return 0 < self.samples == self.right_titles


def judged(site: Replica, habit: str, proposal: SiteProposal) -> Result:
    """Compares a proposal with what the local site has."""
    declared = (*proposal.site.feeds, *proposal.site.sitemaps)
    has = {key_of(url) for url in site.sources}
    found = any(key_of(url) in has for url in declared) if has else bool(proposal.site.sections)
    titles = {key_of(url): title for url, title in site.titles.items()}
    read = [
        (one.article.metadata.title if one.article else None, titles.get(key_of(one.candidate.url), ""))
        for one in proposal.samples
    ]
    wrong = tuple(f"title {title!r} instead of {gold!r}" for title, gold in read if not same_title(title, gold))
    rule = ArticleRule.of(proposal.site.articles)
    others = [site.origin + path for path in (*OTHERS, *dict.fromkeys(site.others))]
    return Result(
        site.name,
        habit,
        found,
        len(proposal.samples),
        len(proposal.articles),
        len(read) - len(wrong),
        sum(rule.accepts(url) for url in site.titles),
        len(site.titles),
        len(others),
        tuple(url for url in site.titles if not rule.accepts(url)),
        tuple(url for url in others if rule.accepts(url)),
        (*declared, *proposal.site.sections),
        wrong,
        proposal.site.language,
    )


async def survey_all(visitor: SiteClient, pool: ExtractionPool, sites: Sequence[tuple[Replica, str]]) -> list[Result]:
    """Runs add-site for every site, several at once. Each site has a host of its own."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(site: Replica, habit: str) -> Result:
        async with turns:
            try:
                proposal = await survey(
                    visitor, SiteReader(pool), site.home, options=ArticleOptions(), now=datetime.now(UTC)
                )
            except OnboardingError as error:
                return Result(
                    site.name, habit, False, 0, 0, 0, 0, len(site.titles), 0, (), (), (), (), None, str(error)
                )
            return judged(site, habit, proposal)

    return list(await asyncio.gather(*(one(site, habit) for site, habit in sites)))


def show(results: Sequence[Result]) -> None:
    """A table and the totals."""
    table = Table("site", "habit", "source", "samples", "titles right", "rule", "others", "language", box=None)
    for result in results:
        table.add_row(
            result.name,
            result.habit,
            "yes" if result.found else "NO",
            str(result.samples),
            str(result.right_titles) if result.titles_right else f"{result.right_titles} !",
            f"{result.accepted}/{result.shapes}",
            str(len(result.wrongly_accepted) or ""),
            result.language or "",
        )
    Console(width=120, highlight=False).print(table)
    for result in results:
        for problem in (
            result.problem,
            *result.wrong_titles,
            *(f"refuses {u}" for u in result.refused),
            *(f"accepts {url}" for url in result.wrongly_accepted),
        ):
            if problem:
                click.echo(f"{result.name}: {problem}")
    click.echo(
        f"{len(results)} sites: sources found on {sum(r.found for r in results)}, all titles right on "
        f"{sum(r.titles_right for r in results)}; {sum(r.right_titles for r in results)} of "
        f"{sum(r.samples for r in results)} sampled titles right; rules accept {sum(r.accepted for r in results)} of "
        f"{sum(r.shapes for r in results)} articles and {sum(len(r.wrongly_accepted) for r in results)} of "
        f"{sum(r.others for r in results)} other addresses"
    )


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--corpus",
    "corpora",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="A corpus; may be repeated.",
)
@click.option("--sites", "most", type=click.IntRange(min=1), default=30, show_default=True, help="Sites of a corpus.")
@click.option("--only", help="Habits whose names contain this.")
@click.option("--json", "as_json", is_flag=True, help="Print all results as JSON.")
def main(corpora: tuple[Path, ...], most: int, only: str | None, *, as_json: bool) -> None:
    with Replicas() as server:
        sites: list[tuple[Replica, str]] = []
        if corpora:
            sites = [(site, corpus.name) for corpus in corpora for site in corpus_sites(server, corpus, most)]
        else:
            for number, (habit, language, layout) in enumerate(HABITS):
                site = server.site(f"n{number}{habit.__name__.replace('_', '')}", language=language, layout=layout)
                habit(site)
                sites.append((site, habit.__name__))
        results: list[Result] = []

        async def work(visitor: SiteClient, pool: ExtractionPool) -> None:
            results.extend(await survey_all(visitor, pool, [(s, h) for s, h in sites if not only or only in h]))

        requests = visit(work, {"DOWNLOAD_DELAY": 0, "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8"})
        repeated = doubled(server.log)
    if as_json:
        click.echo(json.dumps([asdict(r) | {"titles_right": r.titles_right} for r in results], ensure_ascii=False))
    else:
        show(results)
        click.echo(f"{requests} requests, {requests / max(1, len(results)):.1f} a site; {len(repeated)} repeated")
    for address in repeated:
        click.echo(f"requested twice at once: {address}", err=True)


if __name__ == "__main__":
    main()
