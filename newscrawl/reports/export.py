"""The current articles: which are selected, their text and metadata, the pages that show them, and one page with its
article."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection, Row, ScalarSelect, Select, and_, func, select

from newscrawl.extraction.markdown import StructuredText
from newscrawl.model import Dated, Metadata, Structure
from newscrawl.model.flat import COLUMNS, of_row
from newscrawl.model.times import local_time
from newscrawl.reports.shown_articles import is_of
from newscrawl.storage.articles.lookup import page_at
from newscrawl.storage.duplicates import story_pages
from newscrawl.storage.duplicates.story_pages import Contained
from newscrawl.storage.engine.sql import chunks
from newscrawl.storage.engine.types import TEXT_LIMIT, is_cut
from newscrawl.storage.tables.articles import STORY, pages, versions
from newscrawl.storage.tables.articles import articles as articles_table

FETCH: Final = 200
"""Rows that are fetched at a time: about a megabyte of text."""


_OF_VERSION: Final = tuple(name for name in (*COLUMNS, "verdict", "confidence") if name != "language")
"""The columns of the page that is shown first. The language is that of the article."""
_AS_STORED: Final = (
    *("id", "url", "site", "text", "extractor", "verdict", "confidence", "content_hash", "first_seen"),
    *("cluster", "copies"),
)


@dataclass(frozen=True, kw_only=True)
class ExportedArticle(Dated, StructuredText):
    """An article as it is exported: its text, its metadata, and the URLs of all pages that show it.

    `url`, `site` and `metadata` are those of the page that is shown first (newscrawl.storage.duplicates), which may be
    any of `pages`. `title`, `authors`, `published` (a time) and the other metadata are attributes of the article, too.
    `pages` has the addresses of all pages that show the text, in the order in which they first showed it, `sites` their
    sites. `first_seen` is when a page first showed the text. `cluster` is the number of the article's story
    (newscrawl.storage.duplicates), `copies` the number of other articles of the story that some page shows:
    near-duplicates, not further pages with the same text. `contained_in` are larger articles of other stories that
    contain the text, at most 20; `contained_in_more` counts further ones. `truncated` says whether the text was too
    long and is stored cut. `confidence` says how right and whole the text probably is, from 0 to 1; None for a text
    stored by an earlier newscrawl. `structure` says what the paragraphs of the text are, and has its links; `markdown`
    is the text with them.
    """

    id: int
    url: str
    site: str
    metadata: Metadata
    text: str
    extractor: str
    verdict: str
    confidence: float | None
    structure: Structure | None = None
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


@dataclass(frozen=True, slots=True)
class Period:
    """A period from `since` on and before `until`; None is no limit.

    With `by_local_day`, publications are compared by the time that readers saw (newscrawl.model.times.local_time).
    """

    since: datetime | None = None
    until: datetime | None = None
    by_local_day: bool = False

    def has(self, published: datetime | None, offset: int | None, seen_at: datetime) -> bool:
        """Returns whether a page is in the period: by its publication, with the offset in minutes that it states, else
        by the time when it first showed the text."""
        at = published or seen_at
        if published is not None and self.by_local_day:
            at = local_time(published, offset)
        return (self.since is None or at >= self.since) and (self.until is None or at < self.until)

    def widened(self) -> Period:
        """Returns a period by UTC that has all times of this one in any zone."""
        if not self.by_local_day:
            return self
        return Period(_moved(self.since, -_ANY_OFFSET), _moved(self.until, _ANY_OFFSET))


_ANY_OFFSET: Final = timedelta(days=1)


def _moved(moment: datetime | None, step: timedelta) -> datetime | None:
    """Returns the moment a step away; None, which is no limit, beyond the extremes of datetime."""
    try:
        return moment + step if moment is not None else None
    except OverflowError:
        return None


ALWAYS: Final = Period()


@dataclass(frozen=True, slots=True)
class ArticleSelection:
    """Selects articles. None selects all.

    `period`: some page that shows the article states a publication in it, or states none and first showed the text in
    it. `site`: some page of the site shows the article. `language`: a code such as "de", which includes "de-AT".
    `min_confidence`: the least confidence; an article without one is not selected.
    """

    site: str | None = None
    language: str | None = None
    verdict: str | None = None
    period: Period = ALWAYS
    min_confidence: float | None = None

    def has(self, article: ExportedArticle) -> bool:
        """Returns whether site, language, verdict and confidence of the article are selected; its pages decide on the
        period."""
        if self.min_confidence is not None and (article.confidence is None or article.confidence < self.min_confidence):
            return False
        if self.language is not None and not is_of(article.language, self.language):
            return False
        if self.verdict is not None and article.verdict != self.verdict:
            return False
        return self.site is None or self.site in {article.site, *article.sites}


EVERY: Final = ArticleSelection()


def narrowed(query: Select[Any], selection: ArticleSelection) -> Select[Any]:
    """Returns a query of `articles` that leaves out what site and period do not select, so that no text is read for
    nothing."""
    page, version = pages.alias(), versions.alias()
    if selection.site is not None:
        of_site = select(page.c.article_id).where(page.c.site == selection.site, page.c.article_id.is_not(None))
        query = query.where(articles_table.c.id.in_(of_site))
    period = selection.period.widened()
    since, until = period.since, period.until
    if since is not None or until is not None:
        current = and_(version.c.page_id == page.c.id, version.c.article_id == page.c.article_id)
        in_period = select(page.c.article_id).join(version, current)
        at = func.coalesce(version.c.published, version.c.seen_at)
        if since is not None:
            in_period = in_period.where(at >= since)
        if until is not None:
            in_period = in_period.where(at < until)
        query = query.where(articles_table.c.id.in_(in_period))
    return query


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
    selected = (
        rows for rows in every if any(period.has(row.published, row.published_offset, row.seen_at) for row in rows)
    )
    for part in chunks(selected, FETCH):
        contained = story_pages.containers_of(connection, (rows[0].id for rows in part))
        several = {rows[0].cluster for rows in part if len(rows) > 1}
        places = {
            page.page_id: place
            for story in story_pages.pages_by_story(connection, several).values()
            for place, page in enumerate(story.pages)
        }
        for rows in part:
            # Pages that are gone have no place in their story.
            first = min(rows, key=lambda row: places.get(row.page_id, len(places)))
            yield _exported(first, rows, contained.get(rows[0].id, story_pages.NOWHERE))


def _exported(row: Row[Any], shown: Sequence[Row[Any]], contained: Contained) -> ExportedArticle:
    values = row._asdict()
    return ExportedArticle(
        metadata=of_row(values),
        structure=Structure.of_row(row.structure),
        truncated=is_cut(row.text, TEXT_LIMIT),
        contained_in=tuple(contained.containers),
        contained_in_more=contained.more,
        pages=tuple(page.url for page in shown),
        sites=tuple(dict.fromkeys(page.site for page in shown)),
        **{name: values[name] for name in _AS_STORED},
    )


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page. `state` is `found` (not fetched yet), `fetched`, `failed` (the latest visit failed), `gone` (404, 410) or
    `expired` (its texts were deleted because of their age).

    `first_seen` is when newscrawl first knew of the page, announced or fetched. `last_change` is when a visit last
    found another text or headline. `failure` is the reason code of the latest visit if that failed. `article` is the
    article that the page shows; its address and metadata are those of the page that is shown first, which may be
    another one.
    """

    id: int
    url: str
    site: str
    state: str
    first_seen: datetime
    last_fetched: datetime | None
    last_change: datetime | None
    verdict: str | None
    failure: str | None
    article: ExportedArticle | None


def stored_page(connection: Connection, url: str) -> StoredPage | None:
    """Returns the page that an address leads to, in any spelling; None for an unknown address. Raises InvalidUrl."""
    page = page_at(connection, url)
    if page is None or page.id is None:
        return None
    return StoredPage(
        id=page.id,
        url=page.url,
        site=page.site,
        state=page.state,
        first_seen=page.first_seen,
        last_fetched=page.last_fetched,
        last_change=page.last_change,
        verdict=page.verdict,
        failure=page.failure_kind,
        article=article(connection, page.article_id) if page.article_id is not None else None,
    )
