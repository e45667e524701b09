"""Appends the changes of a batch to the change feed: articles whose pages or metadata have changed, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial

from sqlalchemy import Connection

from newscrawl.storage.articles.deciding.known import ItemBatch, Known
from newscrawl.storage.articles.lookup import changes_label, changes_shown_values
from newscrawl.storage.engine.sql import Values
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.changes import GONE, Cause, Reason, combined, shown_by
from newscrawl.storage.records import PageRow

Written = Mapping[tuple[int, int], Values]
"""The written rows of `versions`, by page and article."""


def announce(connection: Connection, part: ItemBatch, written: Written, new: Collection[int]) -> list[Values]:
    """Returns the rows of the feed for the changes of a batch. Call it after the batch is written.

    `new` are the articles that the batch stored.
    """
    causes: dict[int, Cause] = {}
    for (page_id, article_id), values in written.items():
        stored = part.known.shown.get(page_id)
        if stored is not None and stored.article_id == article_id and changes_shown_values(stored, values):
            _add(causes, article_id, _of_metadata(part, values, is_label=changes_label(stored, values)))
    for page_causes in _of_pages(connection, part, written, new):
        for article_id, cause in page_causes.items():
            _add(causes, article_id, cause)
    went = {number for number in map(partial(_gone, part), _touched(part)) if number is not None}
    gone = {number for number in went & causes.keys() if not causes[number].replaced_by}
    own = [page for key, page in part.known.pages.items() if key in part.page_ids and shown_by(page)]
    shown = {number for page in own if (number := article_of(part.known, page)) in causes}
    shown_now = {number for number in shown if number is not None}
    return changes.seen(connection, causes, part.stored_at, shown=shown_now, gone=gone)


def _of_metadata(part: ItemBatch, values: Values, *, is_label: bool) -> Cause:
    if part.occasion.kind == "reextracted":
        return Cause("re-extracted")
    return Cause("headline", "headline") if is_label else Cause("metadata")


def _of_pages(
    connection: Connection, part: ItemBatch, written: Written, new: Collection[int]
) -> Iterator[Mapping[int, Cause]]:
    """Yields the causes of each page that the batch wrote or merged away, by article id."""
    moves = {key: _shown(part, key) for key in _touched(part)}
    entered = {after for before, after in moves.values() if before is None and after is not None}
    old = entered - set(new)
    shown_before = {before for before, _ in moves.values() if before is not None}
    if old - shown_before:
        shown_before |= changes.still_shown(connection, old - shown_before, without=part.page_ids.values())
    instead = {intent.merged: part.article_id(intent) for _, intent in part.decided if intent.merged is not None}
    replaced = {intent.page.url_key for _, intent in part.decided if intent.replaces_shown}
    for key, (before, after) in moves.items():
        if after is None:
            other = instead.get(key)
            yield {before: _left(other if other != before else None)} if before is not None else {}
        elif before is None:
            reason: Reason = "joined" if after in shown_before else "new"
            yield {after: _of_version(reason, part, key, after, written)}
        elif before != after:
            # The replaced text of a re-extraction is announced where it is removed (join.remove_unused).
            cause = _of_version("re-extracted" if key in replaced else "corrected", part, key, after, written)
            cause = replace(cause, replaces=(before,))
            yield {after: cause} if key in replaced else {after: cause, before: _left(after)}
        elif _moved(part.before.get(key), part.known.pages.get(key)) or key in replaced:
            yield {after: Cause("re-extracted" if key in replaced else "metadata")}


def _shown(part: ItemBatch, key: str) -> tuple[int | None, int | None]:
    """Returns the articles that a page showed before the batch and shows after it."""
    before, after = part.before.get(key), part.known.pages.get(key)
    return (
        before.article_id if before is not None and shown_by(before) else None,
        article_of(part.known, after) if after is not None and shown_by(after) else None,
    )


def _gone(part: ItemBatch, key: str) -> int | None:
    """Returns the article that a page no longer shows because it answered 404 or 410."""
    before, _ = _shown(part, key)
    page = part.known.pages.get(key)
    return before if page is not None and page.state == GONE else None


def _left(instead: int | None) -> Cause:
    """Returns the cause for an article that a page no longer shows. Other pages may show it."""
    return Cause("metadata", replaced_by=() if instead is None else (instead,))


def _of_version(reason: Reason, part: ItemBatch, key: str, article_id: int, written: Written) -> Cause:
    """Returns the cause with the class and the new entries of the version, if the batch wrote one."""
    values = written.get((part.page_ids[key], article_id)) if key in part.page_ids else None
    if values is None:
        return Cause(reason)
    return Cause(reason, str(values["change_class"]), entries=tuple(values["new_entries"] or ()))


def _touched(part: ItemBatch) -> dict[str, None]:
    """Returns the URL keys of all pages that the batch wrote or merged away."""
    keys: dict[str, None] = {}
    for _, intent in part.decided:
        keys.update(dict.fromkeys(page.url_key for page in (intent.page, *intent.others)))
        if intent.merged is not None:
            keys[intent.merged] = None
    return keys


def _moved(before: PageRow | None, after: PageRow | None) -> bool:
    return before is not None and after is not None and (before.url, before.site) != (after.url, after.site)


def _add(causes: dict[int, Cause], article_id: int, cause: Cause) -> None:
    causes[article_id] = combined((causes[article_id], cause)) if article_id in causes else cause


def article_of(known: Known, page: PageRow) -> int | None:
    """Returns the id of the article that a page shows, after the articles of the batch are written."""
    return known.articles[page.identity] if page.identity is not None else page.article_id
