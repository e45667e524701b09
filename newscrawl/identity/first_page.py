"""Chooses which page of a story is shown first. Pure.

A page's own statements can only move it back: its canonical may name a page that is to stand before it. A stated date
is ignored, because a copier may state any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

Rule = Literal["only", "canonical", "declared", "republishes", "metadata", "first seen"]
"""The rule that decided. `only`: there is one page. `canonical`: the canonical of other pages. `declared`: its site is
declared. `republishes`: the sites of the others republish. `metadata`: of the pages of
its site, it states most metadata. `first seen`: it was seen first."""

RULE_SENTENCES: Final[Mapping[Rule, str]] = {
    "only": "it is the only page",
    "canonical": "an earlier page says, by its canonical link, that another page is the original",
    "declared": "its site is declared",
    "republishes": "the site of the page that would stand before it republishes",
    "metadata": "of the pages of its site, it states most of date and author",
    "first seen": "it was seen first",
}
"""The rules as sentences."""


@dataclass(frozen=True, slots=True)
class StoryPage:
    """A page of a story. `claim` is the id of the page that its canonical names, if that is known. `since` is when it
    first showed a text of the story. `metadata_rank` is greater the more metadata it states (0 to 3)."""

    page: int
    article: int
    url: str
    site: str
    since: datetime
    claim: int | None = None
    declared: bool = False
    republishes: bool = False
    metadata_rank: int = 0


@dataclass(frozen=True, slots=True)
class PageOrder:
    """The pages in the order in which they are shown, and the rule that put the first one there."""

    pages: Sequence[StoryPage]
    rule: Rule

    @property
    def first(self) -> StoryPage:
        """The page that is shown first."""
        return self.pages[0]


def choose(candidates: Sequence[StoryPage]) -> PageOrder:
    """Returns the order of the pages of a story, of which there is at least one.

    Among the pages of the first page's site, the one with most metadata comes first: a print version is often seen
    first and states nothing.
    """
    deferring = naming_another(candidates)
    ordered = _sorted(candidates, lambda page: (page.page in deferring, _class(page)))
    first = ordered[0]
    own = [
        page for page in ordered if page.site == first.site and (page.page in deferring) == (first.page in deferring)
    ]
    best = max(own, key=lambda page: page.metadata_rank)
    pages = [best, *(page for page in ordered if page is not best)]
    rule = _rule(candidates, first, deferring)
    return PageOrder(pages, "metadata" if rule == "first seen" and best is not first else rule)


def naming_another(candidates: Sequence[StoryPage]) -> set[int]:
    """Returns the ids of the pages whose canonical names another page of the story. Claims in a circle are ignored."""
    pages = {page.page for page in candidates}
    claims = {page.page: page.claim for page in candidates if page.claim in pages and page.claim != page.page}
    return {page for page in claims if not _is_circle(page, claims)}


def _is_circle(page: int, claims: Mapping[int, int | None]) -> bool:
    """Returns whether the claims lead from the page back to it."""
    at = claims.get(page)
    seen = {page}
    while at is not None and at not in seen:
        seen.add(at)
        at = claims.get(at)
    return at == page


def _class(page: StoryPage) -> int:
    return 2 if page.republishes else int(not page.declared)


def _sorted(candidates: Sequence[StoryPage], key: Callable[[StoryPage], Any]) -> list[StoryPage]:
    return sorted(candidates, key=lambda page: (key(page), page.since, page.page))


def _rule(candidates: Sequence[StoryPage], first: StoryPage, deferring: set[int]) -> Rule:
    """Returns the rule that decided: the first without which another page would stand first."""
    if len(candidates) == 1:
        return "only"
    if _sorted(candidates, _class)[0] is not first:
        return "canonical"
    if _sorted(candidates, lambda page: (page.page in deferring, page.republishes))[0] is not first:
        return "declared"
    if _sorted(candidates, lambda page: (page.page in deferring, not page.declared))[0] is not first:
        return "republishes"
    return "first seen"
