"""Says what a batch of changes means for the hits of standing searches. Pure.

A story is a hit of a search once, whichever of its articles matches. The hit follows its story when another number
replaces it, and follows its article when a page shows a corrected text instead.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from newscrawl.storage.deliveries import Notice
from newscrawl.storage.feed.standing_searches import Evaluated, HitEvent, StoryHit

CORRECTIONS: Final = frozenset({"corrected", "headline"})
"""Reasons of changes that a publisher made to an article; the others are of newscrawl or of retention."""
NO_LONGER: Final = "no longer matches"


@dataclass(frozen=True, slots=True)
class ArticleChange:
    """All changes of one article in a batch. `story_id` is its story now, None if no page shows it any longer. `seq` is
    that of the last change."""

    article_id: int
    story_id: int | None
    seq: int
    reasons: Collection[str | None]
    replaces: Sequence[int] = ()
    replaced_by: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The data of a batch. `matching`: the searches that match each article that is shown, changed or not.
    `stories`: the story of each of these articles. `merges`: (story that ended, story in its place), in order."""

    changes: Sequence[ArticleChange]
    merges: Sequence[tuple[int, int]]
    hits: Sequence[StoryHit]
    matching: Mapping[int, Collection[str]]
    stories: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class SearchStart:
    """The change from which on a search is evaluated, and the UUID from which the ids of its entries are made."""

    from_seq: int
    feed_id: str


def decide(found: Found, searches: Mapping[str, SearchStart], after: int, upto: int, now: datetime) -> Evaluated:
    """Returns the hits that changed and the notices of the changes after `after` up to `upto`. Hits of other searches
    than `searches` only follow their stories."""
    work = _Work(searches, now, {(hit.search, hit.story_id): hit for hit in found.hits})
    before = dict(work.hits)
    for old, into in found.merges:
        work.merge(old, into)
    for change in found.changes:
        if change.story_id is not None:
            for search in sorted(found.matching.get(change.article_id, ())):
                if search in searches and change.seq > searches[search].from_seq:
                    work.matched(search, change, change.story_id)
    for change in found.changes:
        for hit in list(work.hits.values()):
            if hit.article_id == change.article_id and not hit.withdrawn and hit.search in searches:
                still = change.story_id is not None and hit.search in found.matching.get(change.article_id, ())
                if not still:
                    work.lost(hit, change, found)
    changed = [hit for key, hit in work.hits.items() if before.get(key) != hit]
    return Evaluated(after, upto, changed, set(before) - set(work.hits), work.notices)


@dataclass(slots=True)
class _Work:
    searches: Mapping[str, SearchStart]
    now: datetime
    hits: dict[tuple[str, int], StoryHit]
    notices: list[Notice] = field(default_factory=list)

    def merge(self, old: int, into: int) -> None:
        for hit in [hit for hit in self.hits.values() if hit.story_id == old]:
            self._move(hit, into)

    def matched(self, search: str, change: ArticleChange, story: int) -> None:
        """Notes that an article of the story matches the search: the hit is new, or was withdrawn and returns, or has a
        correction."""
        hit = self.hits.get((search, story))
        if hit is None:
            former = {change.article_id, *change.replaces}
            known = [hit for hit in self.hits.values() if hit.search == search and hit.article_id in former]
            if not known:
                entry = str(uuid.uuid5(uuid.UUID(self.searches[search].feed_id), str(story)))
                hit = StoryHit(search, story, change.article_id, entry, self.now, self.now)
                self._tell(hit, "hit", _strongest(change.reasons))
                return
            hit = self._move(known[0], story)
        corrected = CORRECTIONS.intersection(filter(None, change.reasons))
        follows = hit.article_id in change.replaces
        if hit.withdrawn or follows or (hit.article_id == change.article_id and corrected):
            self._tell(
                replace(hit, article_id=change.article_id, withdrawn=False), "corrected", _strongest(change.reasons)
            )

    def lost(self, hit: StoryHit, change: ArticleChange, found: Found) -> None:
        """Notes that the article of a hit does not match any longer: the hit shows another article of its story that
        matches, or it is withdrawn."""
        others = sorted(
            number
            for number, searches in found.matching.items()
            if hit.search in searches and number != hit.article_id and found.stories.get(number) == hit.story_id
        )
        if others:
            self.hits[hit.search, hit.story_id] = replace(hit, article_id=others[0])
            return
        reason = _strongest(change.reasons) if change.story_id is None else NO_LONGER
        self._tell(replace(hit, withdrawn=True), "withdrawn", reason)

    def _move(self, hit: StoryHit, story: int) -> StoryHit:
        """Moves a hit to another story. If the search has a hit of that story already, that one stays, with the later
        time of both, because the time of the feed must not go back."""
        del self.hits[hit.search, hit.story_id]
        there = self.hits.get((hit.search, story))
        moved = replace(hit, story_id=story)
        if there is not None:
            moved = replace(there, updated_at=max(there.updated_at, hit.updated_at))
        self.hits[hit.search, story] = moved
        return moved

    def _tell(self, hit: StoryHit, event: HitEvent, reason: str | None) -> None:
        hit = replace(hit, updated_at=self.now)
        self.hits[hit.search, hit.story_id] = hit
        details = {"story_id": hit.story_id, "article_id": hit.article_id, "reason": reason}
        self.notices.append(Notice(hit.search, event, self.now, details))


_ORDER: Final = ("forgotten", "expired", "gone", "superseded", "corrected", "headline", "new")


def _strongest(reasons: Iterable[str | None]) -> str | None:
    """Returns the reason that a reader is told if several changes came together."""
    named = sorted(filter(None, reasons), key=lambda reason: _ORDER.index(reason) if reason in _ORDER else len(_ORDER))
    return named[0] if named else None
