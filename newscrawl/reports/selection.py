"""Which articles a reader of the database wants: by time, site, language and verdict."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Select, and_, func, select

from newscrawl.storage.tables.articles import articles, pages, versions
from newscrawl.times import local_time

if TYPE_CHECKING:  # `export` imports this module
    from newscrawl.reports.export import ExportedArticle


@dataclass(frozen=True, slots=True)
class Period:
    """A period from `since` on and before `until`; None is no limit.

    With `by_local_day`, publications are compared by the time that readers saw (newscrawl.times.local_time).
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
        if self.language is not None:
            wanted, stated = self.language.casefold(), (article.language or "").casefold().replace("_", "-")
            if stated != wanted and not stated.startswith(f"{wanted}-"):
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
        query = query.where(articles.c.id.in_(of_site))
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
        query = query.where(articles.c.id.in_(in_period))
    return query
