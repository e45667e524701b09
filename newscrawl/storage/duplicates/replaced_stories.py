"""Announces stories whose last shown text was replaced by a text of another story: that story continues it.

A correction that changes most of a text is no near-duplicate of it, so the new text is a story of its own. A `merge` in
the feed says that this story replaces the former one.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from newscrawl.storage.duplicates import first_pages
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.causes import Reason


def announce_replaced(connection: Connection, seq: int, now: datetime, reason: Reason) -> None:
    """Appends a `merge` with the reason for each story of which the changes after `seq` removed the last shown article,
    if a text of another story is shown instead. Call it after the stories of the transaction are decided."""
    since = changes.ends_after(connection, seq)
    announced = {change.story_id for change in since if change.op == "merge"}
    removed = {change.article_id: change for change in since if change.op == "remove" and change.replaced_by}
    if not removed:
        return
    others = changes.still_shown(connection, {change.replaced_by[-1] for change in removed.values()})
    story_of = first_pages.numbers_of(connection, {*removed, *others})
    into: dict[int, int] = {}
    for number, change in removed.items():
        former = change.story_id or story_of[number]
        other = change.replaced_by[-1]
        if other in others and former != story_of[other] and former not in announced:
            into[former] = story_of[other]
    shown = first_pages.shown_stories(connection, into)
    changes.append_merges(
        connection, {story: (other, reason) for story, other in into.items() if story not in shown}, now
    )
