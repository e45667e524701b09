"""Options that several commands share: names, times, the site whose declaration applies, a cluster; extensions."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias, TypeVar

import click

from newscrawl.config.extensions import CHAINS, EXTRACTORS, SINKS, ExtensionType, declared
from newscrawl.errors import MissingDatabase, UnknownSiteError, UsageError
from newscrawl.model.times import read_span

if TYPE_CHECKING:
    from newscrawl.archive.batch.cluster.address import Certificates
    from newscrawl.extraction.article.make import ArticleOptions
    from newscrawl.extraction.site_boilerplate import SiteBoilerplate

T = TypeVar("T")
Cluster: TypeAlias = "tuple[str, Certificates]"
"""The scheduler that an operator named, and the files of its certificates."""

UTC_DAY: Final = "utc-day"
LOCAL_DAY: Final = "local-day"
DATES: Final = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]
"""Formats of days and times in options. They are UTC."""


site_option = click.option(
    "--site",
    help="Apply the settings and hints of this site's declaration, and leave out the lines that `newscrawl learn` "
    "found for it.",
)


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


def checked_pattern(text: str | None) -> str | None:
    """Returns the regular expression of `--url-pattern`. Raises UsageError if it is none."""
    try:
        re.compile(text or "")
    except re.error as error:
        raise UsageError(f"--url-pattern {text!r} is no regular expression: {error}") from error
    return text


def options_of_named(site: str) -> ArticleOptions:
    """Returns the options with which a crawl of the site reads its pages, with the epoch of its boilerplate that is
    current in the project's database. Raises UnknownSiteError, UsageError for a declaration that cannot be used, and
    StorageError for a database that exists and cannot be read."""
    # Loaded for this option only: reading a page without it needs neither a project nor a database.
    from scrapy.spiderloader import get_spider_loader

    from newscrawl.cli.common.project import required_settings
    from newscrawl.config.derived.article_options import options_of_site

    settings = required_settings()
    loader = get_spider_loader(settings)
    names = frozenset(loader.list())
    if site not in names:
        raise UnknownSiteError(site, names)
    options = options_of_site(settings, site, loader.load(site))
    return options.with_boilerplate(_current_epoch(site)) if options.leaves_out_boilerplate else options


class _Command(click.Command):
    """A command whose help ends with the extensions of installed packages, if there are any. They are searched only
    when the help is shown."""

    kinds: ClassVar[Sequence[ExtensionType]] = ()

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        for kind in self.kinds:
            found = declared(kind)
            if found:
                names = ", ".join(f"{extension.name} ({extension.package})" for extension in found)
                formatter.write_paragraph()
                formatter.write_text(f"{kind.noun.capitalize()}s of installed packages: {names}.")


class ChainsCommand(_Command):
    """A command that takes the name of a chain."""

    kinds = (EXTRACTORS, CHAINS)


class SinksCommand(_Command):
    """A command that takes the name of a sink."""

    kinds = (SINKS,)


def cluster_options(command: Callable[..., T]) -> Callable[..., T]:
    """Decorator: the options `--on` and `--tls-...` of a command with `--workers`, as the argument `cluster`: the
    scheduler's address and the files of certificates, None without --on. The command raises UsageError for an address
    that must not be used, without Dask, and beside `--workers`."""

    @wraps(command)
    def with_cluster(
        *args: Any, on: str | None, tls_ca: Path | None, tls_cert: Path | None, tls_key: Path | None, **options: Any
    ) -> T:
        if on is None:
            return command(*args, cluster=None, **options)
        from newscrawl.archive.batch.cluster.address import Certificates, checked_address
        from newscrawl.archive.batch.cluster.cluster import require_dask

        if options["workers"] is not None:
            raise UsageError("--workers is for this machine; with --on, the cluster has its own workers")
        require_dask()
        checked_address(on)
        return command(*args, cluster=(on, Certificates(tls_ca, tls_cert, tls_key)), **options)

    added = (
        click.option("--on", metavar="ADDRESS", help="Extract on the workers of this Dask scheduler: tls://HOST:8786."),
        click.option("--tls-ca", type=click.Path(path_type=Path), help="Certificate authority of the scheduler (PEM)."),
        click.option("--tls-cert", type=click.Path(path_type=Path), help="Certificate of this client (PEM)."),
        click.option("--tls-key", type=click.Path(path_type=Path), help="Key of this client's certificate (PEM)."),
    )
    for option in reversed(added):
        with_cluster = option(with_cluster)
    return with_cluster


def _short(moment: datetime) -> str:
    return moment.isoformat().removesuffix("T00:00:00")


def _current_epoch(site: str) -> SiteBoilerplate:
    """Returns the current epoch of the site; an empty one if there is no database yet."""
    from newscrawl.cli.common.project import project_reader
    from newscrawl.extraction.site_boilerplate import NO_BOILERPLATE
    from newscrawl.storage.monitoring import site_models

    try:
        with project_reader() as connection:
            return site_models.boilerplate(connection, site)
    except MissingDatabase:
        return NO_BOILERPLATE
