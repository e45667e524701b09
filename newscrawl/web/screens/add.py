"""The screen that adds a site: it shows what surveys found, and the spider's file as text to copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from newscrawl.discovery.onboarding.survey_report import SurveyReport
from newscrawl.errors import NotFoundError
from newscrawl.model.identity.masking import masked
from newscrawl.storage.reader import Connection
from newscrawl.web.background import MAX_SECONDS, Survey
from newscrawl.web.screens.screen import Context, Screen


@dataclass(frozen=True, slots=True)
class AddQuery:
    """Which survey, by its number; by default the newest."""

    survey: int | None = None


@dataclass(frozen=True, slots=True)
class AddScreen:
    """Surveys of new sites, the newest first. `can_add` is False for a server without --actions. `shown` is the chosen
    survey, `report` what it found. A survey may take `max_seconds`."""

    can_add: bool
    max_seconds: int
    surveys: Sequence[Survey]
    shown: Survey | None
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
        surveys=tuple(map(_masked, found)),
        shown=_masked(chosen) if chosen is not None else None,
        report=chosen.report if chosen is not None else None,
    )


def _masked(one: Survey) -> Survey:
    """Returns a survey without secrets in its addresses."""
    requesting, problem = (masked(text) if text is not None else None for text in (one.requesting, one.problem))
    return replace(one, url=masked(one.url), requesting=requesting, problem=problem)


_SURVEY: Final = "number url who state asked_at started_at ended_at requests requesting problem"
_VIEWS: Final = {"surveys": _SURVEY, "shown": _SURVEY}
SCREEN = Screen("add", "/add", "Add a site", AddQuery, AddScreen, load, needs_actions=True, views=_VIEWS)
