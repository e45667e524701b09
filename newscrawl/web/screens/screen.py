"""The class of a screen: its address, the parameters that it takes, and the function that makes its value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from newscrawl.errors import UsageError
from newscrawl.model.jsonable import names, view
from newscrawl.reports.sites import is_known
from newscrawl.storage.reader import Connection, Reader
from newscrawl.web.background import Reextractions, Surveys
from newscrawl.web.recent import Recent


@dataclass(frozen=True, slots=True)
class Context:
    """The values that a screen has besides the database: the time, and the options of the command."""

    now: datetime
    database_url: str
    reading: Callable[[], Reader] = field(repr=False)
    """Opens the database, for what is read besides the view itself."""
    archive_folder: Path | None = None
    recent: Recent = field(default_factory=Recent)
    """The values that consecutive views share."""
    surveys: Surveys | None = field(default=None, repr=False)
    """The surveys of new sites; None without --actions."""
    reextractions: Reextractions | None = field(default=None, repr=False)
    """The re-extractions of pages in review; None without --actions or without a project."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen. `name` is that of its template, of its schema, and of its JSON twin: NAME.json."""

    name: str
    path: str
    title: str
    query: type[Any]
    value: type[Any]
    load: Callable[[Connection, Any, Context], Any]
    in_navigation: bool = True
    empty: Any = None
    """The value that a page shows beside the error of a query, so that it can be corrected there; None for a page of
    the error alone."""
    needs_actions: bool = False
    """Whether it is of use with --actions only, so that others do not find it in the navigation."""
    views: Mapping[str, str] = field(default_factory=dict)
    """The keys that the record, or each record, in a field of the value has in JSON, where these are not its fields
    (newscrawl.reports.views)."""

    @property
    def json_path(self) -> str:
        """The address of the JSON twin."""
        return f"/{self.name}.json"

    def as_json(self, value: Any) -> dict[str, Any]:
        """Returns a value of the screen as the twin has it."""
        found = {one.name: getattr(value, one.name) for one in fields(value)}
        for name, text in self.views.items():
            keys, part = names(text), found[name]
            if isinstance(part, list | tuple):
                found[name] = [view(one, keys) for one in part]
            elif part is not None:
                found[name] = view(part, keys)
        return found


def check_site(connection: Connection, site: str | None) -> None:
    """Raises UsageError for a site to filter by that is not stored. None is no filter."""
    if site is not None and not is_known(connection, site):
        raise UsageError(f"no site {site[:80]!r} is in the database")


@dataclass(frozen=True, slots=True)
class NoParameters:
    """The parameters of a screen that takes none."""
