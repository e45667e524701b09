"""Surveys a site: makes a proposed declaration from a URL, before `newscrawl add-site` writes anything.

Each request of a survey depends on the answer before it. Callbacks of a spider would spread this over a dozen methods.
So the work is one coroutine, which `visit` runs under all rules of a crawl.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any, Final
from urllib.parse import urljoin

from scrapy.crawler import Crawler

from newscrawl.config.reading import config_of
from newscrawl.crawling.downloader.address_guard import BLOCKED
from newscrawl.crawling.downloader.middlewares.robots import FORBIDDEN, TOO_COSTLY
from newscrawl.crawling.failures import BAD_URL, SCHEME
from newscrawl.crawling.runtime.crawl_services import pool_of
from newscrawl.crawling.runtime.process import run_work
from newscrawl.crawling.runtime.site_client import EngineSiteClient, SiteAnswer, SiteClient
from newscrawl.crawling.spider.responses import HOME, OFFSITE
from newscrawl.crawling.spider.sources.site_reader import SiteReader
from newscrawl.discovery.links.article_urls import is_home
from newscrawl.discovery.links.learned_rules import LearnedRule
from newscrawl.discovery.links.resolve import key_of, within
from newscrawl.discovery.onboarding.search import Completion, Search, completed
from newscrawl.discovery.proposals.declaration import Declaration
from newscrawl.discovery.proposals.find_sources import FoundSource
from newscrawl.discovery.proposals.site_page import SitePage, site_page
from newscrawl.discovery.proposals.sources import SourceTrial, choose_sources, propose, sample
from newscrawl.discovery.reading import SourceContents, starts_as_html
from newscrawl.errors import InvalidUrl, NewscrawlError
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.model import Article, Candidate, Failure
from newscrawl.model.identity import clean_url, registrable_domain, same_site
from newscrawl.page import parse
from newscrawl.workers.extraction_pool import ExtractionPool

SAMPLES: Final = 10
MIN_LANGUAGE_SHARE: Final = 2 / 3
"""Least share of the sampled texts in one language that makes it the site's, whatever its pages declare."""

MAX_LISTING_SHARE: Final = 0.3
"""Largest share of samples that may be lists whose URLs the rule learns from. With more, the verdict is wrong."""

MIN_ACCEPTED_SHARE: Final = 0.8
"""Least share of the listed URLs that a learned rule must accept; otherwise the general judgement is better."""

MAX_REFUSED_SHARE: Final = 0.1
"""Largest share of the read articles that a rule may refuse, because sources list an odd URL now and then."""

MAX_SCRIPT_PAGE_LINKS: Final = 3
"""The most links of a front page that is drawn by scripts."""

MAX_FRONT_PAGE_REQUESTS: Final = 3
"""The most requests to reach the front page: the URL of an article or of a feed leads there."""

_SEPARATOR: Final = re.compile(r"(?<!\s)\s++[|–—·•»:\-]++\s+|(?:(?<!\s)\s++)?+[|»]\s*+")

Report = Callable[[str], None]
Work = Callable[[SiteClient, ExtractionPool], Awaitable[None]]

WALL: Final = "site/bot_wall"
CONSENT: Final = "site/consent"
SCRIPTS: Final = "site/scripts_only"
NO_SOURCES: Final = "site/no_sources"
NO_ARTICLES: Final = "site/no_articles"
ROBOTS: Final = "site/robots"
ADDRESS: Final = "site/address"
UNREACHABLE: Final = "site/unreachable"
COSTLY: Final = "site/too_costly"

WALL_STATUSES: Final = frozenset({401, 403, 429, 503})
"""Status codes of bot walls. A page that is only missing has 404 or 410."""


class OnboardingError(NewscrawlError):
    """A site cannot be added. `code` is one of the names above.

    The exit code is 2 for an invalid URL, 1 for a fault of the site.
    """

    exit_code = 1

    def __init__(self, code: str, url: str, reason: str) -> None:
        self.code = code
        self.url = url
        self.reason = reason
        self.exit_code = 2 if code == ADDRESS else 1
        super().__init__(f"{url}: {reason}")


def visit(work: Work, overrides: Mapping[str, Any] | None = None) -> int:
    """Runs `work` in a separate crawl (crawling.runtime.process.run_work), with workers that read the answers, and
    returns the number of requests. It can be called once in a process, and raises what `run_work` raises."""

    async def with_workers(crawler: Crawler) -> None:
        with closing(pool_of(config_of(crawler.settings))) as pool:
            await work(EngineSiteClient(crawler), pool)

    crawler = run_work(with_workers, overrides)
    return int(crawler.stats.get_value("downloader/request_count", 0)) if crawler.stats else 0


@dataclass(frozen=True, slots=True)
class Sample:
    """A sampled page: exactly one of `article` and `failure` is set."""

    candidate: Candidate
    answer: SiteAnswer
    article: Article | None = None
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class SiteProposal:
    """A proposed site."""

    site: Declaration
    rule: LearnedRule
    sources: tuple[SourceTrial, ...]
    tried: tuple[SourceTrial, ...]
    samples: tuple[Sample, ...]
    missing: tuple[Candidate, ...] = ()
    """New articles that no chosen source lists."""
    too_costly: tuple[str, ...] = ()
    """The feeds, sitemaps and pages that are too costly to read, each with the reason."""

    @property
    def articles(self) -> list[Sample]:
        """The samples that are articles."""
        return [sample for sample in self.samples if sample.article is not None]


async def survey(
    visitor: SiteClient,
    reader: SiteReader,
    url: str,
    *,
    options: ArticleOptions,
    now: datetime,
    name: str | None = None,
    taken: Collection[str] = (),
    given: Iterable[FoundSource] = (),
    report: Report = lambda _: None,
    phase: Report = lambda _: None,
) -> SiteProposal:
    """Surveys the site at `url`: its sources, samples, rule, language and country.

    `taken` are names of other sites, `given` known sources. `report` is called with each requested URL, `phase` with a
    description of each of the three phases when it begins. Raises OnboardingError if nothing can be crawled.
    """
    given = list(given)
    for source in given:
        _usable(source.url)
    phase("reading the front page")
    page, front = await _front_page(visitor, reader, url, given, report)
    phase("reading feeds, sitemaps and sections")
    home = page.url
    search = Search(visitor, reader, page, now, report)
    await search.run(given)
    chosen = choose_sources(search.trials, home)
    fetched: dict[str, Sample] = {}

    async def fetch(candidate: Candidate) -> Sample:  # the pages that decided on missing articles are samples, too
        if candidate.url not in fetched:
            fetched[candidate.url] = await sampled(visitor, reader, candidate, search.domains, options, report)
        return fetched[candidate.url]

    async def article_of(candidate: Candidate) -> Article | None:
        return (await fetch(candidate)).article

    more = await completed(search, chosen, page, now, article_of) if chosen else Completion()
    chosen += more.sources
    listed = [candidate for trial in chosen for candidate in trial.articles] + list(more.linked) or search.linked
    if not listed:
        unusable = unusable_sources([source.url for source in given], search.trials)
        known = {source.url for source in given}
        unusable += [line for line in too_costly(reader) if line.partition(" ")[0] not in known]
        raise _nothing_found(page, front, search.trials, unusable)
    phase(f"reading articles, at most {SAMPLES}")
    samples = [await fetch(candidate) for candidate in sample(listed, SAMPLES)]
    if all(sample.article is None for sample in samples):
        raise samples_error(home, [sample.failure for sample in samples if sample.failure])
    site, rule = propose(
        page,
        home,
        chosen,
        taken=taken,
        refused=_listing_urls(samples),
        linked=[candidate.url for candidate in (*more.linked, *search.linked)],
        added=more.sections,
    )
    if not _trusted(rule, samples):
        site = replace(site, articles=(), meanings=())
    site = replace(site, sections=tuple(url for url in site.sections if key_of(url) not in search.dead))
    site = replace(
        site, name=name or site.name, title=site_title(site.title, home), language=_language(samples) or site.language
    )
    return SiteProposal(
        site, rule, tuple(chosen), tuple(search.trials), tuple(samples), more.missing, tuple(too_costly(reader))
    )


async def _front_page(
    visitor: SiteClient, reader: SiteReader, url: str, given: list[FoundSource], report: Report
) -> tuple[SitePage, SiteAnswer]:
    """Returns the front page of the site and its answer.

    The URL of an article leads to the front page. So does that of a feed, which is added to `given`. With known feeds
    the front page is not needed: some sites block programs only there.
    """
    page = _empty_page(_usable(url))
    for _ in range(MAX_FRONT_PAGE_REQUESTS):
        url = _usable(url)
        report(url)
        answer = await visitor.get(url)
        if answer.failure is not None:
            wrong = front_page_error(url, answer.failure, answer.status)
            if not given or wrong.code not in {WALL, UNREACHABLE}:
                raise wrong
            return _empty_page(answer.final_url), answer
        feed = await _as_feed(reader, answer)
        if feed is not None:
            given.append(FoundSource(url, "feed"))
            url = feed.home if feed.home and same_site(feed.home, url) else urljoin(answer.final_url, "/")
            continue
        found = await reader.page(answer, (registrable_domain(answer.final_url),))
        if isinstance(found, Failure):
            raise OnboardingError(COSTLY, url, f"the front page is too costly: {found.reason}")
        page = found
        if is_home(answer.final_url) or not page.is_article:
            break
        url = urljoin(answer.final_url, "/")
    judged = await reader.article(answer.raw_page(""), ArticleOptions())
    if judged.failure is not None and judged.failure.code == "verdict/bot_wall":
        raise OnboardingError(WALL, url, f"a bot wall: the front page is {judged.failure.reason}")
    return page, answer


def _usable(url: str) -> str:
    """Returns the URL in its usual form. Raises OnboardingError for one that cannot be requested."""
    try:
        return clean_url(url)
    except InvalidUrl as error:
        raise OnboardingError(ADDRESS, url, f"{error.reason}; write it as https://example.com/") from error


def _empty_page(url: str) -> SitePage:
    """Returns an empty front page, for one that cannot be fetched or is a feed."""
    return site_page(parse(b"", url=url), url, ())


async def _as_feed(reader: SiteReader, answer: SiteAnswer) -> SourceContents | None:
    """Returns the answer read as a feed; None if it is not one. Raises OnboardingError for a feed that is too
    costly."""
    if starts_as_html(answer.body):
        return None
    read = await reader.source(answer, "feed")
    if isinstance(read, Failure):
        raise OnboardingError(COSTLY, answer.url, read.reason)
    return read if read.candidates else None


async def sampled(
    visitor: SiteClient,
    reader: SiteReader,
    candidate: Candidate,
    domains: Sequence[str],
    options: ArticleOptions,
    report: Report = lambda _: None,
) -> Sample:
    """Fetches and reads a page as a crawl would."""
    report(candidate.url)
    answer = await visitor.get(candidate.url)
    failure = answer.failure or _moved(answer, domains)
    if failure is not None:
        return Sample(candidate, answer, failure=failure)
    page = await reader.article(answer.raw_page("", candidate.discovery), options)
    return Sample(candidate, answer, page.article, page.failure)


def _moved(answer: SiteAnswer, domains: Sequence[str]) -> Failure | None:
    if not within(answer.final_url, domains):
        return Failure(OFFSITE, f"leads to another site: {answer.final_url}")
    if is_home(answer.final_url):
        return Failure(HOME, "leads to the front page")
    return None


def _listing_urls(samples: Sequence[Sample]) -> set[str]:
    """Returns listed URLs that are lists of articles, if these are few."""
    lists = {
        sample.candidate.url
        for sample in samples
        if sample.failure and sample.failure.code in {"verdict/listing", HOME}
    }
    return lists if len(lists) <= MAX_LISTING_SHARE * len(samples) else set()


def _trusted(rule: LearnedRule, samples: Sequence[Sample]) -> bool:
    """Returns whether the rule accepts most listed URLs and refuses hardly any read article. Otherwise no rule is
    better than this one."""
    read = [sample.answer.final_url for sample in samples if sample.article]
    missed = [url for url in read if not rule.rule.accepts(url)]
    return rule.explained >= MIN_ACCEPTED_SHARE * rule.samples and len(missed) <= MAX_REFUSED_SHARE * len(read)


def site_title(title: str, home: str) -> str:
    """Returns the site's name in a front page's title ("News, sport and more | The Town Courier"): the part that is
    most like its domain."""
    label = registrable_domain(home).partition(".")[0]
    parts = [part.strip() for part in _SEPARATOR.split(title) if part.strip()]
    likeness = {part: SequenceMatcher(None, re.sub(r"\W", "", part).lower(), label).ratio() for part in parts[:9]}
    return max(likeness, key=lambda part: likeness[part], default=title)


def _language(samples: Sequence[Sample]) -> str | None:
    found = Counter(sample.article.metadata.language for sample in samples if sample.article)
    language, count = found.most_common(1)[0] if found else (None, 0)
    return language if language and count >= MIN_LANGUAGE_SHARE * found.total() else None


def unusable_sources(urls: Collection[str], trials: Iterable[SourceTrial]) -> list[str]:
    """Returns the unusable sources among those with these URLs, each with the reason."""
    unusable = [trial for trial in trials if not trial.good and trial.source.url in urls]
    return [f"{trial.source.url} is not used: {trial.problem}" for trial in unusable]


def too_costly(reader: SiteReader) -> list[str]:
    """Returns the documents that were too costly to read, each with the reason."""
    return [f"{url} is not used: {failure.reason}" for url, failure in reader.too_costly.items()]


def _nothing_found(
    page: SitePage, front: SiteAnswer, trials: Sequence[SourceTrial], unusable: Sequence[str]
) -> OnboardingError:
    home = front.final_url
    if page.linked <= MAX_SCRIPT_PAGE_LINKS and b"<script" in front.body.lower():
        return OnboardingError(SCRIPTS, home, "JavaScript draws the front page and is not run, and no feed was found")
    tried = f" ({len(trials)} addresses tried)" if trials else ""
    known = "; ".join(unusable) or "if you know a feed, name it with --feed"
    return OnboardingError(NO_SOURCES, home, f"no feed, no sitemap and no links to articles found{tried}; {known}")


def front_page_error(url: str, failure: Failure, status: int) -> OnboardingError:
    """Returns the error for a site whose front page could not be fetched."""
    if failure.code in {BLOCKED, BAD_URL, SCHEME}:
        return OnboardingError(ADDRESS, url, failure.reason)
    if failure.code == TOO_COSTLY:
        return OnboardingError(ROBOTS, url, failure.reason)
    if failure.code == FORBIDDEN:
        return OnboardingError(ROBOTS, url, f"{failure.reason}; ask the site's owner")
    if status in WALL_STATUSES:
        return OnboardingError(
            WALL, url, f"a bot wall: the front page answers {status}; ask the site's owner for a feed"
        )
    return OnboardingError(UNREACHABLE, url, f"the front page cannot be fetched: {failure.reason}")


def samples_error(url: str, failures: Sequence[Failure]) -> OnboardingError:
    """Returns the error for a site without an article among the sampled pages; there is at least one failure."""
    code, count = Counter(failure.code for failure in failures).most_common(1)[0]
    reason = next(failure.reason for failure in failures if failure.code == code)
    share = f"{count} of {len(failures)} sampled pages"
    if code == FORBIDDEN:
        return OnboardingError(ROBOTS, url, f"robots.txt forbids {share}; ask the site's owner")
    if code == "verdict/bot_wall" or code in {f"http/{status}" for status in WALL_STATUSES}:
        return OnboardingError(WALL, url, f"a bot wall: {share} say {reason}")
    if code == "verdict/consent":
        return OnboardingError(CONSENT, url, f"a consent wall: {share} are only a request for consent")
    if code == "extraction/empty":
        return OnboardingError(SCRIPTS, url, f"{share} have no text: JavaScript draws it, and is not run")
    return OnboardingError(NO_ARTICLES, url, f"none of {len(failures)} sampled pages is an article ({code}: {reason})")
