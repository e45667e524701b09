"""The result of a survey, as a value of bounded size, and as JSON. Loads no part of a crawl."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any


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
    sources: Sequence[SurveyedSource]
    sections: Sequence[str]
    patterns: Sequence[SurveyedPattern]
    samples: Sequence[SurveyedPage]
    notes: Sequence[str]
    requests: int
    file: str
    text: str


def as_json(report: SurveyReport) -> dict[str, Any]:
    """Returns the report as JSON values; times in ISO 8601."""
    found = asdict(report)
    for source in found["sources"]:
        source["newest"] = source["newest"].isoformat() if source["newest"] is not None else None
    for page in found["samples"]:
        page["published"] = page["published"].isoformat() if page["published"] is not None else None
    return found


def from_json(found: Mapping[str, Any]) -> SurveyReport:
    """Returns the report that `as_json` wrote."""
    return SurveyReport(
        **{
            **found,
            "sources": tuple(SurveyedSource(**{**one, "newest": _time(one["newest"])}) for one in found["sources"]),
            "sections": tuple(found["sections"]),
            "patterns": tuple(SurveyedPattern(**one) for one in found["patterns"]),
            "samples": tuple(SurveyedPage(**{**one, "published": _time(one["published"])}) for one in found["samples"]),
            "notes": tuple(found["notes"]),
        }
    )


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text is not None else None
