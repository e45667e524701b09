"""Requests that newscrawl itself declines to make."""

from __future__ import annotations

from scrapy.exceptions import IgnoreRequest


class Refused(IgnoreRequest):
    """A request that was not made, or an answer that was not taken, for a reason the operator should be able to see.

    `kind` is the stable slash-name under which it is counted and stored (`robots/forbidden`), `reason` a sentence.
    """

    def __init__(self, kind: str, reason: str) -> None:
        self.kind = kind
        self.reason = reason
        super().__init__(reason)
