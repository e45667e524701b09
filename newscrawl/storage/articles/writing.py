"""Writes what was decided for a batch. Only `storage.articles.apply` calls it, in the order of its function `_write`.
Nothing is decided in here.

Of pages: rows of `pages` and of the addresses that lead to them, and the effects of visits on the review queue,
patterns of addresses and the hours of sites. Of texts, and what each page said of them: rows of `articles`, `versions`
and `headlines`, and the results of captures.

`versions` has one row for each page and text, with its present metadata. Titles and authors that a page has shown over
one text, where there was more than one, are rows of `headlines`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, bindparam, case, delete, exists, func, select, update

from newscrawl.model import Article, ProcessedPage
from newscrawl.storage.articles.deciding.known import Intent, ItemBatch, PreviousReading
from newscrawl.storage.articles.rows import PAGE, article_values, version_values
from newscrawl.storage.captures import locations
from newscrawl.storage.engine.sql import RowMapping, Values, earlier, incoming, insert_new, later, upsert
from newscrawl.storage.feed.announce import article_of
from newscrawl.storage.frontier import patterns
from newscrawl.storage.monitoring import hours, review_queue
from newscrawl.storage.records import GENERIC_SITE, NOT_MODIFIED, Label, Outcome, PageRow
from newscrawl.storage.tables.articles import articles, captures, headlines, pages, urls, versions
from newscrawl.storage.tables.frontier import ARTICLES


def write_pages(connection: Connection, part: ItemBatch) -> None:
    """Writes the stored pages that the part changed, in their state after the last item."""
    rows = [_row(part, page) for page in _changed(part) if page.id is not None]
    upsert(connection, pages, ["url_key"], rows)


def write_new_pages(connection: Connection, part: ItemBatch) -> None:
    """Inserts the pages that are not stored yet. Adds the ids of all changed pages to `part.page_ids`."""
    final = _changed(part)
    part.page_ids.update({page.url_key: page.id for page in final if page.id is not None})
    rows = [_row(part, page) for page in final if page.id is None]
    part.page_ids.update(insert_new(connection, pages, "url_key", rows))


def _row(part: ItemBatch, page: PageRow) -> Values:
    return PAGE.values(page) | {"article_id": article_of(part.known, page)}


def _changed(part: ItemBatch) -> list[PageRow]:
    """Returns the pages that the part changed, in their state after the last item."""
    known = part.known
    changed = dict.fromkeys(page.url_key for _, intent in part.decided for page in (intent.page, *intent.others))
    return [known.pages[key] for key in changed if key in known.pages]


def merge_pages(connection: Connection, part: ItemBatch) -> None:
    """Merges stored pages that turned out to be others: moves their addresses and versions and deletes their rows."""
    for _, intent in part.decided:
        old = part.before.get(intent.merged) if intent.merged is not None else None
        if old is not None and old.id is not None:
            _dissolve(connection, old.id, part.page_id(intent))


def write_urls(connection: Connection, part: ItemBatch) -> None:
    """Writes the addresses that lead to the pages. The first spelling of an address stays."""
    rows = {}
    for _, intent in part.decided:
        for key, url in intent.urls:
            page_key = part.known.aliases[key]
            if page_key in part.page_ids:
                rows[key] = {"url_key": key, "url": url, "page_id": part.page_ids[page_key]}
    upsert(connection, urls, ["url_key"], [rows[key] for key in sorted(rows)], {"page_id": incoming})


def _dissolve(connection: Connection, old: int, new: int) -> None:
    """Moves the addresses, versions and headlines of one page to another. A version that both have gets the earlier
    first date."""
    both = versions.alias()
    same = and_(both.c.page_id.in_([old, new]), both.c.article_id == versions.c.article_id)
    earliest = select(func.min(both.c.seen_at)).where(same).scalar_subquery()
    connection.execute(update(versions).where(versions.c.page_id == new).values(seen_at=earliest))
    shown = select(both.c.article_id).where(both.c.page_id == new)
    connection.execute(delete(versions).where(versions.c.page_id == old, versions.c.article_id.in_(shown)))
    connection.execute(update(versions).where(versions.c.page_id == old).values(page_id=new))
    connection.execute(update(urls).where(urls.c.page_id == old).values(page_id=new))
    other = headlines.alias()
    same_label = and_(other.c.article_id == headlines.c.article_id, other.c.label_key == headlines.c.label_key)
    clash = exists().where(other.c.page_id == new, same_label)
    connection.execute(delete(headlines).where(headlines.c.page_id == old, clash))
    connection.execute(update(headlines).where(headlines.c.page_id == old).values(page_id=new))
    connection.execute(delete(pages).where(pages.c.id == old))


def settle_review(connection: Connection, part: ItemBatch) -> None:
    """Removes readings from the review queue that the part replaces, by a credible text or by another reading, and adds
    the pages whose text looks broken."""
    kept: dict[str, tuple[str, ProcessedPage]] = {}
    credible: dict[str, datetime] = {}
    for item, intent in part.decided:
        page_key, at = part.page_key(intent), item.page.raw.fetched_at
        if intent.kind == "held_for_review":
            kept[page_key] = (item.key, item.page)
        elif intent.kind != "failed":
            for key in {page_key, item.key, item.asked_key}:
                kept.pop(key, None)
                credible[key] = max(at, credible.get(key, at))
    replaced: dict[str, datetime | None] = {**credible, **dict.fromkeys(kept)}
    review_queue.drop(connection, {key: at for key, at in replaced.items() if key in part.known.in_review})
    review_queue.add(connection, kept)


def record_first_visits(connection: Connection, part: ItemBatch, outcomes: Sequence[Outcome]) -> None:
    """Counts the results of first visits for the patterns of addresses, and their articles for the days of sites. A
    page held for review is not counted yet."""
    visits = []
    for (item, intent), outcome in zip(part.decided, outcomes, strict=True):
        asked = part.before.get(item.asked_key)
        if asked is not None and asked.state == "found" and outcome.kind != "held_for_review" and intent.is_visit:
            failure = intent.page.failure_kind if outcome.kind == "failed" else None
            visits.append(patterns.Visit(asked.site, asked.url, outcome.kind == "inserted", failure))
    patterns.record(connection, patterns.load(connection, visits), visits, part.latest)
    tally = hours.Tally()
    for visit in visits:
        if visit.is_fruitful and visit.site != GENERIC_SITE:
            tally.count(visit.site, part.latest, ARTICLES)
    tally.write(connection)


def count_hours(connection: Connection, parts: Sequence[ItemBatch]) -> None:
    """Adds the results of a batch that was just fetched to the numbers of its sites by hour."""
    tally = hours.Tally()
    for item, intent in (pair for part in parts if part.occasion.kind == "crawled" for pair in part.decided):
        site, at = item.page.raw.site, item.page.raw.fetched_at
        tally.count(site, at, "fetched")
        if item.page.raw.status == NOT_MODIFIED:
            tally.count(site, at, "not_modified")
        if kind := hours.OF_OUTCOMES.get(intent.kind):
            tally.count(site, at, kind)
        if intent.kind == "inserted":
            tally.article(site, at)
        elif intent.kind == "failed" and intent.page.failure_kind is not None:
            tally.failure(site, at, intent.page.failure_kind)
    tally.write(connection)


_DATES: Final = ("published", "modified")
_EARLIER: Final = (
    update(articles)
    .where(articles.c.id == bindparam("_article"), articles.c.first_seen > bindparam("_at"))
    .values(first_seen=bindparam("_at"))
)
LABEL: Final = RowMapping(Label)
_VERSION_KEEPS: Final = frozenset({"id", "page_id", "article_id", "change_class", "new_entries"})


def write_articles(connection: Connection, part: ItemBatch) -> dict[int, Article]:
    """Inserts the texts that are new, and completes `part.known.articles` with their ids. Returns the new articles by
    id."""
    known = part.known
    rows: dict[str, Values] = {}
    texts: dict[str, Article] = {}
    for item, intent in part.decided:
        article = intent.stores
        if article is not None and article.identity_key is not None and known.articles[article.identity_key] is None:
            rows.setdefault(article.identity_key, article_values(article, item.page.raw.fetched_at))
            texts.setdefault(article.identity_key, article)
    written = insert_new(connection, articles, "identity_key", list(rows.values()))
    known.articles.update(written)
    return {number: texts[identity] for identity, number in written.items()}


def write_earlier(connection: Connection, part: ItemBatch) -> None:
    """Stores the times of captures that prove that articles were seen earlier than stored: archives are read in any
    order. A time that is later than the stored one is ignored."""
    proved = ((part.article_id(intent), intent.seen_since) for _, intent in part.decided if intent.seen_since)
    if rows := [{"_article": number, "_at": at} for number, at in proved if number is not None]:
        connection.execute(_EARLIER, rows)


def write_versions(connection: Connection, part: ItemBatch, rows: Mapping[tuple[int, int], Values]) -> None:
    """Writes the rows of `version_rows`, and titles and authors that changed."""
    # A re-extraction replaces everything: what it leaves out was an error of the earlier extraction.
    rule = _richer_column if part.occasion.is_visit else incoming
    changes = {column.name: rule for column in versions.c if column.name not in _VERSION_KEEPS}
    if part.occasion.is_visit:
        changes |= _OFFSETS
    changes |= {"seen_at": earlier, "last_seen": later}
    upsert(connection, versions, ["page_id", "article_id"], list(rows.values()), changes)
    _write_labels(connection, part)


def version_rows(part: ItemBatch) -> dict[tuple[int, int], Values]:
    """Returns the metadata that the pages state as rows of `versions`, by page and article."""
    rows: dict[tuple[int, int], Values] = {}
    for item, intent in part.decided:
        if intent.stores is None:
            continue
        page_id, article_id = part.page_id(intent), part.article_id(intent)
        if article_id is None:
            raise LookupError(f"article {intent.stores.identity_key} was not written")
        values = version_values(
            intent.stores, page_id, article_id, intent.change_class, item.page.raw.fetched_at, intent.entries
        )
        key = page_id, article_id
        rows[key] = _joined(rows[key], values, fills_gaps=part.occasion.is_visit) if key in rows else values
    return rows


def _write_labels(connection: Connection, part: ItemBatch) -> None:
    """Stores titles and authors. A stored label keeps the earlier first date and the later last date."""
    rows: dict[tuple[int, int, str], Values] = {}
    for _, intent in part.decided:
        article_id = article_of(part.known, intent.page) if intent.labels else None
        if article_id is not None:
            page_id = part.page_id(intent)
            for label in intent.labels:
                own = {"page_id": page_id, "article_id": article_id}
                rows[page_id, article_id, label.label_key] = LABEL.values(label) | own
    key = ["page_id", "article_id", "label_key"]
    upsert(connection, headlines, key, list(rows.values()), {"seen_at": earlier, "last_seen": later})


def _joined(row: Values, other: Values, *, fills_gaps: bool) -> Values:
    """Returns one row for two readings of a version in a batch: the later one, its gaps filled by the earlier one."""
    first, last = (row, other) if row["last_seen"] <= other["last_seen"] else (other, row)
    merged = {name: value if value is not None or not fills_gaps else first[name] for name, value in last.items()}
    if fills_gaps:
        merged |= {f"{date}_offset": (first if last[date] is None else last)[f"{date}_offset"] for date in _DATES}
    kept = {name: row[name] for name in ("change_class", "new_entries")}
    return merged | {"seen_at": min(row["seen_at"], other["seen_at"])} | kept


def _richer_column(old: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[Any]:
    """Does what `_joined` does, in SQL, for one column of the stored row and the incoming one."""
    is_later = _last_seen(new) >= versions.c.last_seen
    return case((is_later, func.coalesce(new, old)), else_=func.coalesce(old, new))


def _offset_of(date: str) -> Callable[[ColumnElement[Any], ColumnElement[Any]], ColumnElement[Any]]:
    """Returns the rule of the column of a date's offset. It comes from the reading that gives the date, also where that
    states no offset."""

    def rule(old: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[Any]:
        stored_date, new_date = versions.c[date], new.table.c[date]
        is_taken = case((_last_seen(new) >= versions.c.last_seen, new_date.is_not(None)), else_=stored_date.is_(None))
        return case((is_taken, new), else_=old)

    return rule


def _last_seen(new: ColumnElement[Any]) -> ColumnElement[Any]:
    return new.table.c.last_seen  # type: ignore[no-any-return]


_OFFSETS: Final = {f"{date}_offset": _offset_of(date) for date in _DATES}


def write_captures(connection: Connection, part: ItemBatch) -> None:
    """Records where the pages are in the archive, with the result of each."""
    new = [item.page for item, intent in part.decided if intent.instead_of is None]
    locations.record(connection, new, part.known.articles, part.known.files)
    if part.occasion.kind == "released":  # the review queue does not know the captures of its pages
        for item, intent in part.decided:
            locations.set_result(connection, item.key, item.page.raw.fetched_at, part.article_id(intent))


def replace_readings(connection: Connection, part: ItemBatch) -> None:
    """Replaces the earlier results of captures by re-extracted articles, in `captures` and in `versions`.

    A text that is still the result of another capture stays a version.
    """
    for _, intent in part.decided:
        if intent.instead_of is not None:
            _replace(connection, part, intent, intent.instead_of)


def _replace(connection: Connection, part: ItemBatch, intent: Intent, previous: PreviousReading) -> None:
    page_id, article_id = part.page_id(intent), part.article_id(intent)
    if intent.stores is None and previous.article_id is not None and not previous.shown:
        article_id = previous.article_id
    locations.replace_result(connection, previous, article_id, None)
    if article_id is None or article_id == previous.article_id:
        return
    if previous.article_id is not None:
        _give_place(connection, previous, page_id, article_id)
    else:
        version = and_(versions.c.page_id == page_id, versions.c.article_id == article_id)
        seen = _seen(connection, previous.url_key, article_id)
        connection.execute(update(versions).where(version).values(**seen))


def _seen(connection: Connection, key: str, article_id: int) -> dict[str, datetime]:
    """Returns the times of the first and last capture of a page whose result is the article."""
    span = select(func.min(captures.c.fetched_at), func.max(captures.c.fetched_at))
    first, last = connection.execute(span.where(captures.c.url_key == key, captures.c.article_id == article_id)).one()
    return {"seen_at": first, "last_seen": last}


def _give_place(connection: Connection, previous: PreviousReading, page_id: int, article_id: int) -> None:
    """Gives the version of the new article the dates of its captures. Where the old version has dates outside the
    stored captures, from before there was an archive, the new one gets them. The old version is deleted if no other
    capture has it as its result."""
    theirs = and_(versions.c.page_id == page_id, versions.c.article_id == previous.article_id)
    mine = and_(versions.c.page_id == page_id, versions.c.article_id == article_id)
    old_version = connection.execute(select(versions).where(theirs)).first()
    if old_version is None:
        return
    here = captures.c.url_key == previous.url_key
    seen = _seen(connection, previous.url_key, article_id)
    first, last = connection.execute(
        select(func.min(captures.c.fetched_at), func.max(captures.c.fetched_at)).where(here)
    ).one()
    if old_version.seen_at < first:
        seen["seen_at"] = min(seen["seen_at"], old_version.seen_at)
    if old_version.last_seen > last:
        seen["last_seen"] = max(seen["last_seen"], old_version.last_seen)
    taken = {"change_class": old_version.change_class, "new_entries": old_version.new_entries}
    taken = taken if seen["seen_at"] == old_version.seen_at else {}
    connection.execute(update(versions).where(mine).values(**seen, **taken))
    witness = exists().where(here, captures.c.article_id == previous.article_id)
    shown = exists().where(pages.c.id == page_id, pages.c.article_id == previous.article_id)
    connection.execute(delete(versions).where(theirs, ~witness, ~shown))
