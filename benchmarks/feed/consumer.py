"""A consumer written from docs/reference/change-feed.md, tested with kills, repeated changes and restarts from older
changes.

    python -m benchmarks.feed.consumer --changes 10000

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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import click
from sqlalchemy import Connection

from benchmarks.feed.world import (
    NOW,
    Killed,
    OneConnection,
    World,
    pages_of_stories,
    sorted_pages,
    stories_of,
    unmerged,
)
from newscrawl.feed.document import as_json, plain
from newscrawl.feed.filters import ALL, FeedFilter
from newscrawl.feed.reader import FeedReader
from newscrawl.feed.sink import Delivery, Entry, SinkPosition
from newscrawl.storage import migrations
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write
from newscrawl.storage.feed import changes, consumers


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
