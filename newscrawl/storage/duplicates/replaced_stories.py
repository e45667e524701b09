"""Announces stories whose last shown text was replaced by a text of another story: that story continues it.

A correction that changes most of a text is no near-duplicate of it, so the new text is a story of its own. A `merge` in
the feed says that this story replaces the former one.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection

from newscrawl.storage.feed import article_stories, changes
from newscrawl.storage.feed.change_causes import Reason
from newscrawl.storage.feed.changes import Appended


def announce_replaced(
    connection: Connection, appended: Appended, now: datetime, reason: Reason, more: Iterable[int] = ()
) -> article_stories.StoredStories | None:
    """Appends a `merge` with the reason for each story of which the changes `appended` removed the last shown article,
    if a text of another story is shown instead. Call it after the stories of the transaction are decided. Returns what
    was asked for that, also about the articles `more`; None if there was nothing to ask."""
    announced = appended.merged
    removed = {number: (story, others[-1]) for number, story, others in appended.removals if others}
    if not removed:
        return None
    instead = {other for _, other in removed.values()}
    stories = {story for story, _ in removed.values() if story is not None}
    asked = article_stories.load(connection, {*appended.subjects[0], *more, *removed, *instead, *stories})
    placed = asked.by_article
    others = {number for number in instead if placed[number].is_shown}
    story_of = {number: one.story if one.story is not None else number for number, one in placed.items()}
    into: dict[int, int] = {}
    for number, (story, other) in removed.items():
        former = story or story_of[number]
        if other in others and former != story_of[other] and former not in announced:
            into[former] = story_of[other]
    changes.append_merges(
        connection, {story: (other, reason) for story, other in into.items() if story not in asked.shown_stories}, now
    )
    return asked
