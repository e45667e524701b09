"""Finds the stories that a batch of changes touches, and reads their present state.

A story is a cluster. A change names an article. It touches the document with the article's own id (from before it
joined others), the document of its cluster, and those that contain it according to the index: the database knows
nothing more of a forgotten article.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from newscrawl.feed.sink import Entry
from newscrawl.storage import Connection
from newscrawl.storage.duplicates import first_pages, story_clusters
from newscrawl.storage.reports import ExportedArticle, documents


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


def touched(
    connection: Connection, entries: Sequence[Entry], holding: Callable[[Sequence[int]], Mapping[int, Sequence[int]]]
) -> list[StoryDocument]:
    """Returns the stories that the entries touch. `holding` returns the documents of the index that contain
    articles."""
    seqs = {entry.article_id: entry.seq for entry in entries}
    of_article = story_clusters.of_articles(connection, seqs)
    lost = [entry.article_id for entry in entries if entry.document is None and entry.article_id not in of_article]
    documents_with = holding(lost) if lost else {}
    newest: dict[int, int] = {}
    for article_id, seq in seqs.items():
        cluster = of_article[article_id].cluster_id if article_id in of_article else article_id
        for number in {article_id, cluster, *documents_with.get(article_id, ())}:
            newest[number] = max(seq, newest.get(number, 0))
    return _now(connection, newest)


def _now(connection: Connection, newest: Mapping[int, int]) -> list[StoryDocument]:
    members = {
        number: [member.article_id for member in story_clusters.of_cluster(connection, number)] for number in newest
    }
    current = documents(connection, {*newest, *(article_id for ids in members.values() for article_id in ids)})
    story_pages = first_pages.of_stories(connection, newest)
    stories = []
    for number, seq in newest.items():
        shown = sorted(
            article_id
            for article_id in {number, *members[number]}
            if article_id in current and current[article_id].cluster == number
        )
        story = story_pages.get(number)
        if not shown or story is None:
            stories.append(StoryDocument(number, seq, None))
            continue
        first = story.front.first.article
        article = current[first if first in shown else shown[0]]
        sites = tuple(dict.fromkeys(page.candidate.site for page in story.pages))
        titles = tuple(dict.fromkeys(page.title for page in story.pages if page.title))
        stories.append(StoryDocument(number, seq, article, tuple(shown), sites, titles))
    return stories
