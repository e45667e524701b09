"""The newest articles that pages show, in parts: by time, the newest first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC as UTC_ZONE
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, or_, select

from newscrawl.storage.engine.sql import chunks
from newscrawl.storage.tables.articles import STORY, articles, pages, versions

LOOKED_AT: Final = (200, 4_800)
"""Versions that one part looks at: the first number, and the second if those do not give a full part. What is rare is
found over several parts, none of which takes long (80 ms of CPU time for 5,000 versions)."""

Place = tuple[datetime, int]
"""The end of a part: the time and the id of the last version that was looked at."""


def is_of(stated: str | None, language: str) -> bool:
    """Returns whether a stated code is of a language: "de-AT" and "de_at" are of "de"."""
    code, wanted = (stated or "").casefold().replace("_", "-"), language.casefold()
    return code == wanted or code.startswith(f"{wanted}-")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which articles are listed. None lists all. `language` "de" includes "de-AT"; `day` is of UTC, by the time when
    the page first showed the text."""

    site: str | None = None
    language: str | None = None
    verdict: str | None = None
    day: date | None = None

    def has(self, row: Row[Any]) -> bool:
        """Returns whether a version has the wanted verdict and language."""
        if self.verdict is not None and row.verdict != self.verdict:
            return False
        return self.language is None or is_of(row.language, self.language)


@dataclass(frozen=True, slots=True)
class ShownArticle:
    """A page with the article that it shows. `seen_at` is when it first showed the text, `change_class` what was new
    then. `story_id` is the number of its story."""

    article_id: int
    page_id: int
    story_id: int
    url: str
    site: str
    title: str | None
    authors: Sequence[str]
    language: str | None
    verdict: str
    change_class: str
    published: datetime | None
    published_offset: int | None
    seen_at: datetime


@dataclass(frozen=True, slots=True)
class Part:
    """Some articles, and the place after which the next part begins; None at the end. `newest` is when the newest
    wanted text of those that were looked at was seen, whether a page still shows it or not."""

    articles: Sequence[ShownArticle]
    following: Place | None
    newest: datetime | None = None


def part(connection: Connection, wanted: Wanted, size: int, after: Place | None = None) -> Part:
    """Returns the next articles after a place, at most `size`. A part may have fewer, or none, before the end."""
    found: list[ShownArticle] = []
    newest: datetime | None = None
    for number in LOOKED_AT:
        looked_at = _looked_at(wanted, after).limit(number).subquery()
        rows = connection.execute(_query(looked_at).order_by(looked_at.c.seen_at.desc(), looked_at.c.id.desc())).all()
        for row in filter(wanted.has, rows):
            newest = newest or row.seen_at
            if row.shown_by is not None:
                found.append(_shown(row))
                if len(found) == size:
                    is_end = row is rows[-1] and len(rows) < number
                    return Part(found, None if is_end else (row.seen_at, row.id), newest)
        if len(rows) < number:
            return Part(found, None, newest)
        after = (rows[-1].seen_at, rows[-1].id)
    return Part(found, after, newest)


def newest(connection: Connection, size: int) -> Sequence[ShownArticle]:
    """Returns the newest articles."""
    return part(connection, Wanted(), size).articles


def by_article(connection: Connection, article_ids: Collection[int]) -> dict[int, ShownArticle]:
    """Returns, by article id, a page that shows the article; those that no page shows are left out."""
    found: dict[int, ShownArticle] = {}
    for one in _selected(connection, versions.c.article_id, article_ids, Wanted()):
        found.setdefault(one.article_id, one)
    return found


def load_pages(connection: Connection, page_ids: Collection[int], wanted: Wanted) -> Sequence[ShownArticle]:
    """Returns what those of the pages show that are wanted, without regard to the day."""
    return _selected(connection, versions.c.page_id, page_ids, wanted)


def _selected(
    connection: Connection, column: ColumnElement[Any], numbers: Collection[int], wanted: Wanted
) -> Sequence[ShownArticle]:
    found: list[ShownArticle] = []
    for chunk in chunks(sorted(numbers)):
        looked_at = select(versions.c.id, versions.c.seen_at).where(column.in_(chunk)).subquery()
        query = _query(looked_at).order_by(looked_at.c.id)
        if wanted.site is not None:
            query = query.where(pages.c.site == wanted.site)
        found += [_shown(row) for row in connection.execute(query) if row.shown_by is not None and wanted.has(row)]
    return found


def _looked_at(wanted: Wanted, after: Place | None) -> Select[Any]:
    query = select(versions.c.id, versions.c.seen_at)
    if wanted.site is not None:
        query = query.join(pages, pages.c.id == versions.c.page_id).where(pages.c.site == wanted.site)
    if wanted.day is not None:
        begin = datetime.combine(wanted.day, time(), UTC_ZONE)
        query = query.where(versions.c.seen_at >= begin)
        if wanted.day < date.max:
            query = query.where(versions.c.seen_at < begin + timedelta(days=1))
    if after is not None:
        query = query.where(_behind(after))
    return query.order_by(versions.c.seen_at.desc(), versions.c.id.desc())


def _behind(after: Place) -> ColumnElement[bool]:
    moment, number = after
    earlier = versions.c.seen_at < moment
    # The first condition alone lets the index begin at the place.
    return and_(versions.c.seen_at <= moment, or_(earlier, versions.c.id < number))


def _query(looked_at: Any) -> Select[Any]:
    shows = and_(pages.c.id == versions.c.page_id, pages.c.article_id == versions.c.article_id)
    names = ("title", "authors", "language", "verdict", "change_class", "published", "published_offset", "seen_at")
    return (
        select(
            looked_at.c.id,
            versions.c.article_id,
            versions.c.page_id,
            STORY.label("story_id"),
            pages.c.url,
            pages.c.site,
            pages.c.id.label("shown_by"),
            *(versions.c[name] for name in names),
        )
        .select_from(looked_at)
        .join(versions, versions.c.id == looked_at.c.id)
        .outerjoin(pages, shows)
        .join(articles, articles.c.id == versions.c.article_id)
    )


def _shown(row: Row[Any]) -> ShownArticle:
    values = {name: getattr(row, name) for name in ShownArticle.__dataclass_fields__}
    return ShownArticle(**values | {"authors": tuple(row.authors or ())})
