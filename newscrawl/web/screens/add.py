"""The screen that adds a site: it shows what surveys found, and the spider's file as text to copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from newscrawl.errors import NotFoundError
from newscrawl.identity.masking import masked
from newscrawl.onboarding.survey_report import SurveyReport
from newscrawl.storage.reader import Connection
from newscrawl.web.background import MAX_SECONDS, State, Survey
from newscrawl.web.screens.screen import Context, Screen


@dataclass(frozen=True, slots=True)
class AddQuery:
    """Which survey, by its number; by default the newest."""

    survey: int | None = None


@dataclass(frozen=True, slots=True)
class SurveyLine:
    """A survey of a new site. `requests` counts its requests so far, `requesting` is the address of the latest, and
    `problem` says why it failed."""

    number: int
    url: str
    who: str
    state: State
    asked_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    requests: int
    requesting: str | None
    problem: str | None


@dataclass(frozen=True, slots=True)
class AddScreen:
    """Surveys of new sites, the newest first. `can_add` is False for a server without --actions. `shown` is the chosen
    survey, `report` what it found. A survey may take `max_seconds`."""

    can_add: bool
    max_seconds: int
    surveys: Sequence[SurveyLine]
    shown: SurveyLine | None
    report: SurveyReport | None


def load(_connection: Connection, query: AddQuery, context: Context) -> AddScreen:
    """Returns the surveys of this server. Raises NotFoundError."""
    found = context.surveys.newest_first() if context.surveys is not None else ()
    chosen = next((one for one in found if query.survey in {None, one.number}), None)
    if chosen is None and query.survey is not None:
        raise NotFoundError(f"no survey with the number {query.survey} is known; a server forgets them when it stops")
    return AddScreen(
        can_add=context.surveys is not None,
        max_seconds=int(MAX_SECONDS),
        surveys=tuple(map(_line, found)),
        shown=_line(chosen) if chosen is not None else None,
        report=chosen.report if chosen is not None else None,
    )


def _line(one: Survey) -> SurveyLine:
    return SurveyLine(
        one.number,
        masked(one.url),
        one.who,
        one.state,
        one.asked_at,
        one.started_at,
        one.ended_at,
        one.requests,
        masked(one.requesting) if one.requesting is not None else None,
        masked(one.problem) if one.problem is not None else None,
    )


SCREEN = Screen("add", "/add", "Add a site", AddQuery, AddScreen, load, needs_actions=True)
