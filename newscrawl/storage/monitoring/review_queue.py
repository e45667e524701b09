"""Pages held back: their site's extraction looks broken, and no extractor made anything of them that is believed.

A held page's text is in no article, version, cluster or change of the feed. It leaves by a later reading that is
believed, by `newscrawl reextract --held`, by newscrawl.storage.monitoring.release, or is forgotten with its page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, func, or_, select

from newscrawl.model import ProcessedPage
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.tables.review import held


@dataclass(frozen=True, slots=True)
class HeldPage:
    """A page held back. `characters` is None where no text was found at all; `failure` says why then."""

    url_key: str
    url: str
    site: str
    at: datetime
    reasons: Sequence[str]
    failure: str | None
    extractor: str | None
    title: str | None
    characters: int | None


def counts(connection: Connection) -> dict[str, int]:
    """How many pages are held back, by site."""
    rows = connection.execute(select(held.c.site, func.count()).group_by(held.c.site).order_by(held.c.site))
    return {site: number for site, number in rows}  # noqa: C416  rows are no pairs to mypy


def listed(connection: Connection, site: str | None = None, limit: int | None = None) -> list[HeldPage]:
    """Pages held back, of a site or of all, the newest first."""
    size = func.length(held.c.text).label("characters")
    names = [held.c[name] for name in HeldPage.__dataclass_fields__ if name != "characters"]
    query = select(*names, size).order_by(held.c.site, held.c.at.desc(), held.c.id.desc()).limit(limit)
    if site is not None:
        query = query.where(held.c.site == site)
    return [_page(row) for row in connection.execute(query)]


def of_keys(connection: Connection, keys: Iterable[str]) -> list[HeldPage]:
    """Those of the pages with these URL keys that are held back."""
    wanted = set(keys)
    rows = [
        row
        for chunk in chunks(sorted(wanted))
        for column in (held.c.url_key, held.c.final_key)
        for row in connection.execute(
            select(held, func.length(held.c.text).label("characters")).where(column.in_(chunk))
        )
    ]
    return list({row.url_key: _page(row) for row in rows}.values())


def keep(connection: Connection, readings: Mapping[str, tuple[str, ProcessedPage]]) -> None:
    """Holds the readings back, each in place of an earlier one of its page. By the page's URL key; each with the key of
    the address that answered."""
    drop(connection, dict.fromkeys(readings))
    rows = [_values(key, final_key, page) for key, (final_key, page) in readings.items()]
    if rows:
        connection.execute(held.insert(), rows)


def drop(connection: Connection, read: Mapping[str, datetime | None], limit: datetime | None = None) -> None:
    """The pages with these URL keys, or those that answered there, were read at these times and believed: what was held
    of them before is over, and what was held at an incredible time, behind `limit`."""
    for chunk in chunks(sorted(read)):
        here = or_(held.c.url_key.in_(chunk), held.c.final_key.in_(chunk))
        for row in connection.execute(select(held.c.id, held.c.url_key, held.c.final_key, held.c.at).where(here)):
            times = [read[key] for key in (row.url_key, row.final_key) if key in read]
            wrong = limit is not None and row.at > limit
            if any(at is None or wrong or row.at <= at for at in times):
                connection.execute(delete(held).where(held.c.id == row.id))


def _values(key: str, final_key: str, page: ProcessedPage) -> dict[str, Any]:
    raw, article = page.raw, page.article
    told = None
    if article is not None:
        told = {name: value for name, value in asdict(article).items() if name not in {"text", "signature"}}
    return {
        "url_key": key,
        "final_key": final_key,
        "url": raw.final_url,
        "site": raw.site,
        "at": raw.fetched_at,
        "status": raw.status,
        "reasons": list(page.doubt.reasons) if page.doubt is not None else None,
        "failure": page.failure.kind if page.failure is not None else None,
        "extractor": article.extractor if article is not None else None,
        "title": article.metadata.title if article is not None else None,
        "content_hash": article.content_hash if article is not None else None,
        "identity_key": article.identity_key if article is not None else None,
        "text": article.text if article is not None else None,
        "article": told,
        "use": asdict(page.use) if page.use is not None else None,
    }


def _page(row: Any) -> HeldPage:
    return HeldPage(
        row.url_key,
        row.url,
        row.site,
        row.at,
        tuple(row.reasons or ()),
        row.failure,
        row.extractor,
        row.title,
        row.characters,
    )
