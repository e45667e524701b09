"""Values as rows: what a page, an article, a version looks like in its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from newscrawl.model import Article, Attempt, PublishedDate, UsageRights
from newscrawl.storage.engine.types import clean_text, is_cut
from newscrawl.storage.records import Event, PageRow, SourceRow
from newscrawl.storage.tables.schema import TEXT_LIMIT

Values = dict[str, Any]


def page_values(page: PageRow, article_id: int | None) -> Values:
    """A row of `pages`, without its id."""
    discovery = page.discovery
    return {
        "url_key": page.url_key,
        "url": page.url,
        "site": page.site,
        "state": page.state,
        "verdict": page.verdict,
        "first_seen": page.first_seen,
        "last_fetched": page.last_fetched,
        "last_change": page.last_change,
        "next_due": page.next_due,
        "etag": page.etag,
        "last_modified": page.last_modified,
        "failures": page.failures,
        "failure_kind": page.failure_kind,
        "last_status": page.last_status,
        "article_id": article_id,
        "discovery_kind": discovery.kind if discovery else None,
        "discovery_source": discovery.source if discovery else None,
        "discovery_title": discovery.title if discovery else None,
        "discovery_published": discovery.published if discovery else None,
        "visits": page.visits,
        "edits": page.edits,
        "claimed_key": page.claimed_key,
        **_use_values(page.use),
    }


def use_statements(row: Row[Any]) -> UsageRights | None:
    """What a row of `pages` says of the page's use."""
    if row.noindex is None:
        return None
    return UsageRights(row.noindex, row.noarchive, row.nosnippet, row.tdm_reservation, row.tdm_policy)


def source_row(row: Row[Any]) -> SourceRow:
    """A row of `sources`, read."""
    return SourceRow(**{name: getattr(row, name) for name in SourceRow.__dataclass_fields__})


def _use_values(use: UsageRights | None) -> Values:
    return {name: getattr(use, name) if use is not None else None for name in UsageRights.__dataclass_fields__}


def article_values(article: Article, now: datetime) -> Values:
    """A row of `articles`."""
    return {
        "identity_key": article.identity_key,
        "content_hash": article.content_hash,
        "text": article.text,
        "language": article.metadata.language,
        "extractor": article.extractor,
        "first_seen": now,
    }


def version_values(article: Article, page_id: int, article_id: int, change_class: str, now: datetime) -> Values:
    """A row of `versions`. Empty lists are NULL, so that a poorer reading never replaces a richer one."""
    metadata = article.metadata
    trace, problems = _told_of_cut(article)
    return {
        "page_id": page_id,
        "article_id": article_id,
        "seen_at": now,
        "last_seen": now,
        "change_class": change_class,
        "verdict": article.verdict,
        "title": metadata.title,
        "authors": list(metadata.authors) or None,
        **_date_values("published", metadata.published),
        **_date_values("modified", metadata.modified),
        "language": metadata.language,
        "section": metadata.section,
        "tags": list(metadata.tags) or None,
        "image": metadata.image,
        "canonical": metadata.canonical,
        "site_name": metadata.site_name,
        "description": metadata.description,
        "extractor": article.extractor,
        "fallback": article.is_fallback,
        "trace": [asdict(attempt) for attempt in trace] or None,
        "problems": list(problems) or None,
        "refused_dates": [asdict(date) for date in metadata.refused_dates] or None,
    }


def _told_of_cut(article: Article) -> tuple[Sequence[Attempt], Sequence[str]]:
    """Trace and problems of the article, which say so where its text is too long to be stored whole."""
    length = len(article.text)
    if length <= TEXT_LIMIT or not is_cut(clean_text(article.text, TEXT_LIMIT), TEXT_LIMIT):
        return article.trace, article.problems
    said = f"the text has {length:,} characters and is cut at {TEXT_LIMIT:,}"
    trace = [replace(one, reason=f"{one.reason}; {said}") if one.accepted else one for one in article.trace]
    return trace, (*article.problems, said)


def event_values(event: Event) -> Values:
    """A row of `events`."""
    return {
        "url_key": event.url_key,
        "url": event.url,
        "site": event.site,
        "at": event.at,
        "kind": event.kind,
        "reason": event.reason,
        "status": event.status,
    }


def _date_values(name: str, date: PublishedDate | None) -> Values:
    return {
        name: date.when if date else None,
        f"{name}_source": date.source if date else None,
        f"{name}_precision": date.precision if date else None,
        f"{name}_zone_stated": date.zone_stated if date else None,
    }
