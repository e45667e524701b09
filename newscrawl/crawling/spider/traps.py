"""Requests for announced pages whose pattern is given up while they wait in the queue of a crawl.

Storage gives up a pattern (newscrawl.storage.frontier.patterns) and hands out no more of its pages; a crawl may have
thousands of them in its queue already.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from scrapy import Request

from newscrawl.identity.patterns import pattern_of
from newscrawl.storage.frontier.patterns import GivenUp

LOOK_EVERY: Final = 50
"""Answered articles between two looks at which patterns are given up: a batch of the store."""
MARK: Final = "newscrawl_pattern"


class Traps:
    """One crawl's."""

    def __init__(self, look_every: int = LOOK_EVERY) -> None:
        self._given_up: frozenset[str] = frozenset()
        self._answered = 0
        self._look_every = look_every

    def watch(self, request: Request) -> None:
        """The request is for a page that was never fetched. What storage hands out of a pattern that this crawl knows
        to be given up is the one address a day that tries it."""
        pattern = pattern_of(request.url)
        if pattern not in self._given_up:
            request.meta[MARK] = pattern

    def is_time(self) -> bool:
        """Called after each answer; whether to ask storage again."""
        self._answered += 1
        return self._answered % self._look_every == 0

    def learn(self, given_up: Iterable[GivenUp]) -> None:
        """These patterns are given up now."""
        self._given_up = frozenset(one.pattern for one in given_up)

    def refuses(self, request: Request) -> bool:
        """Whether the request is not to be sent."""
        return bool(self._given_up) and request.meta.get(MARK) in self._given_up


def is_trapped(request: Request, spider: Any) -> bool:
    """Whether the spider's crawl has given up the pattern of the request's address."""
    traps = getattr(spider, "traps", None)
    return isinstance(traps, Traps) and traps.refuses(request)
