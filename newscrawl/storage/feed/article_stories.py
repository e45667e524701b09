"""To which stories articles belong and whether a page shows them, in one statement each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection

from newscrawl.storage.engine.sql import read_rows

IS_SHOWN: Final = "EXISTS (SELECT 1 FROM pages WHERE pages.article_id = {number} AND pages.state <> 'gone')"
"""The SQL condition that a page shows the article whose id is the expression `number`."""
_WANTED: Final = ("(SELECT value FROM json_each(:wanted))", "(SELECT unnest(%(wanted)s::bigint[]) AS value)")
"""The wanted numbers as a table, on SQLite and on PostgreSQL."""

_ARTICLES: Final = (
    "SELECT wanted.value, member.cluster_id, "  # noqa: S608  nothing in it comes from outside
    + IS_SHOWN.format(number="wanted.value")
    + " FROM {wanted} AS wanted LEFT JOIN cluster_members AS member ON member.article_id = wanted.value"
)
_SHOWN_STORIES: Final = (
    "SELECT DISTINCT COALESCE(own.cluster_id, found.number) FROM"  # noqa: S608  nothing in it comes from outside
    " (SELECT wanted.value AS number FROM {wanted} AS wanted"
    " UNION SELECT article_id FROM cluster_members WHERE cluster_id IN {wanted}) AS found"
    " LEFT JOIN cluster_members AS own ON own.article_id = found.number WHERE " + IS_SHOWN.format(number="found.number")
)
_CHOICES: Final = """
SELECT 'story', article_id, cluster_id, 0, '' FROM cluster_members WHERE article_id IN {wanted}
UNION ALL SELECT 'several', article_id, 0, 0, '' FROM pages WHERE article_id IN {wanted}
GROUP BY article_id HAVING count(*) > 1
UNION ALL SELECT 'member', article_id, cluster_id, 0, '' FROM cluster_members WHERE cluster_id IN ({stories})
UNION ALL SELECT 'first', cluster_id, article_id, page_id, rule FROM story_first_pages WHERE cluster_id IN ({stories})
""".replace(
    "{stories}",
    "SELECT wanted.value FROM {wanted} AS wanted"
    " UNION SELECT cluster_id FROM cluster_members WHERE article_id IN {wanted}",
)


class ArticleStory(NamedTuple):
    """The story of an article, None if it has no near-duplicates, and whether a page shows the article."""

    story: int | None
    is_shown: bool


class StoredChoice(NamedTuple):
    """The stored first page of a story, with the rule that chose it."""

    cluster_id: int
    article_id: int
    page_id: int
    rule: str


class Choices(NamedTuple):
    """The stored data of the first pages of some articles' stories. `story_of` has the story of each article, which
    is itself for one without near-duplicates; `several` are articles on several pages, `members` the articles of
    stories with several articles, each with its story."""

    story_of: Mapping[int, int]
    several: Collection[int]
    members: Mapping[int, int]
    stored: Mapping[int, StoredChoice]


@dataclass(frozen=True, slots=True)
class StoredStories:
    """What is stored of the articles and stories `wanted`. `by_article` is by the id of the article; `shown_stories`
    are those of the numbers that are stories of which some page shows an article; `choices` are rows of `_CHOICES`."""

    wanted: frozenset[int]
    by_article: Mapping[int, ArticleStory]
    shown_stories: Collection[int]
    choices: Sequence[tuple[Any, ...]]

    def choices_for(self, article_ids: Collection[int]) -> Choices | None:
        """Returns what `choices` does, None if it was not asked for all of these articles."""
        return _choices(self.choices, article_ids) if self.wanted.issuperset(article_ids) else None


def load(connection: Connection, numbers: Iterable[int]) -> StoredStories:
    """Returns all that concerns the articles and stories with these numbers."""
    wanted = frozenset(numbers)
    shown = {number for (number,) in _rows(connection, _SHOWN_STORIES, wanted)}
    return StoredStories(wanted, by_article(connection, wanted), shown, _rows(connection, _CHOICES, wanted))


def by_article(connection: Connection, article_ids: Collection[int]) -> dict[int, ArticleStory]:
    """Returns what is asked of the articles, by id."""
    rows = _rows(connection, _ARTICLES, article_ids)
    return {number: ArticleStory(story, bool(is_shown)) for number, story, is_shown in rows}


def choices(connection: Connection, article_ids: Collection[int]) -> Choices:
    """Returns what the choice of first pages for the articles needs."""
    return _choices(_rows(connection, _CHOICES, article_ids), article_ids)


def _choices(rows: Iterable[tuple[Any, ...]], article_ids: Collection[int]) -> Choices:
    story_of = {number: number for number in article_ids}
    several: set[int] = set()
    members: dict[int, int] = {}
    stored: dict[int, StoredChoice] = {}
    for kind, number, other, page_id, rule in rows:
        if kind == "member":
            members[number] = other
        elif kind == "first":
            stored[number] = StoredChoice(number, other, page_id, rule)
        elif number in story_of:
            if kind == "story":
                story_of[number] = other
            else:
                several.add(number)
    own = {*story_of, *story_of.values()}
    return Choices(story_of, several, members, {number: one for number, one in stored.items() if number in own})


def _rows(connection: Connection, query: str, numbers: Iterable[int]) -> list[tuple[Any, ...]]:
    wanted = sorted(set(numbers))
    if not wanted:
        return []
    on_sqlite, on_postgresql = (query.format(wanted=table) for table in _WANTED)
    return read_rows(connection, on_sqlite, on_postgresql, {"wanted": wanted})
