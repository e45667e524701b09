"""Feeds, sitemaps and section pages: what they answered, and the candidates they name.

One transaction writes a source's new validators together with the candidates its body named, so neither a kill nor a
304 from then on can hide an article: a page leaves `found` only with its outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, func, select, update

from newscrawl.errors import InvalidUrl
from newscrawl.identity import clean_url, url_key
from newscrawl.model import Candidate, SourceKind
from newscrawl.storage import events
from newscrawl.storage.backoff import retry_at
from newscrawl.storage.lookup import chunks, due_page, known_pages
from newscrawl.storage.pages import is_due
from newscrawl.storage.records import GENERIC_SITE, DuePage, Event, PageRow, SourceAnswer, SourceRow
from newscrawl.storage.rows import Values, page_values
from newscrawl.storage.schema import pages, sources, urls
from newscrawl.storage.upsert import upsert

NOT_MODIFIED = 304


def record_answer(
    connection: Connection, answer: SourceAnswer, candidates: Sequence[Candidate], now: datetime
) -> list[DuePage]:
    """Writes what a source answered and every page it named, and returns those of them to fetch now, in its order.

    A page is to be fetched when it is new, still `found`, or its next visit has come. Candidates with one URL key are
    one page; one whose address is no http(s) URL is counted as unusable. Raises InvalidUrl when the source's is none.
    """
    named, unusable = _by_key(candidates)
    known = known_pages(connection, named)
    fresh = {key: candidate for key, candidate in named.items() if known.page_of(key) is None}
    counts = {"answers": 1, "named": len(named), "new": len(fresh), "unusable": unusable}
    _write_source(connection, answer, candidates, counts, now)
    stored = [page for page in map(known.page_of, named) if page is not None]
    _take_over(connection, answer.site, stored)
    found = _insert_found(connection, answer.site, fresh, now)
    events.record_all(connection, [_found_event(page) for page in found])
    known.pages.update({page.url_key: page for page in found})
    wanted = {page.url_key: page for page in map(known.page_of, named) if page is not None and is_due(page, now)}
    return [due_page(page) for page in wanted.values()]


def record_failure(
    connection: Connection, site: str, url: str, kind: SourceKind, reason: str, status: int | None, now: datetime
) -> None:
    """A source that could not be read; `reason` is a stable slash-name. It is due again after a growing pause."""
    key = url_key(url)
    where = (sources.c.site == site, sources.c.url_key == key)
    failures = (connection.execute(select(sources.c.failures).where(*where)).scalar() or 0) + 1
    change = {"failures": failures, "failure_kind": reason, "last_status": status, "next_due": retry_at(failures, now)}
    values = _empty_source(site, url, kind) | change
    upsert(connection, sources, ["site", "url_key"], [values], change)
    events.record_all(connection, [Event(key, url, site, now, reason, f"{kind} could not be read", status)])


def of_site(connection: Connection, site: str) -> list[SourceRow]:
    """The site's known sources, in the order they were first met."""
    rows = connection.execute(select(sources).where(sources.c.site == site).order_by(sources.c.id))
    names = SourceRow.__dataclass_fields__
    return [SourceRow(**{name: getattr(row, name) for name in names}) for row in rows]


@dataclass(frozen=True, slots=True)
class _Named:
    url: str
    candidate: Candidate


def _by_key(candidates: Iterable[Candidate]) -> tuple[dict[str, _Named], int]:
    """The first candidate of each URL key, and how many candidates have no usable address."""
    named: dict[str, _Named] = {}
    unusable = 0
    for candidate in candidates:
        try:
            named.setdefault(url_key(candidate.url), _Named(clean_url(candidate.url), candidate))
        except InvalidUrl:
            unusable += 1
    return named, unusable


def _write_source(
    connection: Connection, answer: SourceAnswer, candidates: Sequence[Candidate], counts: Values, now: datetime
) -> None:
    dates = [candidate.discovery.published for candidate in candidates if candidate.discovery.published is not None]
    values = _empty_source(answer.site, answer.url, answer.kind) | {
        "etag": answer.etag,
        "last_modified": answer.last_modified,
        "watermark": max((date for date in dates if date <= now), default=None),
        "last_fetched": answer.fetched_at,
        "last_status": answer.status,
        **counts,
    }
    changes: dict[str, Any] = dict.fromkeys(values, _incoming)
    for fixed in ("site", "url_key"):
        del changes[fixed]
    changes |= dict.fromkeys(counts, _sum) | {"watermark": _later}
    if answer.status == NOT_MODIFIED:
        changes |= {"etag": _either, "last_modified": _either}
    upsert(connection, sources, ["site", "url_key"], [values], changes)


def _empty_source(site: str, url: str, kind: SourceKind) -> Values:
    return {
        "site": site,
        "url_key": url_key(url),
        "url": url,
        "kind": kind,
        "next_due": None,
        "last_status": None,
        "failures": 0,
        "failure_kind": None,
        "answers": 0,
        "named": 0,
        "new": 0,
        "unusable": 0,
    }


def _insert_found(connection: Connection, site: str, fresh: dict[str, _Named], now: datetime) -> list[PageRow]:
    """Stores the new candidates as pages in state `found`."""
    found = [
        PageRow(key, named.url, site, "found", first_seen=now, discovery=named.candidate.discovery)
        for key, named in fresh.items()
    ]
    for chunk in chunks(found):
        same = {"url_key": lambda stored, _incoming: stored}
        rows = [page_values(page, None) for page in chunk]
        returned = upsert(connection, pages, ["url_key"], rows, same, [pages.c.url_key, pages.c.id])
        ids = {row.url_key: row.id for row in returned}
        addresses = [
            {"url_key": page.url_key, "url": fresh[page.url_key].candidate.url, "page_id": ids[page.url_key]}
            for page in chunk
        ]
        upsert(connection, urls, ["url_key"], addresses, {"page_id": _incoming})
    return found


def _take_over(connection: Connection, site: str, stored: Sequence[PageRow]) -> None:
    """A declared site takes the pages it names over from `generic`."""
    if site == GENERIC_SITE:
        return
    for chunk in chunks(page.id for page in stored if page.site == GENERIC_SITE and page.id is not None):
        connection.execute(update(pages).where(pages.c.id.in_(chunk)).values(site=site))


def _found_event(page: PageRow) -> Event:
    discovery = page.discovery
    reason = f"named by the {discovery.kind} {discovery.source}" if discovery else ""
    return Event(page.url_key, page.url, page.site, page.first_seen, "found", reason)


def _incoming(_stored: object, incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return incoming


def _sum(stored: ColumnElement[Any], incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return stored + incoming


def _either(stored: ColumnElement[Any], incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return func.coalesce(incoming, stored)


def _later(stored: ColumnElement[Any], incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return case((stored.is_(None), incoming), (incoming > stored, incoming), else_=stored)
