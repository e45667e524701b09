"""Joins articles of nearly the same words into stories.

A text is decided once, in the transaction that stores it: it joins the best representative that
`newscrawl.model.identity.stories.decide` allows, else it is a story of its own. The first text of a story is its
representative, and its id is the story's number. docs/explanation/near-duplicates.md has the rules and their limits.

Stored texts are found by the values of their signatures (`signature_bands`). At most `MAX_ARTICLES` articles are stored
for a value, so the cost of a look-up does not grow with the number of stored articles. A value that more articles have
is boilerplate, or the first articles with it find the text already.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection, bindparam, delete, select, update

from newscrawl.model import Article
from newscrawl.model.identity.stories import OTHERS, ContainmentLink, decide, nearest
from newscrawl.storage.duplicates.story_pages import numbers_of
from newscrawl.storage.engine.sql import Values, change_among, chunks, insert, insert_all, read_rows, rows_among
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.changes import Cause, Reason
from newscrawl.storage.tables.articles import STORY, articles, headlines, pages, signature_bands, text_links, versions
from newscrawl.workers.processes.failpoints import MID_TRANSACTION, hit

if TYPE_CHECKING:
    from newscrawl.model.identity.segmentation import Hashes

MAX_ARTICLES: Final = 100
"""The greatest number of articles that are stored for one value."""
MIN_SHARED: Final = 2
"""Values that two signatures must share before their texts are compared. One shared value may be a common phrase. Among
excerpts of half a text this misses 0.3 % (docs/measurements/quality.md)."""

_STORY_OF_BAND: Final = "(SELECT coalesce(a.story_id, a.id) FROM articles a WHERE a.id = band.article_id)"
_HOLDERS: Final = {
    "on_sqlite": f"SELECT band.value, band.article_id, {_STORY_OF_BAND} FROM signature_bands AS band"  # noqa: S608  constants
    " WHERE band.value IN (SELECT value FROM json_each(:wanted))",
    "on_postgresql": f"SELECT band.value, band.article_id, {_STORY_OF_BAND}"  # noqa: S608
    " FROM unnest(%(wanted)s::bigint[]) AS wanted(value) CROSS JOIN LATERAL (SELECT value, article_id"
    f" FROM signature_bands WHERE value = wanted.value ORDER BY article_id LIMIT {MAX_ARTICLES}) AS band",
}
"""The articles of each value, and their stories, on SQLite and on PostgreSQL: one index look-up a value and one an
article. For `value = ANY(...)` PostgreSQL estimates half of the table, as long as it has no statistics on the values,
and reads the whole table."""
_OTHERS: Final = (
    f"FROM articles WHERE coalesce(story_id, id) = wanted.value AND id <> wanted.value ORDER BY id LIMIT {OTHERS}"
)
_FIRST_MEMBERS: Final = {
    "on_sqlite": "SELECT wanted.value, a.id, a.text FROM json_each(:wanted) AS wanted"  # noqa: S608
    f" CROSS JOIN articles AS a ON a.id = wanted.value OR a.id IN (SELECT id {_OTHERS})",
    "on_postgresql": "SELECT wanted.value, a.id, a.text FROM unnest(%(wanted)s::bigint[]) AS wanted(value)"  # noqa: S608
    f" CROSS JOIN LATERAL (SELECT id, text FROM articles WHERE id = wanted.value UNION ALL"
    f" (SELECT id, text {_OTHERS})) AS a",
}
"""The texts of stories that a new text is compared with: the representatives and their first others. A story may have
a thousand texts: the index finds the first without reading the others."""

_JOIN: Final = (
    update(articles)
    .where(articles.c.id == bindparam("_article"))
    .values({name: bindparam(f"_{name}") for name in ("story_id", "kind", "resemblance", "containment")})
)
_NO_STORY: Final = {"story_id": None, "kind": None, "resemblance": None, "containment": None}


def join(connection: Connection, new: Mapping[int, Article]) -> None:
    """Decides the stories of new articles, given by id, in the order of their ids, and stores them with links and
    values. An article has no signature if its text is too short. No other transaction may do so at the same time."""
    signed = {number: article.signature for number, article in new.items() if article.signature is not None}
    if not signed:
        return
    articles_of, story_of = _holders(connection, {value for one in signed.values() for value in one.sketch})
    near: dict[int, Mapping[int, int]] = {}
    bands: list[tuple[int, int]] = []
    for number in sorted(signed):
        counts: Counter[int] = Counter()
        for value in signed[number].sketch:
            others = articles_of[value]
            counts.update(others)
            if len(others) < MAX_ARTICLES:
                others.append(number)
                bands.append((value, number))
        near[number] = {other: shared for other, shared in counts.items() if shared >= MIN_SHARED}
    if any(near.values()):  # most texts share no value with another
        _decide(connection, near, {number: article.text for number, article in new.items()}, story_of)
    # Neighbouring rows are written together.
    rows: list[Values] = [{"value": value, "article_id": number} for value, number in sorted(bands)]
    insert_all(connection, signature_bands, rows)


def _holders(connection: Connection, values: Collection[int]) -> tuple[defaultdict[int, list[int]], dict[int, int]]:
    """Returns the stored articles of each value, and the story of each of these articles."""
    articles_of: defaultdict[int, list[int]] = defaultdict(list)
    story_of: dict[int, int] = {}
    for value, number, story in read_rows(connection, **_HOLDERS, values={"wanted": sorted(values)}):
        if story is not None:  # else the article was removed, and its text had been cut: its values were others
            articles_of[value].append(number)
            story_of[number] = story
    return articles_of, story_of


def _decide(
    connection: Connection, near: Mapping[int, Mapping[int, int]], texts: dict[int, str], story_of: dict[int, int]
) -> None:
    stored = [{one: shared for one, shared in counts.items() if one in story_of} for counts in near.values()]
    wanted = {story for counts in stored for story in nearest(counts, story_of)}
    first: defaultdict[int, list[int]] = defaultdict(list)
    for story, number, body in read_rows(connection, **_FIRST_MEMBERS, values={"wanted": sorted(wanted)}):
        texts[number] = body
        if number != story:
            first[story].append(number)
    from newscrawl.model.identity.signature import shingles  # loads numpy, which most batches do not need

    hashes: dict[int, Hashes] = {}

    def of_text(number: int) -> Hashes:
        if number not in hashes:
            hashes[number] = shingles(texts[number])
        return hashes[number]

    joined: list[dict[str, Any]] = []
    links: list[ContainmentLink] = []
    for number, counts in near.items():
        candidates = {story: sorted(first[story])[:OTHERS] for story in nearest(counts, story_of)}
        decision = decide(number, candidates, of_text) if candidates else None
        links += decision.links if decision is not None else ()
        story_of[number] = number
        if decision is not None and decision.representative is not None and decision.similarity is not None:
            story_of[number] = decision.representative
            first[decision.representative].append(number)
            similar = decision.similarity
            joined.append(
                {
                    "_article": number,
                    "_story_id": decision.representative,
                    "_kind": similar.kind,
                    "_resemblance": similar.resemblance,
                    "_containment": similar.containment,
                }
            )
    if joined:
        connection.execute(_JOIN, joined)
    parts = [{"article_id": one.part, "container_id": one.whole, "containment": one.containment} for one in links]
    if parts:
        connection.execute(insert(connection, text_links).on_conflict_do_nothing(), parts)


def remove_unused(
    connection: Connection,
    article_ids: Iterable[int],
    now: datetime,
    reason: Reason,
    replaced_by: Mapping[int, int] | None = None,
) -> set[int]:
    """Removes those of the articles that no page shows or has shown, with their rows in the near-duplicate tables.
    Returns their ids.

    All articles given are announced in the change feed: `upsert` if a page shows them, else `remove` with the reason;
    `replaced_by` gives the articles that are shown instead. Call it in the transaction that removed the pages or
    versions.
    """
    touched = sorted(set(article_ids))
    lost = set(touched) - _used(connection, touched)
    stories = numbers_of(connection, touched)
    merged = _leave(connection, lost, now)
    hit(MID_TRANSACTION)
    change_among(connection, delete(headlines), headlines.c.article_id, lost)
    change_among(connection, delete(articles), articles.c.id, lost)
    others = {number: (other,) for number, other in (replaced_by or {}).items()}
    causes = {number: Cause("metadata", replaced_by=others.get(number, ())) for number in touched}
    rows = changes.seen(connection, causes, now, reason, stories)
    rows += replaced_stories(connection, rows, now, "re-extracted", merged)
    changes.append_rows(connection, rows)
    return lost


def _used(connection: Connection, article_ids: Iterable[int]) -> set[int]:
    """Returns the articles that some page shows or has shown."""
    wanted, columns = set(article_ids), (versions.c.article_id, pages.c.article_id)
    return {row[0] for one in columns for row in rows_among(connection, select(one).distinct(), one, wanted)}


def _leave(connection: Connection, article_ids: Collection[int], now: datetime) -> Collection[int]:
    """Removes articles from their stories, and returns the stories with a `merge`. Call it before their rows are
    removed.

    The next text of a story that loses its representative takes that one's place. The other articles of a story that
    are shown are announced in the change feed, and a story that has another number with a `merge`.
    """
    gone = set(article_ids)
    members: dict[int, list[int]] = defaultdict(list)
    every = select(articles.c.id, STORY).order_by(articles.c.id)
    for number, story in rows_among(connection, every, STORY, numbers_of(connection, gone).values()):
        members[story].append(number)
    for chunk in chunks(sorted(gone)):
        _drop_values(connection, chunk)
    for column in (text_links.c.article_id, text_links.c.container_id):
        change_among(connection, delete(text_links), column, gone)
    staying = {story: stay for story, own in members.items() if (stay := [one for one in own if one not in gone])}
    ended = {story: stay[0] for story, stay in staying.items() if story in gone}
    for story, number in ended.items():
        connection.execute(update(articles).where(articles.c.id == number).values(_NO_STORY))
        change_among(connection, update(articles).values(story_id=number), articles.c.id, staying[story][1:])
    shown = changes.still_shown(connection, {number for stay in staying.values() for number in stay})
    changes.append(connection, sorted(shown), now, "parted")
    merged = {story: number for story, number in sorted(ended.items()) if shown.intersection(staying[story])}
    changes.append_rows(
        connection, changes.merges({story: (number, "parted") for story, number in merged.items()}, now)
    )
    return merged.keys()


def _drop_values(connection: Connection, article_ids: Sequence[int]) -> None:
    """Removes the articles from the index of values. Their signatures are made again from their texts."""
    from newscrawl.model.identity.signature import signature

    query = select(articles.c.id, articles.c.text).where(articles.c.id.in_(article_ids))
    rows = [
        {"_value": value, "_article": number}
        for number, body in connection.execute(query)
        if (signed := signature(body)) is not None
        for value in signed.sketch
    ]
    mine = (signature_bands.c.value == bindparam("_value"), signature_bands.c.article_id == bindparam("_article"))
    if rows:
        connection.execute(delete(signature_bands).where(*mine), rows)


def replaced_stories(
    connection: Connection, rows: Sequence[Values], now: datetime, reason: Reason, merged: Collection[int] = ()
) -> list[Values]:
    """Returns a `merge` with the reason for each story that lost its last shown article by the removals among the
    `rows` of the feed, if a text of another story is shown instead. The stories `merged` have a `merge` already.

    A correction that changes most of a text is no near-duplicate of it, so the new text is a story of its own, which
    continues the former one. Call it after the stories of the transaction are decided.
    """
    removals = [row for row in rows if row["op"] == "remove" and row["replaced_by"]]
    replaced = [(row["story_id"], row["replaced_by"][-1]) for row in removals]
    placed = changes.stories_of(connection, {other for _, other in replaced})
    into: dict[int, tuple[int, Reason]] = {}
    for former, other in replaced:
        story, is_shown = placed[other]
        instead = story or other
        if is_shown and former != instead and former not in merged:
            into[former] = instead, reason
    shown = changes.shown_stories(connection, into)
    return changes.merges({story: one for story, one in into.items() if story not in shown}, now)
