"""Makes the entries of a consumer of the changes that it reads together: one for each article and each ended story."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from newscrawl import reports
from newscrawl.publishing.feed.sink import Entry
from newscrawl.reports import ExportedArticle
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.changes import Cause, Change, ChangedPage, Op, combined_for
from newscrawl.storage.reader import Connection


@dataclass(frozen=True, slots=True)
class ChangedArticles:
    """The stored data of the articles of the changes that were read together."""

    rows: Mapping[int, Sequence[Change]]
    """The changes of each article in order. Where the article is not as the last change that was read says, these
    include its later changes."""
    documents: Mapping[int, ExportedArticle]
    pages: Mapping[int, Sequence[ChangedPage]]


def changed_articles(connection: Connection, read: Sequence[Change]) -> ChangedArticles:
    """Returns the state of the articles that the changes name."""
    rows: dict[int, list[Change]] = defaultdict(list)
    for change in read:
        if change.op != "merge":
            rows[change.article_id].append(change)
    documents = reports.documents(connection, rows)
    ahead = [number for number, own in rows.items() if (own[-1].op == "remove") == (number in documents)]
    for number, every in changes.by_article(connection, ahead).items():
        rows[number] += [change for change in every if change.seq > rows[number][-1].seq]
    return ChangedArticles(rows, documents, changes.pages_of(connection, rows))


def entries(
    read: Sequence[Change], found: ChangedArticles, matching: Collection[int], given: Collection[int] | None
) -> list[Entry]:
    """Returns the entries in the order of the last change of each article or story.

    `matching` are the shown articles that the consumer wants. One that it does not want is removed if it is among
    `given`, the articles that it may have; None stands for all articles.
    """
    last: dict[int, Change] = {change.article_id: change for change in read}
    made = (
        _of_story(change) if change.op == "merge" else _of_article(change, found, number in matching)
        for number, change in last.items()
        if change.op == "merge" or given is None or number in matching or number in given
    )
    return sorted(made, key=lambda entry: entry.seq)


def _of_story(change: Change) -> Entry:
    return Entry(
        *(change.seq, "merge", change.article_id, change.at, None),
        story_id=change.story_id or -change.article_id,
        into=change.into_story_id,
        reason=change.reason,
    )


def _of_article(change: Change, found: ChangedArticles, is_wanted: bool) -> Entry:
    number = change.article_id
    document = found.documents.get(number)
    rows = found.rows[number]
    cause = _cause(rows, "remove" if document is None else "upsert")
    stories = [row.story_id for row in rows if row.story_id is not None]
    return Entry(
        *(change.seq, "upsert" if is_wanted else "remove", number, change.at, document if is_wanted else None),
        story_id=document.cluster if document is not None else stories[-1] if stories else number,
        reason=cause.reason,
        change_class=cause.change_class,
        pages=found.pages.get(number, ()),
        replaces=cause.replaces,
        replaced_by=cause.replaced_by,
        new_entries=cause.entries if is_wanted else (),
    )


def _cause(rows: Iterable[Change], op: Op) -> Cause:
    return combined_for([(row.op, row.cause) for row in rows], op)
