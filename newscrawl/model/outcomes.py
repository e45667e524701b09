"""The outcome of a fetched page: an article, or a failure with its reason code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from newscrawl.model.articles import Article
from newscrawl.model.fetches import RawPage

FailureGroup = Literal["failure", "gone", "refused", "no article", "in review", "not sent"]
_GROUPS: Mapping[str, FailureGroup] = {
    **dict.fromkeys(("http/404", "http/410"), "gone"),
    **dict.fromkeys(("robots/forbidden", "robots/too_costly"), "refused"),
}
UNANSWERED: Final = frozenset(
    {"http/429", "robots/unreachable", "politeness/slow_down_requested"}
    | {f"http/{status}" for status in range(500, 600)}
    | {f"download/{kind}" for kind in ("timeout", "dns", "connection", "tls", "incomplete", "bad_answer")}
)
"""Codes of requests that failed because of their host."""
_FAMILIES: Mapping[str, FailureGroup] = {"verdict/": "no article", "review/": "in review", "politeness/": "not sent"}


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a fetched page has no article. `code` is the stable reason code (docs/reference/codes.md), which is also the
    name of a counter; `reason` is for people."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class UsageRights:
    """The statements of a page about its use, in its headers and its head. A field is None if the page does not state
    it.

    `noindex`, `noarchive` and `nosnippet` are from X-Robots-Tag and the robots meta tag; `tdm_reservation` and
    `tdm_policy` are from the TDM Reservation Protocol (W3C community group).
    """

    noindex: bool = False
    noarchive: bool = False
    nosnippet: bool = False
    tdm_reservation: bool | None = None
    tdm_policy: str | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why the result of a site's own chain for a page is not credible: the site's latest pages look broken, as does
    this one.

    `first` is the result of that chain. `needs_review` says that no other chain gave a credible text either, so the
    page waits for review.
    """

    reasons: tuple[str, ...]
    first: Article | Failure
    needs_review: bool


@dataclass(frozen=True, slots=True)
class ProcessedPage:
    """A raw page after extraction, its body dropped: exactly one of `article` and `failure` is set."""

    raw: RawPage
    article: Article | None = None
    failure: Failure | None = None
    use: UsageRights | None = None
    """None if the page was not checked for it; the stored value then stays."""
    doubt: Doubt | None = None

    def __str__(self) -> str:
        return str(self.raw)

    @property
    def needs_review(self) -> bool:
        """Whether the page waits for review: no reader gets it until an operator, another extraction or a later visit
        releases it."""
        return self.doubt is not None and self.doubt.needs_review


def group_of(code: str) -> FailureGroup:
    """Returns the group in which a reason code is counted, the same in `status`, the table of a crawl
    and the log. A page or source that should be readable counts as failed. Others are counted separately: gone (404,
    410), forbidden by robots.txt, not an article, waiting for review, not sent (a host rests, a limit is reached)."""
    family = f"{code.partition('/')[0]}/"
    return _GROUPS.get(code) or _FAMILIES.get(family, "failure")


def is_unanswered(code: str | None) -> bool:
    """Returns whether a request failed because its host is away or overloaded (no connection, no answer in time, 429,
    5xx), so that other requests to the site would probably fail as well."""
    return code in UNANSWERED
