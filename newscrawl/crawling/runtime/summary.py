"""Summarises a crawl from its counters. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from newscrawl.crawling.scheduling.site_state import NEW_PAGE_LIMIT_REACHED
from newscrawl.model import group_of

INTERRUPTED: Final = "crawl/interrupted"
"""Counter whose value is the number of the signal that ended the crawl."""

STORAGE_FAILED: Final = "storage_failed"
"""Finish reason of a crawl whose database or archive kept refusing writes."""
STORAGE_REFUSED: Final = "storage/refused"
"""Counter of pages that the database refused; a crawl with such pages has failed."""

ARCHIVE_REFUSED: Final = "archive/refused"
"""Counter of pages that the archive could not store; a crawl with such pages has failed."""

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
"""Counters of pages and sources that were lost, unless model.group_of says otherwise."""

SENT_AGAIN: Final = "politeness/sent_again"
"""Counter of requests that were sent again through the throttle because the server was closing the connection. They are
not put off."""
SLOW_DOWN: Final = "politeness/slow_down_requested"
"""Counter of answers 429 and 503. A request that is repeated with success has no other trace."""
NOTES: Final = frozenset({"robots/delay_capped", "robots/fetched", "robots/read_meanwhile", SENT_AGAIN, SLOW_DOWN})
"""Counters in the families of refusals and failures that are neither."""
_NO_FAILURE: Final = NOTES | {"extraction/fallback", NEW_PAGE_LIMIT_REACHED}
"""Counters in those families that are no losses."""
_VERDICTS: Final = "verdict/"
_ARTICLE: Final = "verdict/article"


@dataclass(frozen=True, slots=True)
class Summary:
    """Numbers of one crawl of one site."""

    site: str
    answered: int
    """Answers to all requests: sources, robots.txt, redirects and pages."""
    fetched: int
    """Pages sent to extraction, or found unchanged."""
    unchanged: int
    inserted: int
    new_versions: int
    duplicates: int
    fallbacks: int
    forbidden: int
    failures: tuple[tuple[str, int], ...]
    """Pairs of counter and number, most frequent first; model.group_of defines which counters are failures."""
    errors: int
    """Log messages of level ERROR or higher."""
    seconds: float
    interrupted: bool = False
    """Whether Ctrl-C or SIGTERM ended the crawl early."""
    in_review: int = 0
    """Pages held for review because the site's extraction looks broken."""
    other_extractor: int = 0
    """Pages of such a site whose text is from another extractor."""
    nothing: tuple[str, ...] = ()
    """Lines that explain why a crawl stored nothing; empty if it stored something."""
    gone: int = 0
    """Answers 404 and 410."""
    no_article: int = 0
    """Pages that were read and are not articles, according to their verdict."""
    not_sent: tuple[tuple[str, int], ...] = ()
    """Pairs of counter and number of requests that were put off: a host rests, a limit is reached."""
    new_pages_left: int = 0
    """Announced pages left for another day, because the site's limit of new pages is reached."""
    slow_downs: int = 0
    """Answers 429 and 503."""
    all_known: bool = False
    """Whether the crawl stored nothing because its sources had nothing new, which is not an error."""

    @property
    def failed(self) -> int:
        """All failures."""
        return sum(count for _, count in self.failures)

    def rows(self, explained: Mapping[str, str] = MappingProxyType({})) -> list[tuple[str, str]]:
        """Returns label and value of every line of the table. `explained` are kinds of failure that the operator
        intends."""
        rows = [
            ("requests answered", str(self.answered)),
            ("  unchanged, not downloaded again", str(self.unchanged)),
            ("pages fetched", str(self.fetched)),
            ("articles stored", str(self.inserted)),
            ("new versions of known articles", str(self.new_versions)),
            ("duplicates suppressed", str(self.duplicates)),
            ("fallbacks used", str(self.fallbacks)),
            *([("read by another extractor", str(self.other_extractor))] if self.other_extractor else []),
            *([("held for review", str(self.in_review))] if self.in_review else []),
            ("refused by robots.txt", str(self.forbidden)),
            *([("gone (404, 410)", str(self.gone))] if self.gone else []),
            *([("no article", str(self.no_article))] if self.no_article else []),
            *([("new pages left for another day", str(self.new_pages_left))] if self.new_pages_left else []),
            *([("requests put off", ", ".join(f"{kind} {n}" for kind, n in self.not_sent))] if self.not_sent else []),
            *([("asked to slow down (429, 503)", str(self.slow_downs))] if self.slow_downs else []),
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
    """Returns the summary of Scrapy's counters for `site`."""

    def number(name: str) -> int:
        value = counters.get(name, 0)
        return value if isinstance(value, int) else 0

    lost = [name for name in counters if name.startswith(FAILURE_FAMILIES) and name not in _NO_FAILURE and number(name)]
    failures = [(name, number(name)) for name in lost if group_of(name) == "failure"]
    put_off = [(name, number(name)) for name in lost if group_of(name) == "not sent"]
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
        in_review=number("outcome/held_for_review"),
        other_extractor=number("review/other_extractor"),
        not_sent=tuple(sorted(put_off)),
        slow_downs=number(SLOW_DOWN),
        new_pages_left=number(NEW_PAGE_LIMIT_REACHED),
        all_known=_all_known(number) and not failures,
        nothing=_why_nothing(number) if not (number("outcome/inserted") or number("outcome/new_version")) else (),
    )


def _all_known(number: Callable[[str], int]) -> bool:
    """Returns whether every source answered and none named an article that was not known before."""
    known, named = number("discovery/known"), number("discovery/candidates")
    return (
        not number("discovery/source_failed") and known == named and bool(known or number("discovery/source_unchanged"))
    )


def _why_nothing(number: Callable[[str], int]) -> tuple[str, ...]:
    """Returns lines that show at which step between sources and articles the entries were dropped."""
    if not number("discovery/sources_requested"):
        return ()
    refused = [
        ("known already, and not due again", number("discovery/known")),
        ("not like an article's address (see `articles` of the site)", number("discovery/not_article")),
        ("on another site (see `domains` of the site)", number("discovery/offsite")),
        ("older than since", number("discovery/too_old")),
        ("over the limit of one crawl", number("discovery/over_limit")),
        ("left for another day (see `daily_requests` of the site)", number(NEW_PAGE_LIMIT_REACHED)),
    ]
    entries = sum(number(f"discovery/{name}") for name in ("candidates", "not_article", "offsite", "over_limit"))
    lines = [
        f"sources requested: {number('discovery/sources_requested')}",
        f"  unchanged since the last crawl: {number('discovery/source_unchanged')}",
        f"  failed: {number('discovery/source_failed') + number('discovery/guess_failed')}",
        f"addresses they named: {entries}",
        *(f"  {label}: {count}" for label, count in refused if count),
    ]
    return tuple(lines)
