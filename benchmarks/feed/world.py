"""Pages with every kind of change that the feed can have, and the stories that the database holds afterwards."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from source_items import record_page_failure
from sqlalchemy import Connection, select, update

from newscrawl import reports
from newscrawl.article.make import fingerprint
from newscrawl.feed.filters import ALL, FeedFilter
from newscrawl.model import Article, Failure, Metadata, ProcessedPage, RawPage
from newscrawl.storage.articles.apply import save_batch
from newscrawl.storage.articles.deciding.known import Incoming, Occasion
from newscrawl.storage.duplicates.story_pages import STORY
from newscrawl.storage.feed import changes, consumers
from newscrawl.storage.records import never
from newscrawl.storage.removal import retention
from newscrawl.storage.removal.forget import forget_url
from newscrawl.storage.tables.articles import articles, pages

NOW: Final = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
CRAWLED: Final = Occasion("crawled", never)
PAGES: Final = 60
BLOCKS: Final = [[f"{name}{number}" for number in range(40)] for name in ("ferry", "council", "whale", "bridge")]


class Killed(Exception):
    """Raised in place of the end of a process."""


@dataclass
class OneConnection:
    """A database for a FeedReader, in one open transaction. Sometimes it is killed before the cursor moves."""

    connection: Connection
    chance: random.Random
    kills: float = 0.0

    @contextmanager
    def reading(self) -> Iterator[Any]:
        yield self.connection

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Runs the function at once. Returns its result as a finished future."""
        if function is consumers.confirm and self.chance.random() < self.kills:
            raise Killed
        value = function(self.connection, *arguments)
        return type("Done", (), {"result": staticmethod(lambda timeout=None: value)})


@dataclass
class World:
    """The pages of some sites, with every kind of change that the feed can have."""

    connection: Connection
    chance: random.Random
    steps: int = 0
    texts: dict[int, str] = field(default_factory=dict)

    def step(self) -> None:
        """Makes one change."""
        self.steps += 1
        event = self.chance.random()
        number = self.chance.randrange(PAGES)
        if event < 0.6 or number not in self.texts:
            self.save(number, self._text(number), title=f"Title {self.chance.randrange(3)}")
        elif event < 0.7:
            self.save(number, self.texts[number], title=f"Title {self.steps}")
        elif event < 0.8:
            failure = Failure("http/gone", "")
            record_page_failure(self.connection, self.url(number), self.site(number), failure, 404, self.now)
        elif event < 0.86:
            forget_url(self.connection, self.url(number), self.now)
        else:
            self._expire(number)

    @property
    def now(self) -> datetime:
        """Returns the time of the step."""
        return NOW + timedelta(hours=self.steps)

    def save(self, number: int, text: str, title: str) -> None:
        """Stores a page that shows the text."""
        self.texts[number] = text
        url = self.url(number)
        raw = RawPage(url, url, 200, {}, None, self.now, self.site(number), None)
        language = "de" if number % 3 == 0 else "en"
        article = Article(url, raw.site or "", Metadata(title=title, language=language), text, "classic", "article")
        save_batch(self.connection, [Incoming.of(fingerprint(ProcessedPage(raw, article)))], CRAWLED)

    @staticmethod
    def url(number: int) -> str:
        """Returns the address of a page."""
        return f"https://site{number % 4}.example/{number}"

    @staticmethod
    def site(number: int) -> str:
        """Returns the site of a page."""
        return f"site{number % 4}"

    def _text(self, number: int) -> str:
        kind = self.chance.random()
        if kind < 0.3 and number in self.texts:
            return f"{self.texts[number]} corrected{self.steps}"
        if kind < 0.5 and self.texts:
            return self.texts[self.chance.choice(sorted(self.texts))]
        blocks = self.chance.choices(BLOCKS, k=self.chance.randint(1, 3))
        return " ".join([word for block in blocks for word in block] + [f"own{self.steps}"])

    def _expire(self, number: int) -> None:
        mine = pages.c.url == self.url(number)
        self.connection.execute(update(pages).where(mine).values(last_change=NOW - timedelta(days=400)))
        keep = retention.RetentionTimes(
            articles=timedelta(days=3_000), versions=timedelta(hours=self.chance.randint(20, 200))
        )
        retention.expire(self.connection, 0, retention.RetentionLimits(keep), self.now)


def stories_of(connection: Connection, wanted: FeedFilter = ALL) -> dict[int, dict[int, Any]]:
    """Returns the stories of the database in the form of `Consumer.stories`."""
    shown: dict[int, list[int]] = defaultdict(list)
    rows = select(pages.c.article_id, pages.c.id).where(pages.c.article_id.is_not(None), pages.c.state != "gone")
    for article_id, page_id in connection.execute(rows):
        shown[article_id].append(page_id)
    found: dict[int, dict[int, Any]] = defaultdict(dict)
    for article in reports.documents(connection, shown).values():
        if wanted.has(article):
            found[article.cluster][article.id] = article.text, article.title, tuple(sorted(shown[article.id]))
    return dict(found)


def sorted_pages(stories: dict[int, dict[int, Any]]) -> dict[int, dict[int, Any]]:
    """Returns the stories with the pages of each article in the order of their ids."""
    return {
        story: {number: (*said, tuple(sorted(shown))) for number, (*said, shown) in articles.items()}
        for story, articles in stories.items()
    }


def unmerged(connection: Connection, before: dict[int, set[tuple[int, int]]], seq: int) -> list[str]:
    """Stories that ended after `seq` without a `merge`, although a text of theirs is shown or their page shows another
    one; and merges of stories that did not end. `before` are page and article ids by story."""
    now = pages_of_stories(connection)
    shown = {article for story in now.values() for _, article in story}
    showing = {page for story in now.values() for page, _ in story}
    since = changes.read(connection, seq, limit=changes.newest(connection))
    merges = {one.story_id: one.into_story_id for one in since if one.op == "merge"}
    wrong = [f"merge of {story}, which is shown" for story in merges if story in now]
    wrong += [f"merge of {story} into {into}, which is not shown" for story, into in merges.items() if into not in now]
    for story, held in before.items():
        goes_on = any(article in shown or page in showing for page, article in held)
        if story not in now and goes_on and story not in merges:
            wrong.append(f"story {story} {sorted(held)} ended without a merge")
    return wrong


def pages_of_stories(connection: Connection) -> dict[int, set[tuple[int, int]]]:
    """Returns page and article ids by story."""
    found: dict[int, set[tuple[int, int]]] = defaultdict(set)
    shown = select(STORY, pages.c.id, articles.c.id).join_from(pages, articles, articles.c.id == pages.c.article_id)
    for number, page_id, article_id in connection.execute(shown.where(pages.c.state != "gone")):
        found[number].add((page_id, article_id))
    return dict(found)
