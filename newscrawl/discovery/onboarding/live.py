"""Compares a site with its self-test: finds lost sources, empty fields, shortened texts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from newscrawl.crawling.runtime.site_client import SiteAnswer, SiteClient
from newscrawl.crawling.spider.site_declaration import Site, Source
from newscrawl.crawling.spider.sources.front_page import find_gap
from newscrawl.crawling.spider.sources.site_reader import SiteReader
from newscrawl.discovery.links.resolve import within
from newscrawl.discovery.onboarding.selftest import IDLE_HINT, SelfTest, SelfTestChange, compared, idle
from newscrawl.discovery.onboarding.survey import Sample, sampled
from newscrawl.discovery.proposals.coverage import left_out
from newscrawl.discovery.proposals.find_sources import FoundSource
from newscrawl.discovery.proposals.site_page import SitePage
from newscrawl.discovery.proposals.sources import STALE, SourceTrial, sample, try_source
from newscrawl.discovery.reading import SourceContents
from newscrawl.discovery.sitemaps.child_choice import choose_children
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.model import Candidate, Failure
from newscrawl.workers.source_task import filter_for

FRESH: Final = 3
"""Number of new articles that are read."""

CHILDREN: Final = 2
"""Number of sitemaps of a declared index that are read, the freshest first."""

FROZEN: Final = 4
"""Number of frozen pages that are requested again."""

SHRUNK: Final = 0.7
"""Share of the frozen words below which a live text counts as shortened. Sites edit their articles; the check looks for
the loss of half a page."""

THIN: Final = 0.5
"""Share of the frozen pages' median number of words below which all new articles count as too short."""

LEFT_OUT: Final = "source/left_out"
"""The front page or an announced sitemap shows new articles that no declared source lists."""

_GONE: Final = frozenset({"http/404", "http/410", "redirect/home"})


@dataclass(frozen=True, slots=True)
class Look:
    """The result of a live check: the changes, and the articles that were read."""

    changes: tuple[SelfTestChange, ...]
    samples: tuple[Sample, ...]
    sources: tuple[SourceTrial, ...]


async def look(
    visitor: SiteClient,
    reader: SiteReader,
    site: Site,
    test: SelfTest | None,
    options: ArticleOptions,
    now: datetime,
    *,
    fresh: int = FRESH,
) -> Look:
    """Compares the site as it is today with its declaration and its self-test, if it has one. `fresh` new articles are
    read."""
    changes: list[SelfTestChange] = []
    trials: list[SourceTrial] = []
    listed: list[Candidate] = []
    for source in site.sources or await _found(visitor, reader, site):
        trial, problem, entries = await _source(visitor, reader, site, source, now)
        trials.append(trial)
        listed += entries
        if problem and source.url not in reader.too_costly and not (trial.articles and _was_slow(test)):
            changes.append(SelfTestChange("source/gone", source.url, problem))
    named: list[Candidate] = [candidate for trial in trials for candidate in trial.articles]
    if trials and not named and not changes:
        changes.append(
            SelfTestChange("rule/refused", site.home, "no address that the sources name is an article by the rule")
        )
    if site.sources:
        languages = [trial.language for trial in trials if trial.language]
        gap = await find_gap(visitor, reader, site, listed, now, languages=languages, options=options)
        if gap is not None and gap.counts:
            changes.append(SelfTestChange(LEFT_OUT, site.home, left_out(gap.missing)))
    changes += [SelfTestChange(failure.code, url, failure.reason) for url, failure in reader.too_costly.items()]
    samples = [await sampled(visitor, reader, candidate, site.domains, options) for candidate in sample(named, fresh)]
    changes += _fields(samples, test, site)
    matches: Counter[str] = Counter()
    for taken in samples:
        for match in taken.article.hints if taken.article is not None else ():
            matches[match.label] += match.number
    changes += [
        SelfTestChange(IDLE_HINT, site.name, f"{label} matches nothing on any page of {len(samples)}")
        for label in idle(matches)
    ]
    if test is not None:
        changes += await _frozen_again(visitor, reader, test, options)
    return Look(tuple(changes), tuple(samples), tuple(trials))


async def _found(visitor: SiteClient, reader: SiteReader, site: Site) -> list[Source]:
    """Returns the sources that the front page announces, for a site without declared ones; without any, the front
    page."""
    answer = await visitor.get(site.home)
    page = await reader.page(answer, site.domains) if answer.readable else None
    found = page.sources if isinstance(page, SitePage) else ()
    return [Source(source.url, source.kind) for source in found] or [Source(site.home, "section")]


async def _source(
    visitor: SiteClient, reader: SiteReader, site: Site, source: Source, now: datetime
) -> tuple[SourceTrial, str, tuple[Candidate, ...]]:
    """Returns the articles of a declared source today according to the site's rule, its problem, and all its
    entries."""
    found = FoundSource(source.url, "feed" if source.kind == "feed" else "sitemap")
    answer = await visitor.get(source.url)
    if answer.failure is not None:
        return SourceTrial(found, problem=answer.failure.reason), answer.failure.reason, ()
    if not within(answer.final_url, site.source_domains(source)):
        problem = f"leads to another site: {answer.final_url}"
        return SourceTrial(found, problem=problem), problem, ()
    read = await _read(reader, site, source, answer)
    if isinstance(read, Failure):
        return SourceTrial(found, problem=read.reason), read.reason, ()
    entries = list(read.candidates)
    for child in choose_children(read.children, now)[:CHILDREN]:
        below = await visitor.get(child.url)
        named = await reader.source(below, "sitemap") if below.readable else None
        entries += named.candidates if isinstance(named, SourceContents) else ()
    trial = try_source(found, read, site.domains, now, status=answer.status)
    accepts = filter_for(site.rule)
    accepted = tuple(candidate for candidate in trial.articles if accepts(candidate))
    problem = trial.problem
    if not problem and trial.articles and not accepted:
        problem = f"none of the {len(trial.articles)} addresses it names is an article by the site's rule"
    return SourceTrial(found, accepted, trial.newest, problem, trial.language), problem, tuple(entries)


async def _read(reader: SiteReader, site: Site, source: Source, answer: SiteAnswer) -> SourceContents | Failure:
    """Reads a declared source."""
    if source.kind != "section":
        return await reader.source(answer, source.kind)
    page = await reader.page(answer, site.domains, site.rule)
    return page if isinstance(page, Failure) else page.section


def _was_slow(test: SelfTest | None) -> bool:
    """Returns whether the site had no new articles when its pages were frozen; some sites are that slow."""
    if test is None or not test.pages:
        return False
    dates = [datetime.fromisoformat(page.expected.published) for page in test.pages if page.expected.published]
    return bool(dates) and max(dates) < min(page.raw.fetched_at for page in test.pages) - STALE


def _fields(samples: list[Sample], test: SelfTest | None, site: Site) -> list[SelfTestChange]:
    """Returns fields that all new articles lack; a single article may be an exception."""
    articles = [sample.article for sample in samples if sample.article is not None]
    if not samples:
        return []
    if not articles:
        reasons = "; ".join(sorted({sample.failure.reason for sample in samples if sample.failure}))
        return [SelfTestChange("text/gone", site.home, f"none of {len(samples)} new pages is an article: {reasons}")]
    changes = []
    if not any(article.metadata.title for article in articles):
        changes.append(SelfTestChange("title/empty", site.home, f"none of {len(articles)} new articles has one"))
    had_dates = test is None or not test.pages or any(page.expected.published for page in test.pages)
    if had_dates and not any(article.metadata.published for article in articles):
        changes.append(SelfTestChange("published/empty", site.home, f"none of {len(articles)} new articles has one"))
    if test is not None and test.pages:
        usual = sorted(len(page.expected.text) for page in test.pages)[len(test.pages) // 2]
        longest = max(len(article.text) for article in articles)
        if longest < THIN * usual:
            changes.append(
                SelfTestChange(
                    "text/shrunk", site.home, f"new articles have {longest} characters, the frozen ones {usual}"
                )
            )
    return changes


async def _frozen_again(
    visitor: SiteClient, reader: SiteReader, test: SelfTest, options: ArticleOptions
) -> list[SelfTestChange]:
    """Compares frozen pages with their state today. A single page that is gone is not a change of the site; it is one
    if all are."""
    changes: list[SelfTestChange] = []
    gone = 0
    pages = test.pages[:FROZEN]
    for page in pages:
        answer = await visitor.get(page.raw.final_url)
        if answer.failure is not None:
            if answer.failure.code in _GONE:
                gone += 1
            else:
                changes.append(SelfTestChange("page/failed", page.raw.final_url, answer.failure.reason))
            continue
        now = await reader.article(answer.raw_page(test.site), options)
        changes += compared(page, now, shrunk=SHRUNK, live=True)
    if pages and gone == len(pages):
        changes.append(
            SelfTestChange("page/gone", pages[0].raw.final_url, f"all {gone} frozen pages asked for are gone")
        )
    return changes
