"""`newscrawl.open`: a database as typed values, for reading only."""

from __future__ import annotations

import logging
import re
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime, time, timedelta
from types import TracebackType
from typing import Final, Self, get_args

from newscrawl.errors import UsageError, site_not_stored
from newscrawl.model import Verdict
from newscrawl.model.identity.masking import masked
from newscrawl.publishing.search import Filters, SearchHit, query_of, run_query
from newscrawl.publishing.search.filters import combined
from newscrawl.reports import ArticleSelection, ExportedArticle, Period, article, articles
from newscrawl.reports.export import StoredPage, stored_page
from newscrawl.reports.history import History, history
from newscrawl.reports.sites import site_names
from newscrawl.reports.story import Story, story
from newscrawl.storage.reader import Connection, ReadDatabase

logger = logging.getLogger(__name__)

MAX_HITS: Final = 1_000
"""Stories that one search may return."""
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
"""The form of a language tag (RFC 5646, section 2.1)."""


def open(url: str) -> Reader:  # noqa: A001  as gzip.open
    """Opens a database of newscrawl for reading: `sqlite:///FILE` or `postgresql://USER@HOST/NAME`.

    Nothing is created, migrated or changed. Raises a NewscrawlError that says what to do: StorageError for an address
    that cannot be used, MissingDatabase if there is no database, SchemaError if its tables are older or newer than this
    newscrawl or are of something else.
    """
    reader = Reader(url)
    reader.sites()
    return reader


class Reader:
    """A database of newscrawl, open for reading. Use it as a context manager, or call `close`.

    Each call reads one state of the database, the newest, over a connection of its own. So a crawl may write at the
    same time, neither waits for the other, and several threads may use one reader. All times are aware, in UTC; all
    values are frozen.

    The methods raise UsageError for an argument that cannot be meant, StorageError if the database cannot be read, and
    SchemaError after it was upgraded to the tables of a newer newscrawl.
    """

    def __init__(self, url: str) -> None:
        if not isinstance(url, str):
            raise UsageError(f"a database is named by text like sqlite:///news.db, not by {type(url).__name__}")
        self._url = url
        self._database = ReadDatabase(url)
        self._is_closed = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {masked(self._url)}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends reading: later calls, and iterators that are not at their end, raise UsageError."""
        self._is_closed = True

    def sites(self) -> list[str]:
        """Returns the names of all sites that have a page or were crawled."""
        with self._reading() as connection:
            return site_names(connection)

    def articles(
        self,
        *,
        site: str | None = None,
        day: date | None = None,
        since: date | None = None,
        until: date | None = None,
        by_local_day: bool = False,
        language: str | None = None,
        verdict: str | None = None,
        min_confidence: float | None = None,
    ) -> Generator[ExportedArticle, None, None]:
        """Yields the articles that some page shows, in the order of their ids: those of `newscrawl export`.

        `day` is a date. `since` (inclusive) and `until` (exclusive) are aware times, or dates, which are UTC. The time
        of a page is the publication that it states, else the time when it first showed the text. It is not when the
        article was stored. With `by_local_day` a publication is compared by the clock of the publisher, where the
        page states its offset from UTC: 22:30 on 3 May at -03:00 is 3 May, not 4 May. `site` and times may match any
        page that shows the article. `language` "de" includes "de-AT". `verdict` is article, live, paywalled or short.
        `min_confidence` (0 to 1) leaves out articles with a lower confidence or none.

        Some hundred articles are in memory at a time. The iterator keeps its state of the database until it is at its
        end or closed, and belongs to the thread that reads it. Raises UsageError at once for an unknown site, an
        unknown verdict and a language that is no code.
        """
        _check_codes(language, verdict)
        times = _period(day, since, until, by_local_day=by_local_day)
        selection = ArticleSelection(site, language, verdict, times, min_confidence)
        self._check_site(site)
        return self._articles(selection)

    def article(self, article_id: int) -> ExportedArticle | None:
        """Returns the article with the id; None if no page shows it. `history` has former texts."""
        with self._reading() as connection:
            return article(connection, article_id) if _is_id(article_id) else None

    def page(self, url: str) -> StoredPage | None:
        """Returns the page that an address leads to, in any spelling; None for an unknown one. Raises InvalidUrl."""
        with self._reading() as connection:
            return stored_page(connection, url)

    def history(self, url: str) -> History | None:
        """Returns the page that an address leads to with all its versions, oldest first; None for an unknown address.
        Raises InvalidUrl."""
        with self._reading() as connection:
            return history(connection, url)

    def story(self, story_id: int) -> Story | None:
        """Returns the story with the number, or else the story of the article with this id. None if there is neither,
        or no page shows an article of it."""
        with self._reading() as connection:
            return story(connection, story_id) if _is_id(story_id) else None

    def search(
        self,
        words: str,
        *,
        site: str | None = None,
        since: date | None = None,
        until: date | None = None,
        by_local_day: bool = False,
        language: str | None = None,
        limit: int = 10,
    ) -> Sequence[SearchHit]:
        """Returns the best stories, best first. `words` is a query in the grammar of `newscrawl search`. The other
        options are those of `articles`.

        It first brings the search index up to date, which is derived from the articles: a file beside a SQLite
        database, or the schema `newscrawl_search` in a PostgreSQL database. That is all that a reader ever writes.
        While another process writes the index, the newest articles may be missing, and the log says so. Raises
        UsageError for a query that cannot be meant or has no word to search for, an unknown site or a limit below 1 or
        above 1,000.
        """
        asked = _period(None, since, until, by_local_day=by_local_day)
        query = query_of(words)
        filters = combined(Filters(site, asked.since, language, by_local_day, asked.until), query.filters)
        if not 1 <= limit <= MAX_HITS:
            raise UsageError(f"limit={limit}: give 1 to {MAX_HITS:,} stories")
        self._check_site(filters.site)
        answered = run_query(self._url, query, filters, limit)
        if not answered.is_current:
            logger.warning("another process writes the search index, the newest articles may be missing")
        return answered.hits

    def _articles(self, selection: ArticleSelection) -> Generator[ExportedArticle, None, None]:
        with self._reading() as connection:
            for found in articles(connection, selection):
                yield found
                self._check_open()

    def _check_site(self, site: str | None) -> None:
        if site is None:
            self._check_open()
        elif site not in (stored := self.sites()):
            raise site_not_stored(site, stored)

    def _check_open(self) -> None:
        if self._is_closed:
            raise UsageError("the reader is closed: open the database again with newscrawl.open")

    def _reading(self) -> AbstractContextManager[Connection]:
        self._check_open()
        return self._database.reading()


def _check_codes(language: str | None, verdict: str | None) -> None:
    """Raises UsageError for a language that is no code and for a verdict that does not exist."""
    if language is not None and not _LANGUAGE.fullmatch(language):
        raise UsageError(f"no language {language!r}: give a code such as de or de-AT")
    if verdict is not None and verdict not in get_args(Verdict):
        raise UsageError(f"no verdict {verdict!r}: give one of {', '.join(get_args(Verdict))}")


def _is_id(number: int) -> bool:
    """Returns whether a row may have the id. Raises UsageError for a value that is no number."""
    if not isinstance(number, int):
        raise UsageError(f"an id is a number, not {type(number).__name__}")
    return 0 < number < 1 << 63


def _period(day: date | None, since: date | None, until: date | None, *, by_local_day: bool) -> Period:
    """Returns the period of a day, or from `since` on and before `until`. Raises UsageError."""
    if day is not None:
        if since is not None or until is not None:
            raise UsageError("give either day, or since and until")
        if isinstance(day, datetime):
            raise UsageError(f"day={day!r} is a time: give a date, or since and until")
        begun = _moment("day", day)
        return Period(begun, _next(begun), by_local_day)
    start = _moment("since", since) if since is not None else None
    end = _moment("until", until) if until is not None else None
    if start is not None and end is not None and start >= end:
        raise UsageError(f"no time lies between since={since} and until={until}: give a later end")
    return Period(start, end, by_local_day)


def _moment(name: str, value: date) -> datetime:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise UsageError(f"{name}={value!r} has no time zone: give an aware time, datetime(..., tzinfo=UTC)")
        return value.astimezone(UTC)
    if not isinstance(value, date):
        raise UsageError(f"{name}={value!r} is neither a date nor a time: give a datetime.date or datetime.datetime")
    return datetime.combine(value, time(), UTC)


def _next(day: datetime) -> datetime | None:
    """Returns the beginning of the next day; None after the last day that Python knows."""
    try:
        return day + timedelta(days=1)
    except OverflowError:
        return None
