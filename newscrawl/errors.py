"""All errors that newscrawl raises deliberately.

NewscrawlError
├── UsageError              the operator asked for something that does not exist (exit code 2)
│   ├── NotFoundError       the page, site or article that was named is not stored
│   ├── UnknownChainError
│   ├── UnknownEncodingError  no character set of the web has this name (a LookupError as well)
│   ├── UnknownSiteError
│   ├── ConfigurationError  a setting has a value that cannot work
│   ├── ExtensionError      an extractor, chain, sink or verdict rule of the user's cannot be loaded
│   └── CorpusError         a benchmark's corpus is missing or not in the documented layout
├── OutputError             the output of a command cannot be written (exit code 2)
├── ProjectError            no usable Scrapy project around the command (exit code 2)
├── StorageError            the database cannot be opened, read or written (exit code 2)
│   ├── SchemaError         its schema is older or newer than this code
│   ├── MissingDatabase     there is none yet, and a reading command creates none
│   ├── DatabaseUnavailable its server does not answer, starts up or is full (exit code 75)
│   ├── LeaseLost           another process has taken over the site that this one crawled (exit code 75)
│   ├── DatabaseLocked      another process holds a lock of it for long (exit code 75)
│   ├── DatabaseInUse       another `newscrawl run` crawls with a SQLite file (exit code 75)
│   ├── DatabaseUpgraded    a newer newscrawl has upgraded it during this crawl (exit code 75)
│   └── IndexBusy           another process writes the search index now (exit code 75)
├── ArchiveError            the raw archive cannot be written or read (exit code 2)
├── FeedError               a sink of the change feed did not accept changes (exit code 2)
│   └── FeedBusy            it may accept the same changes later (exit code 75)
├── BatchStopped            a batch cannot continue now; its parts are kept (exit code 75)
├── SiteLeased              another process crawls this site now (exit code 75)
├── WrongClock              this machine's clock is not that of the database (exit code 75)
├── DailyBudgetReached      a site has had its requests of the day (exit code 75)
├── InvalidUrl              not an http(s) URL that anything could be fetched from (a ValueError as well)
├── BadAnswer               a server's answer cannot be read; passed as a result, with the name of the crawl's counter
├── FetchError              a URL a command asked for could not be fetched (exit code 1)
└── ExtractionError         an extractor failed on a page; passed as a result, never the end of a crawl
    ├── ExtractionTimeout
    └── WorkerDied

Exit code 75 (EX_TEMPFAIL of sysexits.h) means: nothing is wrong, the same command may work later.

Messages are lower-case and say what was wrong, where, and what to do. An expected failure of a crawl (a 404, a refusal
by robots.txt, a broken page) is not an exception but a stored outcome and a counter.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final

MAX_NAMED: Final = 10
"""Sites that an error lists."""
TEMPORARY: Final = 75
"""Exit code of a command that another process prevents for now (EX_TEMPFAIL of sysexits.h)."""


class NewscrawlError(Exception):
    """The base class of all deliberate errors; `str()` of one is a line for an operator."""

    exit_code = 2


class UsageError(NewscrawlError):
    """A command's argument or a setting names something that does not exist or cannot be used that way."""


class NotFoundError(UsageError):
    """The page, site or article that is named is not stored."""


class UnknownChainError(UsageError):
    """No chain has this name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        super().__init__(
            f"unknown chain {name!r}: choose one of {', '.join(sorted(known))}, optionally with +tree1 ... +tree5"
        )


class UnknownEncodingError(LookupError, UsageError):
    """No character set of the web has this name."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"unknown encoding {name[:60]!r}: give a name like utf-8 or windows-1252")


class UnknownSiteError(UsageError):
    """No spider has this name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        names = sorted(known)
        choice = f"choose one of {', '.join(names)} (`newscrawl sites` lists them)"
        super().__init__(f"unknown site {name!r}: {meant(name, names)}{choice}")


class ConfigurationError(UsageError):
    """A setting has a value that cannot work."""

    def __init__(self, setting: str, problem: str) -> None:
        self.setting = setting
        super().__init__(f"setting {setting}: {problem}")


class ExtensionError(UsageError):
    """An extractor, chain, sink or verdict rule that a package or setting declares cannot be used."""


class OutputError(NewscrawlError):
    """The output of a command cannot be written to the given place."""

    def __init__(self, place: object, problem: str) -> None:
        super().__init__(f"cannot write {place}: {problem}")


class CorpusError(UsageError):
    """A benchmark's corpus is missing or is not in the layout that `newscrawl.bench.corpora` documents."""


class ProjectError(NewscrawlError):
    """There is no usable newscrawl project (scrapy.cfg, settings, spiders, pipelines) here."""


class StorageError(NewscrawlError):
    """The database cannot be opened, read or written."""


class SchemaError(StorageError):
    """The schema of the database is not the one that this code needs."""

    @classmethod
    def not_upgraded(cls, database: str) -> SchemaError:
        """Returns the error for `database`, as operators see it, that has no tables or those of an older newscrawl."""
        return cls(f"database {database} has no tables or those of an older newscrawl: run `newscrawl db upgrade`")


class MissingDatabase(StorageError):
    """There is no database yet, and a reading command creates none."""


class DatabaseUnavailable(StorageError):
    """The database cannot be reached or accepts no writes now; the same operation may succeed later."""

    exit_code = TEMPORARY


class LeaseLost(StorageError):
    """Another process has become the owner of a site's lease, so a write of this process's crawl was refused."""

    exit_code = TEMPORARY

    def __init__(self, site: str) -> None:
        self.site = site
        super().__init__(f"the lease of {site!r} is lost: another process crawls the site now")

    def __reduce__(self) -> tuple[type[LeaseLost], tuple[str]]:
        return type(self), (self.site,)


class DatabaseLocked(StorageError):
    """Another process holds a lock of the database for longer than the time-out."""

    exit_code = TEMPORARY


class DatabaseInUse(StorageError):
    """Another `newscrawl run` crawls with this SQLite database, or an older newscrawl with the one to be upgraded."""

    exit_code = TEMPORARY


class DatabaseUpgraded(StorageError):
    """Another newscrawl has upgraded the database to a newer schema while this process crawled."""

    exit_code = TEMPORARY


class WrongClock(NewscrawlError):
    """This machine's clock is not that of the database, so a crawl would store wrong times."""

    exit_code = TEMPORARY


class IndexBusy(StorageError):
    """Another process writes the search index for longer than the time-out."""

    exit_code = TEMPORARY


class ArchiveError(NewscrawlError):
    """The raw archive cannot be written or read."""


class BatchStopped(NewscrawlError):
    """A batch cannot continue now: its engine or its inputs do not answer. The same command continues later."""

    exit_code = TEMPORARY


class FeedError(NewscrawlError):
    """A sink of the change feed did not accept changes."""


class FeedBusy(FeedError):
    """A sink of the change feed does not answer, or cannot take changes now. It asked to be left alone for
    `retry_after` seconds, 0 if it did not ask."""

    exit_code = TEMPORARY

    def __init__(self, message: str, retry_after: float = 0.0) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class SiteLeased(NewscrawlError):
    """Another process crawls this site now. Its lease ends at `until` unless it is renewed."""

    exit_code = TEMPORARY

    def __init__(self, site: str, owner: str, until: datetime) -> None:
        self.site = site
        self.owner = owner
        self.until = until
        super().__init__(
            f"site {site!r} is crawled by {owner} now, until {until:%Y-%m-%d %H:%M:%S} UTC at least: wait, or stop that"
        )


class DailyBudgetReached(NewscrawlError):
    """Today's (UTC) budget of requests that `newscrawl budget` set for a site is used up."""

    exit_code = TEMPORARY

    def __init__(self, site: str, budget: int) -> None:
        super().__init__(
            f"site {site!r} has had its {budget} requests of today (UTC): wait until tomorrow, or change it with "
            f"`newscrawl budget {site}`"
        )


class InvalidUrl(ValueError, NewscrawlError):
    """The text is no http(s) URL that can be fetched."""

    def __init__(self, url: str, reason: str) -> None:
        self.url = url
        self.reason = reason
        super().__init__(f"invalid url {url[:200]!r}: {reason}")


class BadAnswer(NewscrawlError):
    """A server's answer cannot be read; `code` is its reason code."""

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        super().__init__(reason)


class FetchError(NewscrawlError):
    """A URL that a command asked for could not be fetched."""

    exit_code = 1

    def __init__(self, url: str, reason: str) -> None:
        self.url = url
        self.reason = reason
        super().__init__(f"cannot fetch {url}: {reason}")


class ExtractionError(NewscrawlError):
    """A page could not be turned into an article; `code` is its reason code."""

    code = "extraction/error"
    exit_code = 1


class ExtractionTimeout(ExtractionError):
    """The page took longer than NEWSCRAWL_EXTRACT_TIMEOUT seconds."""

    code = "extraction/timeout"


class WorkerDied(ExtractionError):
    """The worker process died on this page (memory limit, crash in native code)."""

    code = "extraction/worker_died"


def meant(name: str, known: Iterable[str]) -> str:
    """Returns "is NAME meant? " if a known name is spelled similarly, else ""."""
    near = difflib.get_close_matches(name, sorted({*known} - {name}), n=1)
    return f"is {near[0]} meant? " if near else ""


def site_not_stored(site: str, stored: Collection[str], declared: Collection[str] | None = None) -> UsageError:
    """The error for a site of which the database has nothing. `stored` are the sites that it has, `declared` those of
    the project, None if they are not known."""
    names, near = sorted(stored), meant(site, {*stored, *(declared or ())})
    listed = ", ".join(names[:MAX_NAMED]) + (f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else "")
    if declared is None:
        return UsageError(f"no site {site!r} in the database: {near}it has {listed or 'none yet'}")
    return UsageError(f"no site {site!r} is declared or stored: {near}the database has {listed or 'none yet'}")


def os_reason(error: OSError) -> str:
    """Returns the system's reason for an error, as part of a message: "no space left on device"."""
    return (error.strerror or str(error)).lower()
