"""Exports the current articles in a stream."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection, Row, ScalarSelect, Select, and_, func, select

from newscrawl.model import Dated, Metadata
from newscrawl.model.flat import COLUMNS, of_row
from newscrawl.reports.selection import ALWAYS, EVERY, ArticleSelection, Period, narrowed
from newscrawl.storage.duplicates import story_pages
from newscrawl.storage.duplicates.story_pages import STORY, Contained
from newscrawl.storage.engine.sql import chunks
from newscrawl.storage.engine.types import TEXT_LIMIT, is_cut
from newscrawl.storage.tables.articles import articles as articles_table
from newscrawl.storage.tables.articles import pages, versions

FETCH: Final = 200
"""Rows that are fetched at a time: about a megabyte of text."""


_OF_VERSION: Final = tuple(name for name in (*COLUMNS, "verdict", "confidence") if name != "language")
"""The columns of the page that is shown first. The language is that of the article."""
_AS_STORED: Final = (
    *("id", "url", "site", "text", "extractor", "verdict", "confidence", "content_hash", "first_seen"),
    *("cluster", "copies"),
)


@dataclass(frozen=True, kw_only=True)
class ExportedArticle(Dated):
    """An article as it is exported: its text, its metadata, and the URLs of all pages that show it.

    `url`, `site` and `metadata` are those of the page that is shown first (newscrawl.storage.duplicates), which may be
    any of `pages`. `title`, `authors`, `published` (a time) and the other metadata are attributes of the article, too.
    `pages` has the addresses of all pages that show the text, in the order in which they first showed it, `sites` their
    sites. `first_seen` is when a page first showed the text. `cluster` is the number of the article's story
    (newscrawl.storage.duplicates), `copies` the number of other articles of the story that some page shows:
    near-duplicates, not further pages with the same text. `contained_in` are larger articles of other stories that
    contain the text, at most 20; `contained_in_more` counts further ones. `truncated` says whether the text was too
    long and is stored cut. `confidence` says how right and whole the text probably is, from 0 to 1; None for a text
    stored by an earlier newscrawl.
    """

    id: int
    url: str
    site: str
    metadata: Metadata
    text: str
    extractor: str
    verdict: str
    confidence: float | None
    content_hash: str
    first_seen: datetime
    cluster: int
    copies: int
    truncated: bool
    contained_in: Sequence[int]
    contained_in_more: int
    pages: Sequence[str]
    sites: Sequence[str]

    @property
    def images(self) -> Sequence[Mapping[str, Any]]:
        """The pictures of the article, the lead image first: `url`, `caption`, `credit`, `width`, `height`, as
        stated."""
        return tuple(map(asdict, self.metadata.images))

    @property
    def live_entries(self) -> Sequence[Mapping[str, Any]]:
        """The entries of a live report: `at` (ISO 8601), `offset`, `title`, `text`, `id`."""
        entries = self.metadata.live_entries
        return tuple(asdict(one) | {"at": one.at.isoformat() if one.at is not None else None} for one in entries)


def articles(connection: Connection, selection: ArticleSelection = EVERY) -> Iterator[ExportedArticle]:
    """Yields the selected articles that some page shows, in the order of their ids.

    Read them while the connection's transaction is open (`reading`).
    """
    query = narrowed(_query(), selection).execution_options(stream_results=True, yield_per=FETCH)
    yield from filter(selection.has, _read(connection, query, selection.period))


def article(connection: Connection, article_id: int) -> ExportedArticle | None:
    """Returns the article; None if no page shows it."""
    return next(_read(connection, _query().where(articles_table.c.id == article_id)), None)


def documents(connection: Connection, article_ids: Iterable[int]) -> dict[int, ExportedArticle]:
    """Returns, by id, those of the articles that belong in an index now: a page that is not gone shows them."""
    current: dict[int, ExportedArticle] = {}
    for chunk in chunks(sorted(set(article_ids))):
        query = _query().where(articles_table.c.id.in_(chunk), pages.c.state != "gone")
        current.update((article.id, article) for article in _read(connection, query))
    return current


@cache  # building it takes as long as asking for one article
def _query() -> Select[Any]:
    current = and_(versions.c.page_id == pages.c.id, versions.c.article_id == pages.c.article_id)
    return (
        select(
            articles_table,
            pages.c.url,
            pages.c.site,
            pages.c.id.label("page_id"),
            pages.c.article_id,
            versions.c.seen_at,
            *(versions.c[name] for name in _OF_VERSION),
            STORY.label("cluster"),
            _copies().label("copies"),
        )
        .select_from(articles_table.join(pages, pages.c.article_id == articles_table.c.id).join(versions, current))
        .order_by(articles_table.c.id, versions.c.seen_at, pages.c.id)
    )


def _copies() -> ScalarSelect[Any]:
    """Counts the other articles of the story that some page shows which is not gone."""
    other, shown = articles_table.alias(), pages.alias()
    same = and_(func.coalesce(other.c.story_id, other.c.id) == STORY, other.c.id != articles_table.c.id)
    query = select(func.count(other.c.id.distinct())).join_from(other, shown, shown.c.article_id == other.c.id)
    return query.where(same, shown.c.state != "gone").correlate(articles_table).scalar_subquery()


def _read(connection: Connection, query: Select[Any], period: Period = ALWAYS) -> Iterator[ExportedArticle]:
    every = (list(rows) for _, rows in groupby(connection.execute(query), key=lambda row: int(row.id)))
    selected = (rows for rows in every if any(_is_in(period, row) for row in rows))
    for part in chunks(selected, FETCH):
        contained = story_pages.containers_of(connection, (rows[0].id for rows in part))
        several = {rows[0].cluster for rows in part if len(rows) > 1}
        places = {
            page.page: place
            for story in story_pages.pages_by_story(connection, several).values()
            for place, page in enumerate(story.pages)
        }
        for rows in part:
            # Pages that are gone have no place in their story.
            first = min(rows, key=lambda row: places.get(row.page_id, len(places)))
            yield _exported(first, rows, contained.get(rows[0].id, story_pages.NOWHERE))


def _is_in(period: Period, row: Row[Any]) -> bool:
    return period.has(row.published, row.published_offset, row.seen_at)


def _exported(row: Row[Any], shown: Sequence[Row[Any]], contained: Contained) -> ExportedArticle:
    values = row._asdict()
    return ExportedArticle(
        metadata=of_row(values),
        truncated=is_cut(row.text, TEXT_LIMIT),
        contained_in=tuple(contained.containers),
        contained_in_more=contained.more,
        pages=tuple(page.url for page in shown),
        sites=tuple(dict.fromkeys(page.site for page in shown)),
        **{name: values[name] for name in _AS_STORED},
    )
