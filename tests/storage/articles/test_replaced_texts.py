"""A wall with status 200 at addresses that had articles is held for review, and the articles stay what is shown."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from kinds_of_databases import ON_SQLITE
from patience import PATIENCE

from newscrawl.extraction.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.model import Capture, ProcessedPage, RawPage, Spot
from newscrawl.model.identity import url_key
from newscrawl.publishing.feed.reader import FeedReader
from newscrawl.publishing.feed.sink import Delivery, Entry, SinkPosition
from newscrawl.reports import articles, url_report
from newscrawl.reports.review import in_review
from newscrawl.storage.captures import locations
from newscrawl.storage.records import Outcome
from newscrawl.storage.store import Store

PAGES = 7
NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
WORDS = (
    "harbour council ferry school winter market bridge river report minister budget season player garden museum "
    "teacher storm hospital railway farmer village energy network lawyer border island theatre kitchen engine"
).split()
Pages = Callable[[int], str]
Save = Callable[[list[ProcessedPage]], list[Outcome]]


def prose(seed: object, sentences: int = 30) -> str:
    chance = random.Random(str(seed))
    return "".join(f"<p>The {' '.join(chance.choices(WORDS, k=14))}.</p>" for _ in range(sentences))


def html(title: str, text: str, *, author: str = "Ada Example", day: str = "2026-10-30") -> str:
    byline = f'<meta name="author" content="{author}">' if author else ""
    date = f'<meta property="article:published_time" content="{day}T10:00:00Z">' if day else ""
    head = f"<title>{title}</title>{byline}{date}"
    return f"<html><head>{head}</head><body><article><h1>{title}</h1>{text}</article></body></html>"


def story(number: int) -> str:
    return html(f"Story {number}", prose(number))


CHECK = "<p>We are checking your browser before you can read on. This takes a few seconds, and needs no action.</p>"
WALLS: dict[str, Pages] = {
    "a text without author and date": lambda n: html("Read on", prose("wall"), author="", day=""),
    "a text without author": lambda n: html("Read on", prose("wall"), author=""),
    "a text without date": lambda n: html("Read on", prose("wall"), day=""),
    "a short text": lambda n: html("Read on", prose("wall", 6)),
    "a short text that differs at each address": lambda n: html("Read on", prose(("wall", n), 6)),
    "a check of the browser": lambda n: html(f"Read on {n}", CHECK + prose(("wall", n), 11), day="2026-10-31"),
    "an article like any other": lambda n: html("Read on", prose("wall")),
}


def address(number: int) -> str:
    return f"https://www.harbour.example/2026/story-{number}"


def made(page: Pages, at: datetime, numbers: range = range(PAGES)) -> list[ProcessedPage]:
    raws = [
        RawPage(address(n), address(n), 200, {}, page(n).encode(), at + timedelta(seconds=n), "harbour")
        for n in numbers
    ]
    return [fingerprint(make_article(raw, ArticleOptions())) for raw in raws]


@pytest.fixture(params=["crawled", "ingested"])
def save(request: pytest.FixtureRequest, store: Store) -> Save:
    """Stores pages as a crawl does, one after the other, or as an ingest does, in parts of five."""

    def saved(pages: list[ProcessedPage]) -> list[Outcome]:
        if request.param == "crawled":
            return [store.save(page).result(timeout=PATIENCE) for page in pages]
        now = max(page.raw.fetched_at for page in pages) + timedelta(hours=1)
        parts = [pages[start : start + 5] for start in range(0, len(pages), 5)]
        return [one for part in parts for one in store.save_parts(part, [], now).result(timeout=PATIENCE)]

    return saved


def shown(store: Store) -> dict[str, str | None]:
    return dict(read(store, lambda connection: [(page.url, page.title) for page in articles(connection)]))


def waiting(store: Store) -> dict[str, list[str]]:
    return {page.url: list(page.reasons) for page in read(store, in_review)}


def classes(store: Store) -> set[str]:
    query = "SELECT change_class FROM versions"
    return set(read(store, lambda connection: connection.exec_driver_sql(query).scalars().all()))


def read(store: Store, function: Callable[[Any], Any]) -> Any:
    return store.run(function).result(timeout=PATIENCE)


STORIES = {address(n): f"Story {n}" for n in range(PAGES)}


class Mirror:
    """A consumer of the change feed: the titles that it shows."""

    def __init__(self) -> None:
        self.titles: dict[int, str | None] = {}
        self.classes: list[str | None] = []

    def position(self) -> SinkPosition:
        return SinkPosition()

    def send(self, entries: Sequence[Entry]) -> Delivery:
        for entry in entries:
            if entry.document is not None:
                self.titles[entry.article_id] = entry.document.title
                self.classes.append(entry.change_class)
            else:
                self.titles.pop(entry.article_id, None)
        return Delivery(frozenset(entry.article_id for entry in entries))

    def close(self) -> None:
        pass


@pytest.fixture
def mirror(store: Store) -> Callable[[], Mirror]:
    sink = Mirror()

    def read_on() -> Mirror:
        reader = FeedReader(store, sink, "mirror", lambda: NOW)
        while reader.step():
            pass
        return sink

    return read_on


@ON_SQLITE
@pytest.mark.parametrize("wall", WALLS)
def test_a_wall_at_many_addresses_buries_no_article_and_waits_for_review(
    store: Store, save: Save, mirror: Callable[[], Mirror], wall: str
) -> None:
    save(made(story, NOW))
    mirror()
    for page in made(WALLS[wall], LATER):
        save([page])
        mirror()
    assert shown(store) == STORIES
    assert sorted(filter(None, mirror().titles.values())) == sorted(STORIES.values())
    assert waiting(store).keys() == STORIES.keys()
    assert all(reasons[0] == "text replaced" for reasons in waiting(store).values())
    assert classes(store) == {"first"}


@ON_SQLITE
@pytest.mark.parametrize("wall", ["a text without author", "an article like any other"])
def test_a_wall_in_one_part_buries_no_article_in_whatever_order_the_pages_are_read(
    store: Store, save: Save, wall: str
) -> None:
    stories, walls = made(story, NOW), made(WALLS[wall], LATER)
    save([*stories[:20], *walls, *stories[20:]])
    assert shown(store) == STORIES
    assert waiting(store).keys() == STORIES.keys()


def test_a_page_that_shows_its_article_again_is_visited_without_the_validators_of_the_wall(store: Store) -> None:
    for page in [*made(story, NOW), *made(WALLS["an article like any other"], LATER)]:
        tagged = replace(page, raw=replace(page.raw, headers={"etag": '"1"'}))
        store.save(tagged).result(timeout=PATIENCE)
    query = "SELECT url, etag FROM pages"
    first = dict(read(store, lambda connection: [tuple(row) for row in connection.exec_driver_sql(query)]))
    assert first[address(0)] is first[address(1)] is None
    assert first[address(2)] == '"1"'


def test_the_next_reading_of_the_article_ends_the_review(store: Store, save: Save) -> None:
    save(made(story, NOW))
    save(made(WALLS["an article like any other"], LATER))
    save(made(story, LATER + timedelta(days=1)))
    assert shown(store) == STORIES
    assert waiting(store) == {}


def test_the_operator_may_release_what_waits(store: Store, save: Save) -> None:
    save(made(story, NOW))
    save(made(WALLS["an article like any other"], LATER))
    assert store.release(LATER + timedelta(days=1), site="harbour").result(timeout=PATIENCE).stored == PAGES
    assert set(shown(store).values()) == {"Read on"}
    assert waiting(store) == {}
    assert classes(store) == {"first", "replaced"}


def test_what_the_operator_released_is_not_taken_back(store: Store, save: Save) -> None:
    wall = WALLS["an article like any other"]
    save(made(story, NOW))
    save(made(wall, LATER, range(PAGES - 1)))
    assert store.release(LATER, url_keys=[url_key(address(0))]).result(timeout=PATIENCE).stored == 1
    save(made(wall, LATER + timedelta(days=1), range(PAGES - 1, PAGES)))
    assert shown(store) == {**STORIES, address(0): "Read on"}
    assert waiting(store).keys() == STORIES.keys() - {address(0)}


TEXT = prose(0)
REWRITES: dict[str, tuple[str, str]] = {
    "a complete rewrite": (html("Rewritten", prose("new")), "replaced"),
    "a rewrite of six tenths of the length": (html("Rewritten", prose("new", 18)), "replaced"),
    "an edit": (html("Rewritten", TEXT.replace("<p>", "<p>Now ", 3)), "correction"),
    "an edit of every sentence": (html("Rewritten", TEXT.replace(".</p>", " now.</p>")), "correction"),
    "an addition": (html("Rewritten", TEXT + prose("more")), "addition"),
    "an edit without a date": (html("Rewritten", TEXT.replace("<p>", "<p>Now ", 3), day=""), "correction"),
}


@ON_SQLITE
@pytest.mark.parametrize("rewrite", REWRITES)
def test_a_rewrite_is_the_current_version(store: Store, save: Save, mirror: Callable[[], Mirror], rewrite: str) -> None:
    page, change = REWRITES[rewrite]
    save(made(story, NOW, range(1)))
    save(made(lambda _: page, LATER, range(1)))
    assert shown(store) == {address(0): "Rewritten"}
    assert classes(store) == {"first", change}
    assert mirror().classes[-1] == change


def test_a_rewrite_at_three_addresses_of_one_article_is_stored(store: Store, save: Save) -> None:
    save(made(lambda _: story(0), NOW, range(3)))
    save(made(lambda _: html("Rewritten", prose("new")), LATER, range(3)))
    assert waiting(store) == {}
    assert set(shown(store).values()) == {"Rewritten"}


def test_another_extraction_of_a_wall_that_waits_changes_nothing(store: Store, save: Save) -> None:
    file = read(store, lambda connection: locations.add_file(connection, "one.warc.gz", NOW))
    fetched = [*made(story, NOW), *made(WALLS["a text without author"], LATER)]
    spots = [Spot(file, 10 * n, 9) for n in range(len(fetched))]
    kept = [Capture("response", spot, spot, f"digest{spot.offset}") for spot in spots]
    save([replace(page, raw=replace(page.raw, capture=one)) for page, one in zip(fetched, kept, strict=True)])
    stored = read(store, lambda connection: locations.part(connection, locations.Selection(), locations.BEGIN, 100))
    again = [
        replace(page, raw=replace(page.raw, capture=one.capture)) for page, one in zip(fetched, stored, strict=True)
    ]
    store.save_again(again, LATER + timedelta(days=1)).result(timeout=PATIENCE)
    assert shown(store) == STORIES
    assert waiting(store).keys() == STORIES.keys()
    after = read(store, lambda connection: locations.part(connection, locations.Selection(), locations.BEGIN, 100))
    assert after == stored


def test_why_says_what_waits_and_why(store: Store, save: Save) -> None:
    save(made(story, NOW))
    save(made(WALLS["an article like any other"], LATER))
    for number in (0, PAGES - 1):  # the first was stored before the others showed what it is
        report = store.run(url_report, address(number)).result(timeout=PATIENCE)
        (event, *_) = [event for event in report.events if event.kind == "stored/held_for_review"]
        assert "text replaced, same text as another page" in event.reason
