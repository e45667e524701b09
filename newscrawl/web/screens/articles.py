"""The screens of what is stored: articles, their search, one page, its versions, and what happened to an address."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time
from typing import Any, Final, Literal

from newscrawl.errors import NotFoundError, UsageError
from newscrawl.model import Structure
from newscrawl.model.identity import url_key
from newscrawl.publishing.search import Filters, SearchHit, query_of
from newscrawl.publishing.search.query_execution import search_read_only
from newscrawl.reports import UrlReport, shown_articles, url_report
from newscrawl.reports import article as stored_article
from newscrawl.reports.history import (
    CaptureLine,
    ShownVersion,
    StoredVersion,
    best_capture,
    capture_lines,
    history,
    shown_version,
)
from newscrawl.reports.shown_articles import Place, ShownArticle, Wanted
from newscrawl.reports.story import NONE, Copy, FirstPage, Overlaps, copies
from newscrawl.storage.articles.deciding.differences import readable
from newscrawl.storage.articles.lookup import page_at
from newscrawl.storage.reader import Connection
from newscrawl.web.screens.screen import Context, Screen, check_site

PART: Final = 100
WRONG_PLACE: Final = "after={!r}: give the `next` of the part before"
MAX_DIGITS: Final = 18
"""Digits of the number of a version. The database holds no more than 63 bits."""


@dataclass(frozen=True, slots=True)
class ArticlesQuery:
    """Which articles: of a site, a language ("de" includes "de-AT"), a verdict, a day (UTC) on which their page first
    showed the text, and those after a part (`next`)."""

    site: str | None = None
    language: str | None = None
    verdict: Literal["article", "live", "paywalled", "short"] | None = None
    day: date | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class ArticlesScreen:
    """Some articles, by the time when a page first showed them. A part may have few of them, or none, and yet a `next`:
    the parameter `after` of the following part, None at the end."""

    articles: Sequence[ShownArticle]
    next: str | None


def load_articles(connection: Connection, query: ArticlesQuery, _context: Context) -> ArticlesScreen:
    """Returns a part of the articles. Raises UsageError for an unknown site."""
    check_site(connection, query.site)
    wanted = Wanted(query.site, query.language, query.verdict, query.day)
    after = _read_place(query.after) if query.after is not None else None
    part = shown_articles.part(connection, wanted, PART, after)
    return ArticlesScreen(tuple(part.articles), _place_text(part.following) if part.following is not None else None)


def _place_text(place: Place) -> str:
    moment, number = place
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%S.%f}-{number}"


def _read_place(text: str) -> Place:
    moment, _, number = text.partition("-")
    if len(number) > MAX_DIGITS:
        raise UsageError(WRONG_PLACE.format(text[:50]))
    try:
        at = datetime.strptime(moment, "%Y%m%dT%H%M%S.%f").replace(tzinfo=UTC)
        return at, int(number)
    except ValueError as error:
        raise UsageError(WRONG_PLACE.format(text[:50])) from error


ARTICLES = Screen("articles", "/articles", "Articles", ArticlesQuery, ArticlesScreen, load_articles)


HITS: Final = 30


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The words, as `newscrawl search` takes them, and which articles: of a site, of a language, from a day on."""

    q: str | None = None
    site: str | None = None
    language: str | None = None
    since: date | None = None

    @property
    def to_save(self) -> str:
        """The query with its site and language, as a standing search has it. That finds what is stored from now on, so
        it has no day."""
        chosen = (f'site:"{self.site}"' if self.site else "", f"lang:{self.language}" if self.language else "")
        return " ".join(filter(None, (self.q, *chosen)))


@dataclass(frozen=True, slots=True)
class SearchScreen:
    """The best stories, best first; `more` says whether there are others. The pages never write the search index:
    `has_index` is False without one, and `behind` is the number of changes that it lacks; `newscrawl search` brings it
    up to date. `old` is always 0."""

    hits: Sequence[SearchHit]
    has_index: bool
    behind: int
    old: int = 0
    more: bool = False


NOTHING: Final = SearchScreen((), has_index=True, behind=0)
"""The value without a query, or beside the error of one."""


def load_search(connection: Connection, query: SearchQuery, context: Context) -> SearchScreen:
    """Returns the best stories. Raises UsageError for a query that cannot be meant, or without a word to search
    for."""
    check_site(connection, query.site)
    if query.q is None:
        return NOTHING
    since = datetime.combine(query.since, time(), UTC) if query.since is not None else None
    filters = Filters(query.site, since, query.language)
    found = search_read_only(context.database_url, connection, query_of(query.q, context.now), filters, HITS + 1)
    if found is None:
        return SearchScreen((), has_index=False, behind=0)
    hits = tuple(found.hits[:HITS])
    return SearchScreen(hits, has_index=True, behind=found.behind, more=len(found.hits) > HITS)


SEARCH = Screen("search", "/search", "Search", SearchQuery, SearchScreen, load_search, empty=NOTHING)


@dataclass(frozen=True, slots=True)
class ArticleQuery:
    """Which page: by its address in any spelling, or the first page of an article by its id."""

    url: str | None = None
    id: int | None = None


@dataclass(frozen=True, slots=True)
class ArticleScreen:
    """A page. `state` is found, fetched, failed, gone or expired; `failure` is the reason code of the latest visit if
    that failed. `version` is what the page shows, `text` its text with its `structure`; they are None if it shows no
    article. `copies` are the articles of the same story, `overlaps` larger and smaller texts of other stories."""

    url: str
    site: str
    state: str
    verdict: str | None
    failure: str | None
    first_seen: datetime
    last_fetched: datetime | None
    next_due: datetime | None
    article_id: int | None
    text: str | None
    structure: Structure | None
    version: ShownVersion | None
    addresses: Sequence[str]
    other_pages: Sequence[str]
    first_page: FirstPage | None
    copies: Sequence[Copy]
    overlaps: Overlaps
    captures: Sequence[CaptureLine]
    capture: CaptureLine | None


def load_article(connection: Connection, query: ArticleQuery, context: Context) -> ArticleScreen:
    """Returns a page. Raises NotFoundError, UsageError, and InvalidUrl for what is no address."""
    url = address_of(connection, query.url, query.id)
    page = page_at(connection, url)
    if page is None or page.id is None:
        raise NotFoundError(f"no page is stored for {url[:200]}")
    report = url_report(connection, url, context.now)
    known = report.page if report is not None else None
    shown = known.article if known is not None else None
    found = stored_article(connection, page.article_id) if page.article_id is not None else None
    addresses = known.urls if known is not None else (page.url,)
    captures = tuple(capture_lines(connection, set(map(url_key, addresses))))
    return ArticleScreen(
        url=page.url,
        site=page.site,
        state=page.state,
        verdict=page.verdict,
        failure=page.failure_kind,
        first_seen=page.first_seen,
        last_fetched=page.last_fetched,
        next_due=page.next_due,
        article_id=page.article_id,
        text=found.text if found is not None else None,
        structure=found.structure if found is not None else None,
        version=shown_version(connection, page.id),
        addresses=tuple(addresses),
        other_pages=tuple(shown.other_pages) if shown is not None else (),
        first_page=shown.first_page if shown is not None else None,
        copies=tuple(copies(connection, page.article_id)) if page.article_id is not None else (),
        overlaps=shown.overlaps if shown is not None else NONE,
        captures=captures,
        capture=best_capture(captures),
    )


def address_of(connection: Connection, url: str | None, number: int | None) -> str:
    """Returns the address that a query names. Raises UsageError, or NotFoundError for an article that no page shows."""
    if url is not None and number is None:
        return url
    if number is None or url is not None:
        raise UsageError("give either url or id")
    found = stored_article(connection, number)
    if found is None:
        raise NotFoundError(f"no page shows an article with the id {number}")
    return found.url


ARTICLE = Screen("article", "/article", "Article", ArticleQuery, ArticleScreen, load_article, in_navigation=False)


Kind = Literal["same", "removed", "added"]
_OPENING: Final = re.compile(r"\[-|\{\+")
_MARKS: Final[dict[str, tuple[str, Kind]]] = {"[-": ("-]", "removed"), "{+": ("+}", "added")}
"""The text that closes each mark of a difference, and the text between them."""


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """Which page, and which two of its versions are compared, by their numbers; by default the last two."""

    url: str
    older: int | None = None
    newer: int | None = None


@dataclass(frozen=True, slots=True)
class DiffPart:
    """Some words of a difference."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A version of the page, with its number from 1 on."""

    number: int
    article_id: int
    seen_at: datetime
    last_seen: datetime
    change_class: str
    verdict: str
    title: str | None
    authors: Sequence[str]
    published: datetime | None
    extractor: str
    words: int
    is_shown: bool
    new_entries: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class HistoryScreen:
    """The versions of a page, oldest first, and the paragraphs that differ between two of them. `difference` has one
    list of words for each paragraph. `capture` is the newest one whose bytes are kept."""

    url: str
    site: str
    versions: Sequence[VersionLine]
    older: int | None
    newer: int | None
    titles: Sequence[str | None]
    difference: Sequence[Sequence[DiffPart]]
    capture: CaptureLine | None = None


def load_history(connection: Connection, query: HistoryQuery, _context: Context) -> HistoryScreen:
    """Returns the versions of a page; none for one that has shown no article. Raises NotFoundError, and UsageError for
    a number that no version has."""
    past = history(connection, query.url)
    if past is None:
        raise NotFoundError(f"no page is stored for {query.url[:200]}")
    capture = best_capture(capture_lines(connection, [url_key(past.url)]))
    if not past.versions:
        return HistoryScreen(past.url, past.site, (), None, None, (), (), capture)
    number = len(past.versions)
    newer = query.newer or number
    older = query.older or max(1, newer - 1)
    if not (1 <= older <= number and 1 <= newer <= number):
        raise UsageError(f"this page has the versions 1 to {number}: compare two of them")
    a, b = past.versions[older - 1], past.versions[newer - 1]
    return HistoryScreen(
        past.url,
        past.site,
        tuple(_line(place, one, past.current) for place, one in enumerate(past.versions, 1)),
        older if number > 1 else None,
        newer if number > 1 else None,
        (a.title, b.title) if a.title != b.title else (),
        tuple(map(tuple, map(_parts, readable(a.text, b.text)))) if older != newer else (),
        capture,
    )


def _line(place: int, version: StoredVersion, current: int | None) -> VersionLine:
    own = {"number": place, "words": len(version.text.split()), "is_shown": version.article_id == current}
    return VersionLine(
        **own | {one.name: getattr(version, one.name) for one in fields(VersionLine) if one.name not in own}
    )


def _parts(line: str) -> Iterator[DiffPart]:
    """Yields the words of one line of a difference to read."""
    sign, text = line[:1], line[2:]
    if sign != "~":
        yield DiffPart("removed" if sign == "-" else "added", text)
        return
    end = position = 0
    closing = dict.fromkeys(_MARKS, True)  # an end that is missing is looked for once, however often its mark opens
    while found := _OPENING.search(text, position):
        position = found.end()
        mark, kind = _MARKS[found[0]]
        closed = text.find(mark, position) if closing[found[0]] else -1
        if closed < 0:
            closing[found[0]] = False
            continue
        if found.start() > end:
            yield DiffPart("same", text[end : found.start()])
        yield DiffPart(kind, text[position:closed])
        end = position = closed + len(mark)
    if end < len(text):
        yield DiffPart("same", text[end:])


HISTORY = Screen("history", "/history", "History", HistoryQuery, HistoryScreen, load_history, in_navigation=False)


@dataclass(frozen=True, slots=True)
class WhyQuery:
    """The address, in any spelling."""

    url: str


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened: `kind` is found, version, capture, review, forward, or a reason code of an event."""

    at: datetime
    kind: str
    detail: str
    status: int | None = None


@dataclass(frozen=True, slots=True)
class WhyScreen:
    """The stored state of an address. `moments` are in the order of time. `state` is None for one that is no page.
    `capture` is the newest one whose bytes are kept."""

    url: str
    site: str | None
    state: str | None
    failure: str | None
    failures: int
    next_due: datetime | None
    blocked_since: datetime | None
    moments: Sequence[Moment]
    capture: CaptureLine | None = None


def load_why(connection: Connection, query: WhyQuery, context: Context) -> WhyScreen:
    """Returns what happened to an address. Raises NotFoundError, and InvalidUrl for what is no address."""
    report = url_report(connection, query.url, context.now)
    if report is None:
        raise NotFoundError(f"nothing is known about {query.url[:200]}")
    page = report.page.page if report.page is not None else None
    addresses = report.page.urls if report.page is not None else (query.url,)
    captures = capture_lines(connection, set(map(url_key, addresses)))
    moments = [*_moments(report)]
    for capture in captures:
        came = f"article {capture.article_id}" if capture.article_id is not None else capture.failure or "unchanged"
        moments.append(Moment(capture.fetched_at, "capture", f"{capture.kind} in {capture.file}: {came}"))
    return WhyScreen(
        url=page.url if page is not None else report.url,
        site=page.site if page is not None else None,
        state=page.state if page is not None else None,
        failure=page.failure_kind if page is not None else None,
        failures=page.failures if page is not None else 0,
        next_due=page.next_due if page is not None else None,
        blocked_since=report.blocked_since,
        moments=tuple(sorted(moments, key=lambda moment: moment.at)),
        capture=best_capture(captures),
    )


def _moments(report: UrlReport) -> Iterator[Moment]:
    if report.page is not None:
        found = report.page.discovery
        where = f"in {found.kind} {found.source}" if found is not None else "without a source"
        yield Moment(report.page.page.first_seen, "found", where)
        for version in report.page.versions:
            yield Moment(version.seen_at, "version", f"{version.change_class}: {version.title or 'no title'}")
        for brought in report.page.brought_forward:
            yield Moment(brought.at, "forward", f"the next visit comes earlier: {brought.reason} ({brought.source})")
    for held in report.in_review:
        yield Moment(held.at, "review", ", ".join(held.reasons))
    for source in report.sources:
        if source.last_fetched is not None:
            named = f"{source.kind} of {source.site}: named {source.named:,}, {source.new:,} of them new"
            yield Moment(source.last_fetched, "source", named, source.last_status)
    for event in report.events:
        yield Moment(event.at, event.kind, event.reason, event.status)


WHY = Screen("why", "/why", "Why", WhyQuery, WhyScreen, load_why, in_navigation=False)
