"""Finds the stories that a batch of changes touches, and reads their present state.

A change names an article. It touches the document with the article's own id (from before it
joined others), the document of its story, and those that contain it according to the index: the database knows
nothing more of a forgotten article. A merge touches the documents of both stories.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from newscrawl.publishing.feed.sink import Entry
from newscrawl.reports import ExportedArticle, documents
from newscrawl.storage.duplicates import story_pages
from newscrawl.storage.feed.changes import NO_CAUSE, Cause, Op, combined_for
from newscrawl.storage.reader import Connection


@dataclass(frozen=True, slots=True)
class StoryDocument:
    """A document to write. `seq` is the newest change that touches it. Without an article it is to be deleted."""

    number: int
    seq: int
    article: ExportedArticle | None
    members: Sequence[int] = ()
    sites: Sequence[str] = ()
    titles: Sequence[str] = ()
    """Titles of all pages that show the story, the first page's first."""
    page_ids: Sequence[int] = ()
    """Ids of all pages that show the story, the first page's first."""
    cause: Cause = NO_CAUSE
    """Why the story changed: the strongest reason of an `upsert` among the changes that touch it."""


def touched(
    connection: Connection, entries: Sequence[Entry], holding: Callable[[Sequence[int]], Mapping[int, Sequence[int]]]
) -> list[StoryDocument]:
    """Returns the stories that the entries touch. `holding` returns the documents of the index that contain
    articles."""
    articles = [entry for entry in entries if entry.op != "merge"]
    story_of = story_pages.numbers_of(connection, [entry.article_id for entry in articles])
    lost = [entry.article_id for entry in articles if entry.document is None]
    documents_with = holding(lost) if lost else {}
    newest: dict[int, int] = {}
    causes: dict[int, list[tuple[Op, Cause]]] = defaultdict(list)
    for entry in entries:
        number = entry.article_id
        numbers = {entry.story_id, entry.into or entry.story_id}
        if entry.op != "merge":
            numbers = {number, story_of[number], *documents_with.get(number, ())}
        for story in numbers:
            newest[story] = max(entry.seq, newest.get(story, 0))
            causes[story].append((entry.op, Cause(entry.reason, entry.change_class, entry.replaces)))
    return _now(connection, newest, {story: combined_for(own, "upsert") for story, own in causes.items()})


def _now(connection: Connection, newest: Mapping[int, int], causes: Mapping[int, Cause]) -> list[StoryDocument]:
    members = story_pages.members(connection, newest)
    current = documents(connection, {*newest, *(one.article_id for every in members.values() for one in every)})
    shown_stories = story_pages.pages_by_story(connection, newest)
    stories = []
    for number, seq in newest.items():
        shown = sorted(
            article_id
            for article_id in {number, *(one.article_id for one in members.get(number, ()))}
            if article_id in current and current[article_id].cluster == number
        )
        story = shown_stories.get(number)
        if not shown or story is None:
            stories.append(StoryDocument(number, seq, None))
            continue
        first = story.first.article
        article = current[first if first in shown else shown[0]]
        sites = tuple(dict.fromkeys(page.site for page in story.pages))
        titles = tuple(dict.fromkeys(page.title for page in story.pages if page.title))
        page_ids = tuple(page.page for page in story.pages)
        stories.append(
            StoryDocument(number, seq, article, tuple(shown), sites, titles, page_ids, causes.get(number, NO_CAUSE))
        )
    return stories
