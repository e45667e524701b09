"""The stories of articles, the pages of a story in the order in which they are shown, and the texts that are part of
larger texts of other stories: a report in a round-up, an agency's text in an article (`text_links`).

The order is that of the view `story_pages` (`_STORY_PAGES` in newscrawl/storage/migrations/__init__.py): what a page
states never moves it before a page of another site. Its canonical link can only move it back, and the date and author
that it states count among the pages of its site alone, because a copier may state any date. Ask the view for given
numbers of stories only: SQLite would compute it for all stories for a join or a subquery.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final, Literal

from sqlalchemy import BigInteger, Boolean, Connection, Integer, Select, bindparam, column, func, select, table

from newscrawl.model.times import local_time
from newscrawl.storage.engine.sql import chunks, rows_among
from newscrawl.storage.engine.types import UtcDateTime
from newscrawl.storage.tables.articles import STORY, articles, text_links, versions

Rule = Literal["only", "canonical", "declared", "republishes", "metadata", "first seen"]
"""The rule that put a page first. `only`: there is one page. `canonical`: other pages name another
original by their canonical link. `declared`: its
site is declared. `republishes`: the sites of the others republish. `metadata`: of the pages of its site, it states most
metadata. `first seen`: it was seen first."""

RULE_SENTENCES: Final[Mapping[Rule, str]] = {
    "only": "it is the only page",
    "canonical": "an earlier page says, by its canonical link, that another page is the original",
    "declared": "its site is declared",
    "republishes": "the site of the page that would stand before it republishes",
    "metadata": "of the pages of its site, it states most of date and author",
    "first seen": "it was seen first",
}
"""The rules as sentences."""
REPUBLISHES: Final = 2
"""The class of pages of sites that republish others' articles. Pages of declared sites have 0, all others 1."""

MAX_LINKS: Final = 20
"""The greatest number of larger texts that are named for one part. The others are counted."""

_PAGES: Final = table(
    "story_pages",
    *(column(name, BigInteger()) for name in ("story_id", "article_id", "page_id")),
    *(column("url"), column("site"), column("since", UtcDateTime())),
    *(column("defers", Boolean()), column("class", Integer()), column("place", Integer())),
    *(column(name, versions.c[name].type) for name in ("title", "authors", "published", "published_offset")),
)
_SHOWN: Final = select(_PAGES).order_by(_PAGES.c.story_id, _PAGES.c.place)


@dataclass(frozen=True, slots=True)
class MemberPage:
    """A page of a story, with the metadata that it states for the text that it shows. `first_seen` is when it first
    showed a text of the story: a later correction does not move it back. `published_offset` is in minutes east of
    UTC."""

    page_id: int
    article_id: int
    url: str
    site: str
    first_seen: datetime
    title: str | None
    authors: tuple[str, ...]
    published: datetime | None
    published_offset: int | None = None

    @property
    def at(self) -> datetime:
        """When the page says that it was published, or else when it first showed a text of the story."""
        return self.published or self.first_seen

    @property
    def local_at(self) -> datetime:
        """The same by the time that readers saw (newscrawl.model.times.local_time)."""
        return local_time(self.published, self.published_offset) if self.published else self.first_seen


@dataclass(frozen=True, slots=True)
class StoryPages:
    """The pages of a story in the order in which they are shown. `rule` put the first one there."""

    number: int
    rule: Rule
    pages: Sequence[MemberPage]

    @property
    def first(self) -> MemberPage:
        """The page that is shown first."""
        return self.pages[0]


@dataclass(frozen=True, slots=True)
class Contained:
    """The larger texts that a text is part of.

    `containers` maps the id of a larger text to the share of the part that it contains, 0 to 1. `more` counts the
    larger texts that are not named.
    """

    containers: Mapping[int, float]
    more: int = 0


NOWHERE: Final = Contained({})


def numbers_of(connection: Connection, article_ids: Iterable[int]) -> dict[int, int]:
    """Returns the number of each article's story, by article id: its own id if it is not stored."""
    story_of = {number: number for number in article_ids}
    stored = list(rows_among(connection, select(articles.c.id, STORY), articles.c.id, story_of))
    return story_of | {number: story for number, story in stored}  # noqa: C416  to mypy, rows are not pairs


@dataclass(frozen=True, slots=True)
class Member:
    """A text of a story. `kind` (same, edit or copy, see newscrawl.model.identity.stories), `resemblance` and
    `containment` (0 to 1) compare it with the text that represented the story when it joined."""

    article_id: int
    story: int
    first_seen: datetime
    kind: str
    resemblance: float
    containment: float


def members(connection: Connection, numbers: Iterable[int]) -> dict[int, list[Member]]:
    """Returns the texts of the stories, by story number, the representative first. Texts that no page shows are among
    them."""
    found: dict[int, list[Member]] = {}
    for row in rows_among(connection, _MEMBERS, STORY, numbers):
        found.setdefault(row.story, []).append(_member(row))
    return found


def members_with(connection: Connection, number: int) -> list[Member]:
    """Returns the texts of the story with the number, or else of the story of the article with this number, the
    representative first. The number of a story is that of an article of it, which may have been deleted."""
    return [_member(row) for row in connection.execute(_MEMBERS_WITH, {"number": number})]


_MEMBERS: Final = select(
    STORY.label("story"), *(articles.c[name] for name in ("id", "first_seen", "kind", "resemblance", "containment"))
).order_by(articles.c.id)
_MEMBERS_WITH: Final = _MEMBERS.where(
    func.coalesce(
        select(STORY).where(articles.c.id == bindparam("number")).correlate(None).scalar_subquery(),
        bindparam("number"),
    )
    == STORY
)


def _member(row: Any) -> Member:
    similar = ("same", 1.0, 1.0) if row.kind is None else (row.kind, row.resemblance, row.containment)
    return Member(row.id, row.story, row.first_seen, *similar)


def pages_by_story(connection: Connection, numbers: Iterable[int]) -> dict[int, StoryPages]:
    """Returns the pages of the stories, by story number. Stories whose pages are all gone are left out."""
    rows = rows_among(connection, _SHOWN, _PAGES.c.story_id, numbers)
    by_story = {number: list(own) for number, own in groupby(rows, key=lambda row: int(row.story_id))}
    return {number: StoryPages(number, _rule(own), [_shown(row) for row in own]) for number, own in by_story.items()}


def first_pages(connection: Connection, numbers: Iterable[int]) -> dict[int, int]:
    """Returns the id of the page that is shown first, by story number."""
    query = select(_PAGES.c.story_id, _PAGES.c.page_id).where(_PAGES.c.place == 1)
    return {row.story_id: row.page_id for row in rows_among(connection, query, _PAGES.c.story_id, numbers)}


def containers_of(connection: Connection, article_ids: Iterable[int]) -> dict[int, Contained]:
    """Returns the larger texts of the articles by article id: of each the first `MAX_LINKS`, and how many more there
    are. Articles that are part of no text are left out."""
    found: dict[int, dict[int, float]] = defaultdict(dict)
    totals: dict[int, int] = {}
    for chunk in chunks(sorted(set(article_ids))):
        for row in connection.execute(_CONTAINERS, {"parts": chunk}):
            found[row.article_id][row.container_id] = row.containment
            totals[row.article_id] = row.total
    return {number: Contained(named, totals[number] - len(named)) for number, named in found.items()}


def _first_containers() -> Select[Any]:
    part = text_links.c.article_id
    place = func.row_number().over(partition_by=part, order_by=text_links.c.container_id).label("place")
    total = func.count().over(partition_by=part).label("total")
    every = select(text_links, place, total).where(part.in_(bindparam("parts", expanding=True))).subquery()
    return select(every).where(every.c.place <= MAX_LINKS).order_by(every.c.article_id, every.c.place)


_CONTAINERS: Final = _first_containers()
"""Built once: building it takes longer than a story's rows."""


def parts_of(connection: Connection, article_id: int) -> dict[int, float]:
    """Returns the smaller texts that a text contains: article id -> share of the smaller text, 0 to 1."""
    query = select(text_links).where(text_links.c.container_id == article_id).order_by(text_links.c.article_id)
    return {row.article_id: row.containment for row in connection.execute(query)}


def containers_by_story(connection: Connection, numbers: Iterable[int]) -> dict[int, int]:
    """Returns how many other stories contain texts of each story, by story number. Stories without any are left out."""
    part, whole = articles.alias(), articles.alias()
    story, container = (func.coalesce(one.c.story_id, one.c.id) for one in (part, whole))
    links = part.join(text_links, text_links.c.article_id == part.c.id).join(
        whole, whole.c.id == text_links.c.container_id
    )
    counted = select(story, func.count(container.distinct())).select_from(links).where(container != story)
    return {number: count for number, count in rows_among(connection, counted.group_by(story), story, numbers)}  # noqa: C416  to mypy, rows are not pairs


def _shown(row: Any) -> MemberPage:
    dates = row.published, row.published_offset
    return MemberPage(
        *(row.page_id, row.article_id, row.url, row.site, row.since, row.title, tuple(row.authors or ())), *dates
    )


def _rule(rows: Sequence[Any]) -> Rule:
    """Returns the rule that decided: the first without which another page than the first would stand first."""
    if len(rows) == 1:
        return "only"

    def leads(key: Callable[[Any], tuple[Any, ...]]) -> Any:
        return min(rows, key=lambda row: (*key(row), row.since, row.page_id))

    earliest = leads(lambda row: (row.defers, getattr(row, "class")))
    if leads(lambda row: (getattr(row, "class"),)) is not earliest:
        return "canonical"
    if leads(lambda row: (row.defers, getattr(row, "class") == REPUBLISHES)) is not earliest:
        return "declared"
    if leads(lambda row: (row.defers, getattr(row, "class") == 1)) is not earliest:
        return "republishes"
    return "metadata" if earliest is not rows[0] else "first seen"
