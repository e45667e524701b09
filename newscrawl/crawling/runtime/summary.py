"""What a crawl came to, from its counters: pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from newscrawl.model import group_of
from newscrawl.storage.frontier.site_days import NEW_PAGES

INTERRUPTED: Final = "crawl/interrupted"
"""Counter whose value is the number of the signal that ended the crawl."""

STORAGE_FAILED: Final = "storage_failed"
"""Why a crawl ended whose database or archive went on refusing."""
STORAGE_REFUSED: Final = "storage/refused"
"""Counter of what was refused; a crawl that has it did not end well."""

ARCHIVE_REFUSED: Final = "archive/refused"
"""The same of pages that the archive could not keep."""

FAILURE_FAMILIES: Final = (
    "robots/",
    "politeness/",
    "security/",
    "http/",
    "download/",
    "redirect/",
    "content/",
    "extraction/",
    "source/",
)
"""Counters that stand for a page or source the operator did not get, unless model.group_of says otherwise."""

_NO_FAILURE: Final = frozenset({"extraction/fallback", "robots/delay_capped", "robots/fetched", NEW_PAGES})
"""Counters in those families that are no loss."""
_VERDICTS: Final = "verdict/"
_ARTICLE: Final = "verdict/article"


@dataclass(frozen=True, slots=True)
class Summary:
    """Numbers of one crawl of one site."""

    site: str
    answered: int
    """Answers to all requests: sources, robots.txt, redirects and pages."""
    fetched: int
    """Pages handed to extraction, or found unchanged."""
    unchanged: int
    inserted: int
    new_versions: int
    duplicates: int
    fallbacks: int
    forbidden: int
    failures: tuple[tuple[str, int], ...]
    """Counter and number, most frequent first; what a failure is: model.group_of."""
    errors: int
    """Messages of level ERROR: defects, or a machine in trouble."""
    seconds: float
    interrupted: bool = False
    """Whether Ctrl-C or SIGTERM ended it before its time."""
    held: int = 0
    """Pages kept from readers because the site's extraction looks broken."""
    other_extractor: int = 0
    """Pages of such a site that another extractor read as they used to be."""
    nothing: tuple[str, ...] = ()
    """Of a crawl that stored nothing: what came of its sources, a line each."""
    gone: int = 0
    """Answers 404 and 410."""
    no_article: int = 0
    """Pages that were read and are no article, by their verdict."""
    new_pages_left: int = 0
    """Announced pages left for another day, because the site's new pages of today are spent."""
    all_known: bool = False
    """Whether it stored nothing since its sources had nothing new, which is no fault."""

    @property
    def failed(self) -> int:
        """All failures."""
        return sum(count for _, count in self.failures)

    def rows(self, explained: Mapping[str, str] = MappingProxyType({})) -> list[tuple[str, str]]:
        """Label and value of every line of the table. `explained` are kinds of failure that the site has on purpose."""
        rows = [
            ("requests answered", str(self.answered)),
            ("  unchanged, not downloaded again", str(self.unchanged)),
            ("pages fetched", str(self.fetched)),
            ("articles stored", str(self.inserted)),
            ("new versions of known articles", str(self.new_versions)),
            ("duplicates suppressed", str(self.duplicates)),
            ("fallbacks used", str(self.fallbacks)),
            *([("read by another extractor", str(self.other_extractor))] if self.other_extractor else []),
            *([("held back", str(self.held))] if self.held else []),
            ("refused by robots.txt", str(self.forbidden)),
            *([("gone (404, 410)", str(self.gone))] if self.gone else []),
            *([("no article", str(self.no_article))] if self.no_article else []),
            *([("new pages left for another day", str(self.new_pages_left))] if self.new_pages_left else []),
            ("failures", str(self.failed)),
        ]
        rows += [
            (f"  {kind}" + (" (intended)" if kind in explained else ""), str(count)) for kind, count in self.failures
        ]
        if self.errors:
            rows.append(("errors in the log", str(self.errors)))
        if self.interrupted:
            rows.append(("interrupted", "yes"))
        return [*rows, ("seconds", f"{self.seconds:.1f}")]


def summarise(site: str, counters: Mapping[str, object], seconds: float) -> Summary:
    """The summary of Scrapy's counters for `site`."""

    def number(name: str) -> int:
        value = counters.get(name, 0)
        return value if isinstance(value, int) else 0

    lost = [name for name in counters if name.startswith(FAILURE_FAMILIES) and name not in _NO_FAILURE and number(name)]
    failures = [(name, number(name)) for name in lost if group_of(name) == "failure"]
    judged = (name for name in counters if name.startswith(_VERDICTS) and name != _ARTICLE)
    return Summary(
        site=site,
        answered=number("downloader/response_count"),
        fetched=number("item_scraped_count"),
        unchanged=number("downloader/response_status_count/304"),
        inserted=number("outcome/inserted"),
        new_versions=number("outcome/new_version"),
        duplicates=number("outcome/joined"),
        fallbacks=number("extraction/fallback"),
        forbidden=number("robots/forbidden"),
        failures=tuple(sorted(failures, key=lambda pair: (-pair[1], pair[0]))),
        gone=sum(number(name) for name in lost if group_of(name) == "gone"),
        no_article=sum(map(number, judged)),
        errors=number("log_count/ERROR") + number("log_count/CRITICAL"),
        seconds=seconds,
        interrupted=bool(number(INTERRUPTED)),
        held=number("hold/held"),
        other_extractor=number("hold/other_extractor"),
        new_pages_left=number(NEW_PAGES),
        all_known=_all_known(number) and not failures,
        nothing=_why_nothing(number) if not (number("outcome/inserted") or number("outcome/new_version")) else (),
    )


def _all_known(number: Callable[[str], int]) -> bool:
    """Whether every source answered, and none named an article that was not known before."""
    known, named = number("discovery/known"), number("discovery/candidates")
    return (
        not number("discovery/source_failed") and known == named and bool(known or number("discovery/source_unchanged"))
    )


def _why_nothing(number: Callable[[str], int]) -> tuple[str, ...]:
    """Where the way from the sources to an article ended."""
    if not number("discovery/sources_asked"):
        return ()
    refused = [
        ("known already, and not due again", number("discovery/known")),
        ("not like an article's address (see `articles` of the site)", number("discovery/not_article")),
        ("on another site (see `domains` of the site)", number("discovery/offsite")),
        ("older than since", number("discovery/too_old")),
        ("over the limit of one crawl", number("discovery/over_limit")),
        ("left for another day (see `daily_requests` of the site)", number(NEW_PAGES)),
    ]
    entries = sum(number(f"discovery/{name}") for name in ("candidates", "not_article", "offsite", "over_limit"))
    lines = [
        f"sources asked: {number('discovery/sources_asked')}",
        f"  unchanged since the last crawl: {number('discovery/source_unchanged')}",
        f"  failed: {number('discovery/source_failed') + number('discovery/guess_failed')}",
        f"addresses they named: {entries}",
        *(f"  {label}: {count}" for label, count in refused if count),
    ]
    return tuple(lines)
