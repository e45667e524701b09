"""The result of a survey for another program, as a value of bounded size, and as JSON. Loads no part of a crawl."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import msgspec

from newscrawl.model.jsonable import to_text

if TYPE_CHECKING:  # they come from what has surveyed the site
    from newscrawl.discovery.onboarding.survey import Sample, SiteProposal
    from newscrawl.discovery.proposals.sources import SourceTrial

MAX_TITLE: Final = 300
MAX_BEGINNING: Final = 500
MAX_REASON: Final = 300
MAX_ADDRESS: Final = 2_000
MAX_NOTES: Final = 20


@dataclass(frozen=True, slots=True)
class SurveyedSource:
    """A source that the site's file names. `articles` is the number of articles that it lists, `newest` the time of
    the newest of them, if it states one."""

    url: str
    kind: str
    articles: int
    newest: datetime | None


@dataclass(frozen=True, slots=True)
class SurveyedPattern:
    """An expression that is searched in an address; if it matches, the address is that of an article."""

    expression: str
    meaning: str


@dataclass(frozen=True, slots=True)
class SurveyedPage:
    """A sampled page: an article with its title, the number of its words and the beginning of its text; or the
    `problem` for which it is none."""

    url: str
    title: str | None
    published: datetime | None
    words: int
    beginning: str
    problem: str | None


@dataclass(frozen=True, slots=True)
class SurveyReport:
    """A proposed site. `patterns` are the rule for addresses of articles; without any, general rules judge them.
    `notes` say what is missing or was not used. `file` is the path, within the project, that the operator should give
    to `text`, the text of the spider's file; nothing has written it. `requests` counts the requests of the survey."""

    name: str
    title: str
    home: str
    language: str | None
    country: str | None
    sources: tuple[SurveyedSource, ...]
    sections: tuple[str, ...]
    patterns: tuple[SurveyedPattern, ...]
    samples: tuple[SurveyedPage, ...]
    notes: tuple[str, ...]
    requests: int
    file: str
    text: str


def report_of(proposal: SiteProposal, requests: int) -> SurveyReport:
    """Returns what a survey with so many requests found."""
    # What surveyed the site has loaded them; who only reads reports needs neither.
    from newscrawl.discovery.proposals.coverage import left_out
    from newscrawl.discovery.proposals.declaration import render

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


def to_json(line: Mapping[str, object]) -> str:
    """Returns a line for the other program, which may have a report in it. Times are in ISO 8601."""
    return to_text(line, ascii_only=True)


def from_json(found: Mapping[str, Any]) -> SurveyReport:
    """Returns the report in a line, whose JSON was decoded. Raises msgspec.ValidationError."""
    return msgspec.convert(found, SurveyReport)


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
