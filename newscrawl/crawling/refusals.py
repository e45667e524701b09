"""Requests that newscrawl itself refuses to make."""

from __future__ import annotations

from scrapy.exceptions import IgnoreRequest


class Refused(IgnoreRequest):
    """A request that was not made, or an answer that was rejected, for a reason that the operator should be able to
    see.

    `code` is the reason code under which it is counted and stored (`robots/forbidden`), `reason` a sentence.
    """

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        self.reason = reason
        super().__init__(reason)


class RefusedAnswer(Refused):
    """An answer that was received and rejected."""
