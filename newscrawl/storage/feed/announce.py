"""Appends the changes of a batch to the change feed: articles whose pages or metadata have changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import Connection

from newscrawl.storage.articles.deciding.known import Incoming, Intent, Known
from newscrawl.storage.articles.versions import changes_what_is_said
from newscrawl.storage.engine.row_mapping import Values
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.changes import Op, shown_by
from newscrawl.storage.records import PageRow


def announce(
    connection: Connection,
    known: Known,
    decided: Sequence[tuple[Incoming, Intent]],
    before: Mapping[str, PageRow],
    written: Mapping[tuple[int, int], Values],
) -> None:
    """Appends the changes of a batch. Call it after the batch is written.

    `before` are the pages as they were stored, by URL key; `written` are the rows of `versions`, by page and article.
    """
    if not decided:
        return
    ops: dict[int, Op] = {}
    for (page_id, article_id), values in written.items():
        stored = known.shown.get(page_id)
        if stored is not None and stored.article_id == article_id and changes_what_is_said(stored, values):
            _add(ops, article_id, "upsert")
    replaced = {intent.page.url_key for _, intent in decided if intent.replaces_shown}
    for key in _touched(decided):
        page = known.pages.get(key)
        if key in replaced and page is not None:
            page_ops = _of_replaced(known, page)
        else:
            page_ops = _of_page(known, before.get(key), page)
        for article_id, op in page_ops:
            _add(ops, article_id, op)
    changes.append_seen(connection, ops, max(item.page.raw.fetched_at for item, _ in decided))


def _touched(decided: Sequence[tuple[Incoming, Intent]]) -> dict[str, None]:
    """Returns the URL keys of all pages that the batch wrote or merged away."""
    keys: dict[str, None] = {}
    for _, intent in decided:
        keys.update(dict.fromkeys(page.url_key for page in (intent.page, *intent.others)))
        if intent.merged is not None:
            keys[intent.merged] = None
    return keys


def _of_page(known: Known, before: PageRow | None, after: PageRow | None) -> Iterator[tuple[int, Op]]:
    old = before.article_id if before is not None and shown_by(before) else None
    new = article_of(known, after) if after is not None and shown_by(after) else None
    if new is not None and new != old:
        yield new, "upsert" if old is None else "version"
    elif new is not None and _moved(before, after):
        yield new, "upsert"
    if old is not None and old != new:
        yield old, "upsert"


def _of_replaced(known: Known, page: PageRow) -> Iterator[tuple[int, Op]]:
    """Yields the change of a page whose text was replaced by another extraction. It is no version of the page. The
    replaced article is announced where it is removed (unused_texts)."""
    article_id = article_of(known, page)
    if article_id is not None and shown_by(page):
        yield article_id, "upsert"


def _moved(before: PageRow | None, after: PageRow | None) -> bool:
    return before is not None and after is not None and (before.url, before.site) != (after.url, after.site)


def _add(ops: dict[int, Op], article_id: int, op: Op) -> None:
    if ops.get(article_id) != "version":
        ops[article_id] = op


def article_of(known: Known, page: PageRow) -> int | None:
    """Returns the id of the article that a page shows, after the articles of the batch are written."""
    return known.articles[page.identity] if page.identity is not None else page.article_id
