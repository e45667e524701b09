"""The pages that a crawl does not request although its site has them, because their pattern was given up.

Storage gives up a pattern (newscrawl.storage.frontier.patterns) and returns no more of its pages, but a crawl may
already have thousands of them in its queue. Sources, robots.txt, visits of known pages and retries are not marked, so
they are never refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from scrapy import Request

from newscrawl.identity.patterns import pattern_of
from newscrawl.storage.frontier.patterns import GivenUp

RELOAD_AFTER: Final = 50
"""Answered requests for articles between two reads of the given-up patterns: about one batch of the store."""
PATTERN: Final = "newscrawl_pattern"
"""Key in request.meta of the pattern of a page that was never fetched."""


class Traps:
    """The given-up patterns that one crawl knows."""

    def __init__(self, reload_after: int = RELOAD_AFTER) -> None:
        self._given_up: frozenset[str] = frozenset()
        self._answered = 0
        self._reload_after = reload_after

    def watch(self, request: Request) -> None:
        """Marks a request for a never-fetched page with its pattern. A request whose pattern is already given up is not
        marked: it is the one address a day with which storage probes the pattern."""
        pattern = pattern_of(request.url)
        if pattern not in self._given_up:
            request.meta[PATTERN] = pattern

    def count_answer(self) -> bool:
        """Counts an answer. Returns whether the given-up patterns have to be read again."""
        self._answered += 1
        return self._answered % self._reload_after == 0

    def learn(self, given_up: Iterable[GivenUp]) -> None:
        """Sets the patterns that are given up now."""
        self._given_up = frozenset(pattern.pattern for pattern in given_up)

    def refuses(self, request: Request) -> bool:
        """Returns whether the request must not be sent."""
        return bool(self._given_up) and request.meta.get(PATTERN) in self._given_up


def is_trapped(request: Request, spider: Any) -> bool:
    """Returns whether the pattern of the request's address has been given up since the request was marked."""
    traps = getattr(spider, "traps", None)
    return isinstance(traps, Traps) and traps.refuses(request)
