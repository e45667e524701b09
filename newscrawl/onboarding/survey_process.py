"""Surveys one site for another program, in a process of its own: `python -m newscrawl.onboarding.survey_process`.

The program writes one line of JSON: the fields of `SurveyRequest`. The process writes a line of JSON for each request,
`{"requesting": URL}`, and one at the end: `{"report": ...}` (survey_report) or `{"problem": REASON}`. It writes no
file, and ends early when the program closes its input or dies. Its requests pass what those of a crawl pass, and share
the hosts of the database with all crawls.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from newscrawl.config.derived.article_options import options_of
from newscrawl.config.names import DATABASE
from newscrawl.config.project import project_settings
from newscrawl.config.reading import config_of
from newscrawl.config.scrapy_cfg import closest_cfg
from newscrawl.crawling.spider.sources.site_reader import SiteReader
from newscrawl.discovery import FoundSource
from newscrawl.discovery.proposals.coverage import left_out
from newscrawl.discovery.proposals.declaration import render
from newscrawl.discovery.proposals.sources import SourceTrial
from newscrawl.errors import NewscrawlError, UsageError
from newscrawl.onboarding.files import Project
from newscrawl.onboarding.survey import Sample, SiteProposal, survey
from newscrawl.onboarding.survey_report import (
    SurveyedPage,
    SurveyedPattern,
    SurveyedSource,
    SurveyReport,
    as_json,
)
from newscrawl.onboarding.visits import SiteClient, visit
from newscrawl.workers.extraction_pool import ExtractionPool

MAX_TITLE: Final = 300
MAX_BEGINNING: Final = 500
MAX_REASON: Final = 300
MAX_ADDRESS: Final = 2_000
MAX_NOTES: Final = 20


@dataclass(frozen=True, slots=True)
class SurveyRequest:
    """Which site: an address of it, and feeds that are known. `database` is the database whose hosts are shared."""

    url: str
    database: str
    feeds: tuple[str, ...] = ()


def look_at(request: SurveyRequest) -> SurveyReport:
    """Surveys the site. It can be called once in a process. Raises OnboardingError if nothing can be crawled,
    UsageError for a site that the project has, and StorageError for a database that cannot be opened."""
    settings = project_settings()
    settings.set(DATABASE, request.database, priority="cmdline")
    config = config_of(settings)
    project = Project(settings) if closest_cfg() else None
    _refuse_known(project, request.url)
    found: list[SurveyReport] = []

    async def work(visitor: SiteClient, pool: ExtractionPool) -> None:
        proposal = await survey(
            visitor,
            SiteReader(pool),
            request.url,
            options=options_of(config),
            now=datetime.now(UTC),
            taken=project.taken() if project is not None else (),
            given=[FoundSource(feed, "feed") for feed in request.feeds],
            report=lambda url: tell({"requesting": url}),
        )
        found.append(report_of(proposal))

    requests = visit(work, {DATABASE: request.database})
    _refuse_known(project, found[0].home)
    return replace(found[0], requests=requests)


def report_of(proposal: SiteProposal, requests: int = 0) -> SurveyReport:
    """Returns what a survey found."""
    site = proposal.site
    notes = list(proposal.too_costly)
    if proposal.missing:
        notes.insert(0, f"missing: {left_out(proposal.missing)}")
    return SurveyReport(
        name=site.name,
        title=site.title[:MAX_TITLE],
        home=site.home[:MAX_ADDRESS],
        language=site.language,
        country=site.country,
        sources=tuple(map(_source, proposal.sources)),
        sections=tuple(url[:MAX_ADDRESS] for url in site.sections),
        patterns=tuple(SurveyedPattern(*pair) for pair in zip(site.articles, site.meanings, strict=False)),
        samples=tuple(map(_page, proposal.samples)),
        notes=tuple(note[:MAX_REASON] for note in notes[:MAX_NOTES]),
        requests=requests,
        file=f"spiders/{site.name}.py",
        text=render(site),
    )


def tell(line: dict[str, Any]) -> None:
    """Writes a line for the program."""
    sys.stdout.write(f"{json.dumps(line)}\n")
    sys.stdout.flush()


def main() -> int:
    """Reads the request, and writes what came of it."""
    given = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_input, name="newscrawl-survey-input", daemon=True).start()
    try:
        tell({"report": as_json(look_at(SurveyRequest(given["url"], given["database"], tuple(given["feeds"]))))})
    except NewscrawlError as error:
        tell({"problem": str(error)})
        return 1
    return 0


def _source(trial: SourceTrial) -> SurveyedSource:
    return SurveyedSource(trial.source.url[:MAX_ADDRESS], trial.source.kind, len(trial.articles), trial.newest)


def _page(sample: Sample) -> SurveyedPage:
    url = sample.candidate.url[:MAX_ADDRESS]
    if sample.article is None:
        reason = sample.failure.reason if sample.failure is not None else "no reason is known"
        return SurveyedPage(url, None, None, 0, "", reason[:MAX_REASON])
    metadata, text = sample.article.metadata, sample.article.text
    return SurveyedPage(
        url,
        metadata.title[:MAX_TITLE] if metadata.title else None,
        metadata.published.when if metadata.published else None,
        len(text.split()),
        text[:MAX_BEGINNING],
        None,
    )


def _end_with_input() -> None:
    """Ends the crawl in order, with its hosts released, when the other program closes the input."""
    os.read(sys.stdin.fileno(), 1)
    os.kill(os.getpid(), signal.SIGTERM)


def _refuse_known(project: Project | None, url: str) -> None:
    owner = project.owner(url) if project is not None else None
    if owner is not None:
        raise UsageError(f"{url} is already the site {owner!r} of this project")


if __name__ == "__main__":
    sys.exit(main())
