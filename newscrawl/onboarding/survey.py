"""Surveys a site: makes a proposed declaration with samples from a URL, before `newscrawl add-site` writes anything."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher
from typing import Final
from urllib.parse import urljoin

from newscrawl.article import ArticleOptions
from newscrawl.crawling.spider.responses import HOME, OFFSITE
from newscrawl.crawling.spider.sources.site_reader import SiteReader
from newscrawl.discovery import FoundSource, SourceContents, is_home
from newscrawl.discovery.links.learned_rules import LearnedRule
from newscrawl.discovery.links.resolve import key_of, within
from newscrawl.discovery.proposals.declaration import Declaration
from newscrawl.discovery.proposals.site_page import SitePage, site_page
from newscrawl.discovery.proposals.sources import SourceTrial, choose_sources, propose, sample
from newscrawl.discovery.sniff import starts_as_html
from newscrawl.errors import InvalidUrl
from newscrawl.identity import clean_url, registrable_domain, same_site
from newscrawl.model import Article, Candidate, Failure
from newscrawl.onboarding import outcomes
from newscrawl.onboarding.complete import Completion, completed
from newscrawl.onboarding.outcomes import OnboardingError
from newscrawl.onboarding.search import Search
from newscrawl.onboarding.visits import SiteAnswer, SiteClient
from newscrawl.page import parse

SAMPLES: Final = 10
AGREE: Final = 2 / 3
"""Least share of the sampled texts in one language that makes it the site's, whatever its pages declare."""

REFUSED: Final = 0.3
"""Largest share of samples that are lists whose URLs the rule learns from. With more, the verdict is wrong."""

EXPLAINED: Final = 0.8
"""Least share of the listed URLs that a learned rule must accept; otherwise the general judgement is better."""

MISSED: Final = 0.1
"""Largest share of the read articles that a rule may refuse, because sources list an odd URL now and then."""

FEW_LINKS: Final = 3
"""Most links of a front page that is drawn by scripts."""

FRONT_PAGES: Final = 3
"""Most requests to reach the front page: the URL of an article or of a feed leads there."""

_SEPARATOR: Final = re.compile(r"(?<!\s)\s++[|–—·•»:\-]++\s+|(?:(?<!\s)\s++)?+[|»]\s*+")

Tell = Callable[[str], None]


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
    not_read: tuple[str, ...] = ()
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
    tell: Tell = lambda _: None,
) -> SiteProposal:
    """Survey the site at `url`: its sources, samples, rule, language and country.

    `taken` are names of other sites, `given` known sources; `tell` is called with each requested URL. Raises
    OnboardingError if nothing can be crawled.
    """
    given = list(given)
    page, front = await _front_page(visitor, reader, url, given, tell)
    home = page.url
    search = Search(visitor, reader, page, now, tell)
    await search.run(given)
    chosen = choose_sources(search.trials, home)
    fetched: dict[str, Sample] = {}

    async def fetch(candidate: Candidate) -> Sample:  # the pages that decided on missing articles are samples, too
        if candidate.url not in fetched:
            fetched[candidate.url] = await sampled(visitor, reader, candidate, search.domains, options, tell)
        return fetched[candidate.url]

    more = await completed(search, chosen, page, now, fetch) if chosen else Completion()
    chosen += more.sources
    listed = [candidate for trial in chosen for candidate in trial.articles] + list(more.linked) or search.linked
    if not listed:
        useless = unread([source.url for source in given], search.trials)
        useless += [line for line in not_read(reader) if line.partition(" ")[0] not in {source.url for source in given}]
        raise _nothing_found(page, front, search.trials, useless)
    samples = [await fetch(candidate) for candidate in sample(listed, SAMPLES)]
    if all(sample.article is None for sample in samples):
        raise outcomes.of_samples(home, [sample.failure for sample in samples if sample.failure])
    site, rule = propose(
        page,
        home,
        search.trials,
        taken=taken,
        refused=_refused(samples),
        linked=[candidate.url for candidate in (*more.linked, *search.linked)],
        chosen=chosen,
        added=more.sections,
    )
    if not _trusted(rule, samples):
        site = replace(site, articles=(), meanings=())
    site = replace(site, sections=tuple(url for url in site.sections if key_of(url) not in search.dead))
    site = replace(
        site, name=name or site.name, title=site_title(site.title, home), language=_language(samples) or site.language
    )
    return SiteProposal(
        site, rule, tuple(chosen), tuple(search.trials), tuple(samples), more.missing, tuple(not_read(reader))
    )


async def _front_page(
    visitor: SiteClient, reader: SiteReader, url: str, given: list[FoundSource], tell: Tell
) -> tuple[SitePage, SiteAnswer]:
    """Return the front page of the site and its answer.

    The URL of an article leads to the front page. So does that of a feed, which is added to `given`. With known feeds
    the front page is not needed: some sites block programs only there.
    """
    page = _nothing_on(url)
    for _ in range(FRONT_PAGES):
        try:
            url = clean_url(url)
        except InvalidUrl as error:
            raise OnboardingError(outcomes.ADDRESS, url, f"{error.reason}; write it as https://example.com/") from error
        tell(url)
        answer = await visitor.get(url)
        if answer.failure is not None:
            wrong = outcomes.of_home(url, answer.failure, answer.status)
            if not given or wrong.kind not in {outcomes.WALL, outcomes.UNREACHABLE}:
                raise wrong
            return _nothing_on(answer.final_url), answer
        feed = await _as_feed(reader, answer)
        if feed is not None:
            given.append(FoundSource(url, "feed"))
            url = feed.home if feed.home and same_site(feed.home, url) else urljoin(answer.final_url, "/")
            continue
        found = await reader.page(answer, (registrable_domain(answer.final_url),))
        if isinstance(found, Failure):
            raise OnboardingError(outcomes.COSTLY, url, f"the front page is too costly: {found.reason}")
        page = found
        if is_home(answer.final_url) or not page.is_article:
            break
        url = urljoin(answer.final_url, "/")
    judged = await reader.article(answer.raw_page(""), ArticleOptions())
    if judged.failure is not None and judged.failure.kind == "verdict/bot_wall":
        raise OnboardingError(outcomes.WALL, url, f"a bot wall: the front page is {judged.failure.reason}")
    return page, answer


def _nothing_on(url: str) -> SitePage:
    """An empty front page, for one that cannot be fetched or is a feed."""
    return site_page(parse(b"", url=url), url, ())


async def _as_feed(reader: SiteReader, answer: SiteAnswer) -> SourceContents | None:
    """Read the answer as a feed; None if it is not one. Raises OnboardingError for a feed that is too costly."""
    if starts_as_html(answer.body):
        return None
    read = await reader.source(answer, "feed")
    if isinstance(read, Failure):
        raise OnboardingError(outcomes.COSTLY, answer.url, read.reason)
    return read if read.candidates else None


async def sampled(
    visitor: SiteClient,
    reader: SiteReader,
    candidate: Candidate,
    domains: Sequence[str],
    options: ArticleOptions,
    tell: Tell,
) -> Sample:
    """Fetch and read a page as a crawl would."""
    tell(candidate.url)
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


def _refused(samples: Sequence[Sample]) -> set[str]:
    """Listed URLs that are lists of articles, if these are few."""
    lists = {
        sample.candidate.url
        for sample in samples
        if sample.failure and sample.failure.kind in {"verdict/listing", HOME}
    }
    return lists if len(lists) <= REFUSED * len(samples) else set()


def _trusted(rule: LearnedRule, samples: Sequence[Sample]) -> bool:
    """Whether the rule is better than none: it accepts most listed URLs and refuses hardly any read article."""
    read = [sample.answer.final_url for sample in samples if sample.article]
    missed = [url for url in read if not rule.rule.accepts(url)]
    return rule.explained >= EXPLAINED * rule.samples and len(missed) <= MISSED * len(read)


def site_title(title: str, home: str) -> str:
    """The site's name in a front page's title ("News, sport and more | The Town Courier"): the part most like its
    domain."""
    label = registrable_domain(home).partition(".")[0]
    parts = [part.strip() for part in _SEPARATOR.split(title) if part.strip()]
    likeness = {part: SequenceMatcher(None, re.sub(r"\W", "", part).lower(), label).ratio() for part in parts[:9]}
    return max(likeness, key=lambda part: likeness[part], default=title)


def _language(samples: Sequence[Sample]) -> str | None:
    found = Counter(sample.article.metadata.language for sample in samples if sample.article)
    language, count = found.most_common(1)[0] if found else (None, 0)
    return language if language and count >= AGREE * found.total() else None


def unread(urls: Collection[str], trials: Iterable[SourceTrial]) -> list[str]:
    """The unusable sources among those with these URLs, each with the reason."""
    useless = [trial for trial in trials if not trial.good and trial.source.url in urls]
    return [f"{trial.source.url} is not used: {trial.problem}" for trial in useless]


def not_read(reader: SiteReader) -> list[str]:
    """Documents that were too costly to read, each with the reason."""
    return [f"{url} is not used: {failure.reason}" for url, failure in reader.not_read.items()]


def _nothing_found(
    page: SitePage, front: SiteAnswer, trials: Sequence[SourceTrial], unread_ones: Sequence[str]
) -> OnboardingError:
    home = front.final_url
    if page.linked <= FEW_LINKS and b"<script" in front.body.lower():
        return OnboardingError(
            outcomes.SCRIPTS, home, "the front page is drawn by JavaScript, which is not run, and no feed was found"
        )
    tried = f" ({len(trials)} addresses tried)" if trials else ""
    known = "; ".join(unread_ones) or "if you know a feed, name it with --feed"
    return OnboardingError(
        outcomes.NO_SOURCES, home, f"no feed, no sitemap and no links to articles found{tried}; {known}"
    )
