"""The numbers of stories, and what the change feed is told when they change.

A story that an article leaves, or that a stored article joins, is told to the feed with all its articles, those that
stay as well: a consumer that keeps a document for a story writes it anew. A story that a new article joins is told by
the new article alone, as before: the article names the story.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from sqlalchemy import Connection, delete, select, update

from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.duplicates.story_reader import of_stars
from newscrawl.storage.feed import changes
from newscrawl.storage.tables.duplicates import cluster_members

Story = tuple[int, frozenset[int]]
"""A story's number and its articles."""


class StoriesBefore:
    """What stories were before a change; what they are after it is told to the feed."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._stars: set[int] = set()
        self._gone: set[int] = set()
        self._stories: dict[int, Story] = {}

    def note_stories(self, representatives: Iterable[int]) -> None:
        """Notes stories that will change. Call it before they do."""
        missing = set(representatives) - self._stars
        self._stars |= missing
        for star, members in of_stars(self._connection, missing).items():
            self._note(star, members)
        for star in missing:
            self._stories.setdefault(star, (star, frozenset({star})))

    def forget(self, article_ids: Collection[int]) -> None:
        """Notes that these articles are removed, which changes their stories."""
        self._gone.update(article_ids)
        found: set[int] = set()
        for chunk in chunks(sorted(set(article_ids))):
            query = select(cluster_members.c.representative_id).where(cluster_members.c.article_id.in_(chunk))
            found.update(self._connection.execute(query).scalars())
        self.note_stories(found)

    def tell(self, now: datetime, known: Collection[int]) -> None:
        """Gives the noted stories their numbers as they are now, and tells the feed; it learns of `known` anyway."""
        after = renumbered(self._connection, self._stars)
        stored = self._stories.keys() - self._gone
        of_article = {number: (number, frozenset({number})) for number in stored} | after
        changed = [
            number for number, story in of_article.items() if number not in known and self._stories.get(number) != story
        ]
        shown = changes.still_shown(self._connection, changed)
        parted = {number for number in changed if self._lost(number, of_article[number], of_article.keys())}
        changes.append(self._connection, "merge", sorted(parted & shown), now, "parted")
        changes.append(self._connection, "merge", sorted(shown - parted), now)
        changes.append(self._connection, "remove", sorted(self._numbers_left(changed, of_article, shown)), now)

    def _numbers_left(
        self, changed: Collection[int], of_article: Mapping[int, Story], shown: Collection[int]
    ) -> set[int]:
        """The former numbers of stories whose articles no page shows and under which no story is shown now: a consumer
        has a document under such a number, and no other row names it."""
        former = {number for number, members in self._stories.values() if len(members) > 1}
        kept = {of_article[number][0] for number in shown}
        return former.intersection(changed) - set(shown) - kept

    def _lost(self, number: int, story: Story, stored: Collection[int]) -> bool:
        """Whether an article that was in the article's story is still stored and no longer in it."""
        _, before = self._stories.get(number, (number, frozenset()))
        return bool(before.intersection(stored) - story[1])

    def _note(self, star: int, members: Mapping[int, int]) -> None:
        """The stories before may have had other bounds than the stars: those of one number belong together."""
        by_number: dict[int, set[int]] = {}
        for article_id, number in members.items():
            by_number.setdefault(number, set()).add(article_id)
        for number, articles in by_number.items():
            for article_id in articles:
                self._stories[article_id] = number, frozenset(articles)


def renumbered(connection: Connection, stars: Iterable[int]) -> dict[int, Story]:
    """Gives the stories of these representatives the smallest ids of their articles; a story of one article has no row.
    Returns the stories by article."""
    found: dict[int, Story] = {}
    lone: list[int] = []
    for star, members in of_stars(connection, stars).items():
        number = min(members)
        found |= dict.fromkeys(members, (number, frozenset(members)))
        other = [article_id for article_id, stored in members.items() if stored != number]
        for chunk in chunks(sorted(other)):
            mine = cluster_members.c.article_id.in_(chunk)
            connection.execute(update(cluster_members).where(mine).values(cluster_id=number))
        if members.keys() == {star}:
            lone.append(star)
    for chunk in chunks(sorted(lone)):
        connection.execute(delete(cluster_members).where(cluster_members.c.article_id.in_(chunk)))
    return found
