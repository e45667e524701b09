"""Downloader middleware that repeats a request a few times after a temporary failure: a lost connection, 500, 429.

The host throttle decides when the request is repeated: an error or a 429 has already made the host's delay grow, and
the new request waits behind others of its host. If the wait would be longer than NEWSCRAWL_MAX_HOST_WAIT, the throttle
refuses the request.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.http import Response

from newscrawl.crawling.failures import CONNECTION, DNS, INCOMPLETE, TIMEOUT, failure_of, wall_answer
from newscrawl.crawling.scheduling.host import TOO_MUCH
from newscrawl.model import Failure

PASSING_STATUSES: Final = frozenset({500, 502, 504}) | TOO_MUCH
_PASSED: Final = frozenset({200, 301, 302, 303, 304, 307, 308})
MAX_HEADER: Final = 40
"""Characters of a Retry-After that are kept. A date has 29."""
PASSING_CODES: Final = frozenset({TIMEOUT, DNS, CONNECTION, INCOMPLETE})

FAILED_BEFORE: Final = "failed_before"
"""Key in request.meta: the failure and the status (None without an answer) with which the request counts as failed if
it is not repeated."""
RETRY_PRIORITY: Final = "retry_priority"
"""Key in request.meta of the highest priority that a repetition of the request has."""
SLOW_DOWN: Final = "politeness/slow_down_requested"
"""Counter of answers 429 and 503, kind of the event of a page that got one, and key in request.meta of the first."""


@dataclass(frozen=True, slots=True)
class SlowDown:
    """An answer 429 or 503, after which the request is repeated."""

    status: int
    retry_after: str | None
    """The header Retry-After as sent; None if there is none."""
    at: datetime

    @property
    def reason(self) -> str:
        """The text of the event."""
        named = f"Retry-After: {self.retry_after[:MAX_HEADER]}" if self.retry_after else "no Retry-After"
        return f"the host asked to slow down ({named})"


class RetryMiddleware:
    """Repeats a request up to RETRY_TIMES times, each time with a lower priority."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RetryMiddleware:
        """Returns the middleware for a crawler, as Scrapy builds middlewares."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """Returns the request again after a status that may be temporary, while attempts are left; else the response.
        Counts answers of bot walls."""
        if response.status not in _PASSED and (wall := wall_answer(response)) is not None:
            self._crawler.stats.inc_value(wall.code)
        if response.status not in PASSING_STATUSES:
            return response
        failure = Failure(f"http/{response.status}", f"the server answered {response.status}")
        again = self._again(request, failure, response.status)
        if response.status in TOO_MUCH:
            self._crawler.stats.inc_value(SLOW_DOWN)
            if again is not None:
                value = response.headers.get("Retry-After")
                named = value.decode("latin-1") if value else None
                asked = SlowDown(response.status, named, datetime.now(UTC))
                again.meta.setdefault(SLOW_DOWN, asked)
        return again or response

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Returns the request again after an error that may be temporary, while attempts are left; else None."""
        failure = failure_of(exception)
        return self._again(request, failure) if failure.code in PASSING_CODES else None

    def _again(self, request: Request, failure: Failure, status: int | None = None) -> Request | None:
        if request.meta.get("dont_retry") or self._crawler.spider is None:
            return None
        request.meta[FAILED_BEFORE] = failure, status
        again = get_retry_request(request, spider=self._crawler.spider, reason=failure.code, give_up_log_level="DEBUG")
        if again is not None:
            again.priority = min(again.priority, request.meta.get(RETRY_PRIORITY, again.priority))
        return again
