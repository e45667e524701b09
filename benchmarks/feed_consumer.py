"""A consumer written from docs/reference/change-feed.md, tested with kills, repeated changes and restarts from older
changes.

    python -m benchmarks.feed_consumer --changes 10000

Pages are stored, corrected, copied, rewritten, gone, back, forgotten and expired; stories join and part; superseded
changes are removed. At the end the consumer must have exactly the articles and stories of the database. After each
step, each story that ended because its texts moved or were replaced must have a `merge`.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import click
from source_items import record_page_failure
from sqlalchemy import Connection, select, update

from newscrawl import reports
from newscrawl.extraction.article.make import fingerprint
from newscrawl.model import Article, Failure, Metadata, ProcessedPage, RawPage
from newscrawl.publishing.feed.reader import ALL, FeedFilter, FeedReader
from newscrawl.publishing.feed.sink import Delivery, Entry, SinkPosition, as_json, plain
from newscrawl.storage import migrations
from newscrawl.storage.articles.apply import save_batch
from newscrawl.storage.articles.deciding.known import Incoming, Occasion
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write
from newscrawl.storage.feed import changes, consumers
from newscrawl.storage.records import no_further_visit
from newscrawl.storage.removal import retention
from newscrawl.storage.removal.forget import forget_url
from newscrawl.storage.tables.articles import STORY, articles, pages

NOW: Final = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
CRAWLED: Final = Occasion("crawled", no_further_visit)
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


class Consumer:
    """The state of a consumer as the reference describes it: each shown article with its story, and the number of
    its last change."""

    def __init__(self) -> None:
        self.seqs: dict[int, int] = {}
        self.articles: dict[int, dict[str, Any]] = {}
        self.reasons: Counter[str] = Counter()

    def take(self, line: str) -> None:
        """Applies a change."""
        change = json.loads(line)
        self.reasons[f"{change['op']} {change['reason']}"] += 1
        if change["op"] == "merge":
            for number, kept in self.articles.items():
                if kept["story_id"] == change["story_id"] and self.seqs[number] < change["seq"]:
                    self.articles[number] = kept | {"story_id": change["into"]}
            return
        number = change["article_id"]
        if change["seq"] < self.seqs.get(number, 0):
            return
        self.seqs[number] = change["seq"]
        if change["op"] == "remove":
            self.articles.pop(number, None)
        else:
            self.articles[number] = change

    def stories(self) -> dict[int, dict[int, tuple[str, str | None, tuple[int, ...]]]]:
        """Returns the stories: text, title and pages of each article."""
        kept: dict[int, dict[int, tuple[str, str | None, tuple[int, ...]]]] = defaultdict(dict)
        for number, change in self.articles.items():
            shown = tuple(page["page_id"] for page in change["pages"])
            kept[change["story_id"]][number] = change["article"]["text"], change["article"]["title"], shown
        return dict(kept)


@dataclass
class LineSink:
    """Sends lines to the consumer. Sometimes it is killed after a part of them."""

    consumer: Consumer
    chance: random.Random
    kills: float = 0.0
    check: Callable[[dict[str, Any]], None] = lambda _change: None

    def position(self) -> SinkPosition:
        return SinkPosition("lines")

    def send(self, entries: Sequence[Entry]) -> Delivery:
        """Sends changes (as Sink.send)."""
        killed_at = self.chance.randrange(len(entries)) if self.chance.random() < self.kills else None
        for number, entry in enumerate(entries):
            if number == killed_at:
                raise Killed
            line = json.dumps(as_json(entry), default=plain)
            self.check(json.loads(line))
            self.consumer.take(line)
        return Delivery(frozenset(entry.article_id for entry in entries))

    def close(self) -> None:
        """Does nothing: nothing is open."""


@dataclass
class Run:
    """A run over some changes: the consumer, how often it was killed and set back, and the problems."""

    consumer: Consumer = field(default_factory=Consumer)
    changes: int = 0
    kills: int = 0
    restarts: int = 0
    wrong: list[str] = field(default_factory=list)


def follow(
    connection: Connection,
    seed: int,
    wanted: int,
    choice: FeedFilter = ALL,
    check: Callable[[dict[str, Any]], None] = lambda _change: None,
) -> Run:
    """Makes at least `wanted` changes and feeds the consumer meanwhile. `check` is called with each change."""
    chance = random.Random(seed)
    world, run = World(connection, chance), Run()
    sink = LineSink(run.consumer, chance, 0.1, check)
    reader = FeedReader(OneConnection(connection, chance, 0.1), sink, "test", lambda: NOW, 20, choice)  # type: ignore[arg-type]
    while run.changes < wanted:
        before, seq = pages_of_stories(connection) if world.steps % 3 == 0 else None, changes.newest(connection)
        world.step()
        if before is not None:
            run.wrong += unmerged(connection, before, seq)
        run.changes = changes.newest(connection)
        if chance.random() < 0.2:
            _feed(reader, run)
        if chance.random() < 0.02:
            run.restarts += 1
            cursor = consumers.load(connection, "test")
            older = chance.choice([0, chance.randint(0, cursor.seq if cursor is not None else 0)])
            consumers.save(connection, "test", older, "lines", NOW, choice.text)
        if chance.random() < 0.05:
            changes.drop(connection, consumers.needless_changes(connection, 50))
    while not _feed(reader, run):
        pass
    if choice is ALL:
        run.wrong += _differences(*(_without_titles(one) for one in (run.consumer.stories(), stories_of(connection))))
    # Another first page of a story, with its title, comes with the next change of an article, or when it is read again.
    consumers.save(connection, "test", 0, "lines", NOW, choice.text)
    while not _feed(reader, run):
        pass
    run.wrong += _differences(sorted_pages(run.consumer.stories()), stories_of(connection, choice))
    return run


def _differences(kept: Mapping[int, Any], stored: Mapping[int, Any]) -> list[str]:
    return [
        f"story {story}: consumer {_short(kept.get(story))}, database {_short(stored.get(story))}"
        for story in sorted(kept.keys() | stored.keys())
        if kept.get(story) != stored.get(story)
    ]


def _without_titles(stories: dict[int, dict[int, Any]]) -> dict[int, dict[int, Any]]:
    return {
        story: {number: (text, pages) for number, (text, _, pages) in articles.items()}
        for story, articles in sorted_pages(stories).items()
    }


def _short(articles: dict[int, Any] | None) -> dict[int, Any]:
    return {number: (text[-30:], *said) for number, (text, *said) in (articles or {}).items()}


def _feed(reader: FeedReader, run: Run) -> bool:
    """Feeds until the consumer has everything or is killed. Returns whether it has everything."""
    try:
        while reader.step():
            pass
    except Killed:
        run.kills += 1
        return False
    return True


@click.command()
@click.option("--changes", "wanted", default=10_000, show_default=True, type=click.IntRange(min=1))
@click.option("--seed", default=1, show_default=True)
def main(wanted: int, seed: int) -> None:
    """Feed a consumer with kills and repeated changes."""
    with tempfile.TemporaryDirectory(prefix="newscrawl-consumer-") as folder:
        url = f"sqlite:///{folder}/news.db"
        migrations.upgrade(url)
        engine = make_engine(parse_url(url))
        with begin_write(engine) as connection:
            run = follow(connection, seed, wanted)
            stories = stories_of(connection)
        engine.dispose()
    articles = sum(map(len, stories.values()))
    click.echo(f"{run.changes:,} changes; the consumer was killed {run.kills} times and set back {run.restarts} times")
    click.echo(", ".join(f"{count} {name}" for name, count in run.consumer.reasons.most_common()))
    click.echo(f"{len(stories)} stories with {articles} articles at the end")
    click.echo("\n".join(run.wrong[:20]) or "the consumer has exactly the stories of the database")
    sys.exit(bool(run.wrong))


if __name__ == "__main__":
    main()
