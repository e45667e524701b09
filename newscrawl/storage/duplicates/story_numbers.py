"""Gives stories their numbers, and announces changed stories in the change feed.

When an article leaves a story, or a stored article joins one, all its articles are announced, also those that stay. A
consumer that keeps one document a story then writes it again. When a new article joins a story, only the new article is
announced: it names the story.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, delete, select, update

from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.duplicates.story_reader import members_of
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.change_causes import Reason
from newscrawl.storage.tables.duplicates import cluster_members

Story = tuple[int, frozenset[int]]
"""A story's number and the ids of its articles."""


class StoriesBefore:
    """Stories as they were before a change, to be compared with what they are after it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._representatives: set[int] = set()
        self._gone: set[int] = set()
        self._stories: dict[int, Story] = {}

    def note_stories(self, representatives: Iterable[int]) -> None:
        """Records stories that are about to change."""
        missing = set(representatives) - self._representatives
        self._representatives |= missing
        for representative, members in members_of(self._connection, missing).items():
            self._note(representative, members)
        for representative in missing:
            self._stories.setdefault(representative, (representative, frozenset({representative})))

    def forget(self, article_ids: Collection[int]) -> None:
        """Records that these articles are removed, which changes their stories."""
        self._gone.update(article_ids)
        stories: set[int] = set()
        for chunk in chunks(sorted(set(article_ids))):
            query = select(cluster_members.c.representative_id).where(cluster_members.c.article_id.in_(chunk))
            stories.update(self._connection.execute(query).scalars())
        self.note_stories(stories)

    def announce(self, now: datetime, known: Collection[int]) -> None:
        """Stores the new numbers of the recorded stories and announces changed articles, except those in `known`, and
        the stories that have ended. Call it after the stories are written."""
        after = renumbered(self._connection, members_of(self._connection, self._representatives))
        stored = self._stories.keys() - self._gone
        of_article = {number: (number, frozenset({number})) for number in stored} | after
        changed = [
            number for number, story in of_article.items() if number not in known and self._stories.get(number) != story
        ]
        shown = changes.still_shown(self._connection, of_article)
        parted = {number for number in changed if self._lost(number, of_article[number], of_article.keys())}
        changes.append(self._connection, sorted(parted & shown), now, "parted")
        changes.append(self._connection, sorted(shown.intersection(changed) - parted), now, "joined")
        changes.append_merges(self._connection, self._merged(of_article, shown, parted, known), now)

    def _merged(
        self,
        of_article: Mapping[int, Story],
        shown: Collection[int],
        parted: Collection[int],
        known: Collection[int],
    ) -> dict[int, tuple[int, Reason]]:
        """Returns the former stories that have no shown article any longer, with the story of their first shown article
        and the reason. Consumers do not have the stories of articles in `known` yet."""
        left = {of_article[number][0] for number in shown}
        into: dict[int, tuple[int, Reason]] = {}
        alone = {(number, frozenset({number})) for number in of_article if number not in self._stories}
        for story, members in sorted({*self._stories.values()} | alone, key=lambda one: one[0]):
            stay = [number for number in members if number in shown]
            if stay and story not in left and story not in known:
                into[story] = of_article[min(stay)][0], "parted" if set(stay).intersection(parted) else "joined"
        return into

    def _lost(self, number: int, story: Story, stored: Collection[int]) -> bool:
        """Returns whether an article left this article's story and is still stored."""
        _, before = self._stories.get(number, (number, frozenset()))
        return bool(before.intersection(stored) - story[1])

    def _note(self, representative: int, members: Mapping[int, int]) -> None:
        """Records the stories of the representative's members. They may have had several numbers before the change."""
        by_number: dict[int, set[int]] = {}
        for article_id, number in members.items():
            by_number.setdefault(number, set()).add(article_id)
        for number, articles in by_number.items():
            for article_id in articles:
                self._stories[article_id] = number, frozenset(articles)


def renumbered(connection: Connection, members_by_story: Mapping[int, Mapping[int, int]]) -> dict[int, Story]:
    """Gives each story the smallest id of its articles as its number, and deletes the row of a story of one article.

    `members_by_story` are the articles by representative, each with its present number. Returns the stories by article
    id.
    """
    stories: dict[int, Story] = {}
    lone: list[int] = []
    changed: list[dict[str, int]] = []
    for representative, members in members_by_story.items():
        number = min(members)
        stories |= dict.fromkeys(members, (number, frozenset(members)))
        other = sorted(article_id for article_id, stored in members.items() if stored != number)
        changed += [{"_article": article_id, "_number": number} for article_id in other]
        if members.keys() == {representative}:
            lone.append(representative)
    if changed:
        connection.execute(_RENUMBER, changed)
    for chunk in chunks(sorted(lone)):
        connection.execute(delete(cluster_members).where(cluster_members.c.article_id.in_(chunk)))
    return stories


_RENUMBER: Final = (
    update(cluster_members)
    .where(cluster_members.c.article_id == bindparam("_article"))
    .values(cluster_id=bindparam("_number"))
)
