"""Which page of a story is shown first. Pure.

A page's own statements count only against itself: its canonical names a page that is to stand before it. A date that a
page states never counts: a copier may state any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

Rule = Literal["only", "canonical", "declared", "republishes", "first seen"]
"""What decided: there is one page; the others' canonical; the site is declared; the others' sites republish; it was
seen first."""

TOLD: Final[Mapping[Rule, str]] = {
    "only": "it is the only page",
    "canonical": "the page that would stand before it names another one as its canonical",
    "declared": "its site is declared",
    "republishes": "the site of the page that would stand before it republishes",
    "first seen": "it was seen first",
}
"""The rules for people."""


@dataclass(frozen=True, slots=True)
class StoryPage:
    """A page of a story. `claim` is the page that its canonical names, if that is known; `since` when it first showed a
    text of the story; `said` how much it states of its text."""

    page: int
    article: int
    url: str
    site: str
    since: datetime
    claim: int | None = None
    declared: bool = False
    republishes: bool = False
    said: int = 0


@dataclass(frozen=True, slots=True)
class PageOrder:
    """The pages in the order they are shown in, and which rule put the first one there."""

    pages: Sequence[StoryPage]
    rule: Rule

    @property
    def first(self) -> StoryPage:
        """The page that is shown."""
        return self.pages[0]


def choose(candidates: Sequence[StoryPage]) -> PageOrder:
    """Puts the pages of a story in order; there is at least one. Of the first page's site, the page that says most of
    its text stands first: a print version is often seen first and states nothing."""
    yielding = giving_way(candidates)
    ordered = _sorted(candidates, lambda one: (one.page in yielding, _class(one)))
    first = ordered[0]
    own = [one for one in ordered if one.site == first.site and (one.page in yielding) == (first.page in yielding)]
    best = max(own, key=lambda one: one.said)
    pages = [best, *(one for one in ordered if one is not best)]
    return PageOrder(pages, _rule(candidates, first, yielding))


def giving_way(candidates: Sequence[StoryPage]) -> set[int]:
    """The pages whose canonical names another page of the story; claims that lead round in a circle count for
    nothing."""
    pages = {one.page for one in candidates}
    claims = {one.page: one.claim for one in candidates if one.claim in pages and one.claim != one.page}
    return {page for page in claims if not _is_circle(page, claims)}


def _is_circle(page: int, claims: Mapping[int, int | None]) -> bool:
    """Whether the claims lead from the page back to it."""
    at = claims.get(page)
    seen = {page}
    while at is not None and at not in seen:
        seen.add(at)
        at = claims.get(at)
    return at == page


def _class(one: StoryPage) -> int:
    return 2 if one.republishes else int(not one.declared)


def _sorted(candidates: Sequence[StoryPage], key: Callable[[StoryPage], Any]) -> list[StoryPage]:
    return sorted(candidates, key=lambda one: (key(one), one.since, one.page))


def _rule(candidates: Sequence[StoryPage], first: StoryPage, yielding: set[int]) -> Rule:
    """The first rule without which another page would stand first."""
    if len(candidates) == 1:
        return "only"
    if _sorted(candidates, _class)[0] is not first:
        return "canonical"
    if _sorted(candidates, lambda one: (one.page in yielding, one.republishes))[0] is not first:
        return "declared"
    if _sorted(candidates, lambda one: (one.page in yielding, not one.declared))[0] is not first:
        return "republishes"
    return "first seen"
