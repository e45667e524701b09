"""Options that several commands share: sites, and times from and to."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import click

from newscrawl.errors import UsageError, site_not_stored
from newscrawl.times import read_span

T = TypeVar("T")

UTC_DAY: Final = "utc-day"
LOCAL_DAY: Final = "local-day"
DATES: Final = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]
"""Formats of days and times in options. They are UTC."""


class NamedPath(click.Path):
    """A path that must not be empty: "" is usually an unset variable of a script, and would mean the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("an empty name is no file; name one, or give . for this folder", param, ctx)
        return super().convert(value, param, ctx)


class Names(click.ParamType[tuple[str, ...]]):
    """Names with commas between them, as a tuple."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the names."""
        names = tuple(name.strip() for name in value.split(",")) if isinstance(value, str) else value
        if not all(names):
            self.fail(f"{value!r} has an empty name: write names with commas between them", param, ctx)
        return names


class Moment(click.DateTime):
    """A day, a time, or a span before now (3d, 12h) as in `scrapy crawl -a since=3d`."""

    name = "moment"

    def __init__(self) -> None:
        super().__init__(DATES)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Returns the form in the help."""
        return "[DATE|3d|12h]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the time in UTC, without a time zone, as in click.DateTime."""
        try:
            span = read_span(value) if isinstance(value, str) else None
            if span is not None:
                return (datetime.now(UTC) - span).replace(tzinfo=None)
        except OverflowError:
            self.fail(f"{value!r} is too long ago", param, ctx)
        if isinstance(value, str) and not _is_date(value):
            self.fail(f"{value!r} is no date: give one like 2026-08-31, or a span like 3d or 12h", param, ctx)
        return super().convert(value, param, ctx)


class Later(Moment):
    """A day, a time, or a span after now (3d, 12h)."""

    name = "later"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the time in UTC, without a time zone. It lies in the future."""
        now = datetime.now(UTC).replace(tzinfo=None)
        moment = super().convert(value, param, ctx)
        try:
            span = read_span(value) if isinstance(value, str) else None
            moment = now + span if span is not None else moment
        except OverflowError:
            self.fail(f"{value!r} is too far ahead", param, ctx)
        if moment <= now:
            self.fail(f"{value!r} is in the past; times are UTC", param, ctx)
        return moment


def _is_date(text: str) -> bool:
    for form in DATES:
        with contextlib.suppress(ValueError):
            datetime.strptime(text, form)  # noqa: DTZ007  only whether it can be read
            return True
    return False


def by_option(command: Callable[..., T]) -> Callable[..., T]:
    """Decorator: the option `--by` of a command with --since, as the argument `by`."""
    return click.option(
        "--by",
        type=click.Choice([UTC_DAY, LOCAL_DAY]),
        default=UTC_DAY,
        show_default=True,
        help="The days that --since and --until mean: of UTC, or those that readers saw on the page.",
    )(command)


def utc(date: datetime | None) -> datetime | None:
    """Returns the date of an option as an aware time."""
    return date.replace(tzinfo=UTC) if date else None


def period(since: datetime | None, until: datetime | None) -> tuple[datetime | None, datetime | None]:
    """Returns both ends as aware times. Raises UsageError if no time lies between them."""
    if since is not None and until is not None and since >= until:
        raise UsageError(f"no time lies between --since {_short(since)} and --until {_short(until)}: give a later end")
    return utc(since), utc(until)


def check_site(site: str | None, stored: Collection[str], declared: Collection[str] | None = None) -> None:
    """Raises UsageError for a site that is neither stored nor declared. `declared` is None if that is not known."""
    if site is not None and site not in stored and site not in (declared or ()):
        raise site_not_stored(site, stored, declared)


def _short(moment: datetime) -> str:
    return moment.isoformat().removesuffix("T00:00:00")
