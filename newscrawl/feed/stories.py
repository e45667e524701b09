"""Which stories a batch of changes touches, and what they are now.

A story is a cluster. A change names an article; the documents it touches are the one of the article's own id (what it
was before it joined others), the one of its cluster, and whichever the index says it is in: who was forgotten has left
no trace in the database.
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
    """A document to write: `seq` is the newest change that touches it; without an article it is to be deleted."""

    number: int
    seq: int
    article: ExportedArticle | None
    members: Sequence[int] = ()
    sites: Sequence[str] = ()
    titles: Sequence[str] = ()
    """Of all pages that show the story, the first page's first."""


def touched(
    connection: Connection, entries: Sequence[Entry], holding: Callable[[Sequence[int]], Mapping[int, Sequence[int]]]
) -> list[StoryDocument]:
    """The stories that the entries touch. `holding` asks the index which documents hold these articles."""
    seqs = {entry.article_id: entry.seq for entry in entries}
    of_article = story_clusters.of_articles(connection, seqs)
    lost = [entry.article_id for entry in entries if entry.document is None and entry.article_id not in of_article]
    held = holding(lost) if lost else {}
    newest: dict[int, int] = {}
    for article_id, seq in seqs.items():
        cluster = of_article[article_id].cluster_id if article_id in of_article else article_id
        for number in {article_id, cluster, *held.get(article_id, ())}:
            newest[number] = max(seq, newest.get(number, 0))
    return _now(connection, newest)


def _now(connection: Connection, newest: Mapping[int, int]) -> list[StoryDocument]:
    members = {number: [one.article_id for one in story_clusters.of_cluster(connection, number)] for number in newest}
    current = documents(connection, {*newest, *(one for found in members.values() for one in found)})
    told = first_pages.of_stories(connection, newest)
    stories = []
    for number, seq in newest.items():
        shown = sorted(one for one in {number, *members[number]} if one in current and current[one].cluster == number)
        story = told.get(number)
        if not shown or story is None:
            stories.append(StoryDocument(number, seq, None))
            continue
        first = story.front.first.article
        article = current[first if first in shown else shown[0]]
        sites = tuple(dict.fromkeys(page.candidate.site for page in story.pages))
        titles = tuple(dict.fromkeys(page.title for page in story.pages if page.title))
        stories.append(StoryDocument(number, seq, article, tuple(shown), sites, titles))
    return stories
