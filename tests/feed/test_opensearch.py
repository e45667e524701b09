"""The search server's sink against a server that is killed, slow, full, and refuses single documents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from made_pages import NOW, made_page
from patience import PATIENCE

from newscrawl.errors import FeedError, UsageError
from newscrawl.model.identity.signature import signature
from newscrawl.publishing.deliver.http import Piece
from newscrawl.publishing.feed.opensearch import ATTEMPTS, OpenSearch, SearchServer, address
from newscrawl.publishing.feed.reader import FeedReader
from newscrawl.publishing.feed.search_mapping import language_of
from newscrawl.reports import documents
from newscrawl.storage.reader import open_reader
from newscrawl.storage.removal.forget import forget_url
from newscrawl.storage.store import Store, open_store
from newscrawl.testing.services.search_server import FAULTS, Proxy, Server, serving

STORY = " ".join(f"Sentence number {n} of the story tells of the whale, and of bridge {n * 7}." for n in range(40))


class World:
    """A database, a server, a proxy before it, and a feed from one to the other."""

    def __init__(self, url: str, store: Store, server: Server, proxy: Proxy, proxy_url: str) -> None:
        self.url, self.store, self.server, self.proxy, self.proxy_url = url, store, server, proxy, proxy_url
        self.faults: list[str] = []
        self.sink = self.sink_of()

    def sink_of(self, timeout: float = PATIENCE, attempts: int = ATTEMPTS, **options: Any) -> OpenSearch:
        reached = SearchServer(self.proxy_url, timeout=timeout, attempts=attempts, sleep=lambda seconds: None)
        return OpenSearch(reached, "news", partial(open_reader, self.url), **options)

    def save(self, name: str, text: str, language: str = "en", hours: int = 0) -> int:
        said = {"title": name, "language": language, "signature": signature(text)}
        page = made_page(f"https://harbour.example/{name}", text, fetched_at=NOW + timedelta(hours=hours), **said)
        article_id = self.store.save(page).result(timeout=PATIENCE).article_id
        assert article_id is not None
        return article_id

    def feed(self, sink: OpenSearch | None = None, **options: Any) -> None:
        reader = FeedReader(self.store, sink or self.sink, "test", lambda: NOW, batch=4, **options)
        while reader.step():
            pass

    def check(self) -> dict[str, dict[str, Any]]:
        """The index is what the database says: one document a story, with all that tell it."""
        found = self.server.documents("news")
        with self.store.reading() as connection:
            stories: dict[int, list[int]] = {}
            current = documents(connection, range(1, 1_000))
        for article in current.values():
            stories.setdefault(article.cluster, []).append(article.id)
        assert {int(number): one["members"] for number, one in found.items()} == stories
        for one in found.values():
            (text,) = one["text"].values()
            assert text == current[one["article"]].text
        return found


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    """A server that the tests of this module share: it loads its analysers with its first index."""
    server = Server()
    yield server
    server.kill()


@pytest.fixture
def server(running: Server) -> Iterator[Server]:
    """An empty server. A test that kills it starts it again."""
    yield running
    running.clear()
    assert running.ask("GET", "/_alias") == {}


@pytest.fixture
def world(tmp_path: Path, server: Server) -> Iterator[World]:
    url = f"sqlite:///{tmp_path / 'x.db'}"
    made: list[World] = []
    proxy = Proxy(server, lambda: made[0].faults.pop(0) if made and made[0].faults else None)
    with serving(proxy) as proxy_url, open_store(url, upgrade=False, max_wait=0.01) as store:
        made.append(World(url, store, server, proxy, proxy_url))
        yield made[0]
        made[0].sink.close()


def text_of(name: str) -> str:
    return f"{name} is what the harbour talked about, and {name} it was that came. " * 8


@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_keeps_a_change_from_the_index(world: World, fault: str) -> None:
    for number in range(9):
        world.save(f"ferry{number}", text_of(f"ferry{number}"))
    world.faults = [fault, fault, "busy", fault]
    if fault == "slow":  # on a busy machine others than the slow ones are given up as well, and tried again
        world.sink = world.sink_of(timeout=0.3, attempts=500)
    world.feed()
    world.check()
    assert not world.sink.refused


def test_copies_are_one_story_and_leave_it(world: World) -> None:
    for number in range(3):
        world.save(f"copy{number}", f"{STORY} Editor {number}.")
        world.feed()
        world.check()
    world.save("copy0", text_of("another") * 4, hours=2)
    world.feed()
    (of_three,) = (one for one in world.check().values() if one["copies"])
    assert of_three["copies"] == 1


def test_what_was_forgotten_is_in_no_story(world: World) -> None:
    for number in range(3):
        world.save(f"copy{number}", f"{STORY} Editor {number}.")
    world.feed()
    for number in (0, 1, 2):  # the one that speaks for the story first
        world.store.run(forget_url, f"https://harbour.example/copy{number}", NOW).result(PATIENCE)
        world.feed()
        found = world.check()
        assert f"Editor {number}." not in json.dumps(found)
    assert not found


def test_a_server_that_forgot_everything_is_filled_again(world: World) -> None:
    for number in range(6):
        world.save(f"ferry{number}", text_of(f"ferry{number}"))
    world.feed()
    world.server.kill()
    with pytest.raises(FeedError, match="did not take changes"):
        world.feed()
    world.server.start()
    world.feed()
    assert len(world.check()) == 6


def test_an_index_put_back_to_an_older_state_is_brought_up_to_date(world: World) -> None:
    for number in range(6):
        world.save(f"ferry{number}", text_of(f"ferry{number}"))
    world.feed()
    (name,) = world.server.ask("GET", "/news/_mapping")
    meta = world.server.ask("GET", "/news/_mapping")[name]["mappings"]["_meta"]["newscrawl"]
    world.server.ask("DELETE", f"/{name}/_doc/5?version=5&version_type=external_gte")
    world.server.ask("PUT", f"/{name}/_mapping", {"_meta": {"newscrawl": meta | {"seq": 3}}})
    world.feed()
    assert world.sink.position().seq == 6
    assert set(world.check()) == set("123456")


def test_a_refused_document_is_set_aside_with_its_reason(world: World) -> None:
    numbers = [world.save(f"ferry{number}", text_of(f"ferry{number}")) for number in range(6)]
    world.proxy.refused = {str(numbers[2])}
    world.feed()
    assert world.sink.refused == {numbers[2]: "mapper_parsing_exception: refused on purpose"}
    assert len(world.server.documents("news")) == 5
    assert world.sink.position().seq == 6


def test_a_later_version_and_a_document_that_is_missing_already_count_as_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    error = {"type": "x", "reason": "no such index"}
    items = [
        {"index": {"status": 409, "error": error}},
        {"delete": {"status": 404, "result": "not_found"}},
        {"index": {"status": 404, "error": error}},
    ]
    server = SearchServer("http://127.0.0.1:9")
    monkeypatch.setattr(server, "ask", lambda *_: (200, {"items": items}))
    sink = OpenSearch(server, "news", partial(open_reader, "sqlite://"))
    sink._write([Piece(number, b"") for number in (1, 2, 3)])
    assert sink.refused == {3: "x: no such index"}


def test_documents_have_the_structure_of_their_texts_if_it_is_asked_for(world: World) -> None:
    for name, is_asked in (("ferry", False), ("bridge", True)):
        number = world.save(name, text_of(name))
        world.feed(with_structure=is_asked)
        (found,) = (one for one in world.check().values() if one["article"] == number)
        assert ("structure" in found) is is_asked


def test_requests_that_are_too_large_are_parted(world: World) -> None:
    for number in range(8):
        world.save(f"ferry{number}", text_of(f"ferry{number}"))
    long = world.save("long", text_of("long") * 20)
    world.proxy.largest = 4_000
    world.feed()
    assert list(world.sink.refused) == [long]
    assert len(world.server.documents("news")) == 8


def test_a_server_that_stays_busy_ends_the_feed_and_loses_nothing(world: World) -> None:
    for number in range(4):
        world.save(f"ferry{number}", text_of(f"ferry{number}"))
    world.faults = ["busy"] * 8
    with pytest.raises(FeedError, match="429"):
        world.feed()
    world.faults = ["some busy"] * 8
    world.feed()
    world.check()


def test_reindex_fills_a_new_index_and_then_switches(world: World) -> None:
    for number in range(6):
        world.save(f"ferry{number}", text_of(f"ferry{number}"))
    world.feed()
    (old,) = world.server.ask("GET", "/news/_mapping")
    new = world.sink_of(reindex=True)
    world.feed(new)
    assert list(world.server.ask("GET", "/news/_mapping")) == [old]
    new.switch()
    new.close()
    (now,) = world.server.ask("GET", "/news/_mapping")
    assert now != old
    assert old not in world.server.ask("GET", "/_mapping")
    world.check()
    world.save("later", text_of("later"))
    world.feed()
    world.check()


def test_a_database_that_was_put_back_is_noticed(world: World) -> None:
    world.save("ferry", text_of("ferry"))
    world.feed()
    (name,) = world.server.ask("GET", "/news/_mapping")
    meta = world.server.ask("GET", "/news/_mapping")[name]["mappings"]["_meta"]["newscrawl"]
    world.server.ask("PUT", f"/{name}/_mapping", {"_meta": {"newscrawl": meta | {"seq": 90, "id": "other"}}})
    with pytest.raises(FeedError, match="--reindex"):
        world.feed()


@pytest.mark.parametrize("place", ["http://host", "http://host/", "http://host/News", "http://host/_all", "x"])
def test_addresses_without_a_good_alias_are_refused(place: str) -> None:
    with pytest.raises(UsageError):
        address(place)


def test_addresses_and_languages() -> None:
    assert address("http://u:p@host:9200/path/news") == ("http://u:p@host:9200/path", "news")
    assert "secret" not in SearchServer("http://u:secret@host:9200").shown
    assert [language_of(code) for code in ("de-AT", "nb", None, "tlh")] == ["de", "no", "other", "other"]


def test_a_document_says_what_happened_and_the_one_of_an_ended_story_goes(world: World) -> None:
    first = world.save("ferry", STORY)
    world.feed()
    second = world.save("ferry", STORY.replace("whale", "walrus", 1), hours=1)
    world.feed()
    (document,) = world.check().values()
    assert (document["story_id"], document["article"], document["page_ids"]) == (first, second, [1])
    told = {name: document[name] for name in ("feed_version", "reason", "change_class", "replaces")}
    assert told == {"feed_version": 2, "reason": "corrected", "change_class": "correction", "replaces": [first]}
    third = world.save("ferry", "Another text about the bridge of the valley. " * 40, hours=2)
    world.feed()
    assert list(world.check()) == [str(third)]
