"""Atom and JSON Feed over HTTP, with a log-in and under secret addresses, and the screen of standing searches."""

from __future__ import annotations

import json
import logging
import random
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import feedparser
import pytest
from feed_rules import atom_problems, json_feed_problems
from json_schema import problems, stored_schema
from patience import PATIENCE
from source_items import record_page_failure
from sqlalchemy import Connection, update
from starlette.testclient import TestClient
from web_database import COPY, FERRY, NOW, TOKEN, WHALE, fill, made

from newscrawl.extraction.article.make import fingerprint
from newscrawl.model import Failure, ProcessedPage
from newscrawl.publishing.standing_searches import evaluate_all, save_search
from newscrawl.storage import deliveries
from newscrawl.storage.deliveries import SEARCHES
from newscrawl.storage.feed import feed_addresses, standing_searches
from newscrawl.storage.removal.forget import forget_url
from newscrawl.storage.store import Store, open_store
from newscrawl.storage.tables import articles, changes
from newscrawl.web.application import make_application
from newscrawl.web.sessions import Logins
from newscrawl.web.settings import WebSettings

BEARER = {"authorization": f"Bearer {TOKEN}"}
BASE = "http://127.0.0.1:8787"
FORMATS = ("atom", "json")
ON_SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
"""For tests of what is told to whom, whose SQL other tests run on both kinds."""
BRIDGE = "https://harbour.example/2026/11/bridge"


def told(url: str, subject: str, **changes: Any) -> ProcessedPage:
    """A page whose text resembles no other subject's."""
    page = made(url, subject, **changes)
    assert page.article is not None
    draw = random.Random(subject)
    sentences = [" ".join("".join(draw.choices("aeilmnorstu", k=6)) for _ in range(12)) for _ in range(12)]
    text = "\n\n".join(f"The {subject} and {one}." for one in sentences)
    return fingerprint(replace(page, article=replace(page.article, text=text)))


def fill_with_search(store: Store) -> None:
    """The database of the pages with one story more and a standing search that has its hits."""
    save_search(store, "whales", "whale", ["webhook:https://hook.example/secret?key=verysecret"], 0, NOW)
    fill(store)
    store.save(told(BRIDGE, "bridge", at=NOW - timedelta(hours=2))).result(PATIENCE)
    evaluate_all(store, lambda: NOW)


@pytest.fixture(scope="module")
def sqlite_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite database filled so, to be copied."""
    file = tmp_path_factory.mktemp("feeds") / "news.db"
    with open_store(f"sqlite:///{file}", upgrade=True, max_wait=0.01) as store:
        fill_with_search(store)
    return file


@pytest.fixture
def store(database: str, sqlite_file: Path) -> Iterator[Store]:
    is_sqlite = database.startswith("sqlite")
    if is_sqlite:
        shutil.copy(sqlite_file, database.removeprefix("sqlite:///"))
    with open_store(database, upgrade=False, max_wait=0.01) as opened:
        if not is_sqlite:
            fill_with_search(opened)
        yield opened


@pytest.fixture
def visit(database: str, store: Store) -> Callable[..., TestClient]:
    """`visit()` returns a stranger's client, `visit(**BEARER)` one with the token."""
    opened = partial(open_store, database, upgrade=False, max_wait=0.01)
    settings = WebSettings(database, token=TOKEN, actions=True, open_store=opened)

    def visit(*, actions: bool = True, **headers: str) -> TestClient:
        application = make_application(replace(settings, actions=actions), Logins(TOKEN, lambda: NOW), lambda: NOW)
        return TestClient(application, base_url=BASE, headers=headers, follow_redirects=False)

    return visit


Visit = Callable[..., TestClient]


def entries(client: TestClient, address: str) -> list[Any]:
    """The entries of a feed, the same in both formats, which are valid."""
    atom, js = (client.get(address.replace(".atom", f".{kind}")) for kind in FORMATS)
    assert (atom.status_code, js.status_code) == (200, 200), atom.text
    assert atom.headers["content-type"] == "application/atom+xml; charset=utf-8"
    assert js.headers["content-type"] == "application/feed+json; charset=utf-8"
    read = feedparser.parse(atom.content)
    assert not read.bozo
    assert (atom_problems(atom.content), json_feed_problems(js.content)) == ([], [])
    items = js.json()["items"]
    assert [(one.id, one.title) for one in read.entries] == [(one["id"], one["title"]) for one in items]
    (own,) = [link.href for link in read.feed.links if link.rel == "self"]
    assert own == f"{BASE}{address}"
    assert js.json()["feed_url"] == own.replace(".atom", ".json")
    return list(read.entries)


@ON_SQLITE
def test_the_id_of_a_feed_is_the_installation_s_and_not_an_address_s(visit: Visit, database: str) -> None:
    def ids(client: TestClient) -> dict[str, str]:
        scopes = ("", "?site=valley", "?site=harbour", "?language=en")
        return {one: feedparser.parse(client.get(f"/feed.atom{one}").content).feed.id for one in scopes}

    here = ids(visit(**BEARER))
    assert len(set(here.values())) == len(here)
    settings = WebSettings(database, token=TOKEN, origins=("https://news.example",))
    moved = make_application(settings, Logins(TOKEN, lambda: NOW), lambda: NOW)
    assert ids(TestClient(moved, base_url="https://news.example", headers=BEARER)) == here


def test_two_installations_have_feeds_with_different_ids(tmp_path: Path, real_upgrade: None) -> None:
    ids = []
    for name in ("one", "two"):
        with open_store(f"sqlite:///{tmp_path}/{name}.db", upgrade=True) as opened, opened.reading() as connection:
            ids.append(feed_addresses.feed_id(connection, feed_addresses.FeedScope("everything")))
    assert ids[0] != ids[1]


def test_a_correction_and_a_headline_are_updates_of_the_same_entry(visit: Visit, store: Store) -> None:
    client = visit(**BEARER)
    before = {one.link: one for one in entries(client, "/feed.atom")}
    tag = client.get("/feed.atom").headers["etag"]
    assert client.get("/feed.atom", headers={"if-none-match": tag}).status_code == 304
    later = NOW + timedelta(hours=1)
    store.save(told(FERRY, "new line", at=later)).result(PATIENCE)
    store.save(told(BRIDGE, "bridge", at=later + timedelta(hours=1), title="A bridge")).result(PATIENCE)
    after = {one.link: one for one in entries(client, "/feed.atom")}
    assert {link: after[link].id for link in before} == {link: one.id for link, one in before.items()}
    assert list(after) == [BRIDGE, FERRY, WHALE]  # the whale's story was shown by the ferry's page before
    assert after[BRIDGE].title == "A bridge"
    assert (before[FERRY].updated, after[FERRY].updated) == ("2026-11-21T11:00:00+00:00", "2026-11-21T13:00:00+00:00")
    assert after[BRIDGE].updated == "2026-11-21T14:00:00+00:00"
    assert client.get("/feed.atom", headers={"if-none-match": tag}).status_code == 200


@pytest.mark.parametrize("how", ["gone", "forgotten"])
@pytest.mark.parametrize("query", ["", "?site=harbour", "?language=en", "?search=ferries"])
def test_the_time_of_a_feed_does_not_go_back_when_its_newest_story_is_withdrawn(
    visit: Visit, store: Store, query: str, how: str
) -> None:
    client, newest = visit(**BEARER), f"{BRIDGE}/2"
    save_search(store, "ferries", "ferry OR tunnel", [], 0, NOW)
    store.save(told(f"{FERRY}/2", "ferry", at=NOW)).result(PATIENCE)
    store.save(told(newest, "tunnel", at=NOW + timedelta(hours=1))).result(PATIENCE)
    evaluate_all(store, lambda: NOW + timedelta(hours=1))

    def read() -> tuple[list[str], str, str]:
        found = feedparser.parse(client.get(f"/feed.atom{query}").content)
        return [one.link for one in found.entries], found.entries[0].updated, found.feed.updated

    links, updated, of_feed = read()
    assert (links[0], of_feed) == (newest, updated)
    days = (0, 1, 2, 3)
    for number in days if how == "gone" else ():
        failure, at = Failure("http/gone", "410"), NOW + timedelta(days=number, hours=2)
        store.run(record_page_failure, newest, "harbour", failure, 410, at).result(PATIENCE)
    removed_at = NOW + timedelta(days=3, hours=2)
    if how == "forgotten":
        store.run(forget_url, newest, removed_at).result(PATIENCE)
    evaluate_all(store, lambda: removed_at)
    links, _, later = read()
    assert newest not in links
    assert of_feed < later <= removed_at.isoformat()


@pytest.mark.parametrize("query", ["", "?site=harbour", "?language=en"])
def test_the_time_of_a_feed_stays_when_its_newest_page_is_no_article_any_longer(
    visit: Visit, store: Store, query: str
) -> None:
    client, newest = visit(**BEARER), f"{BRIDGE}/2"
    store.save(told(newest, "tunnel", at=NOW + timedelta(hours=1))).result(PATIENCE)
    before = feedparser.parse(client.get(f"/feed.atom{query}").content)

    def clear(connection: Connection) -> None:
        connection.execute(update(articles.pages).where(articles.pages.c.url == newest).values(article_id=None))

    store.run(clear).result(PATIENCE)
    after = feedparser.parse(client.get(f"/feed.atom{query}").content)
    assert [one.link for one in before.entries][1:] == [one.link for one in after.entries]
    assert after.feed.updated == before.feed.updated


@ON_SQLITE
def test_a_secret_address_needs_no_log_in_until_it_is_revoked(
    visit: Visit, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    client, stranger = visit(**BEARER), visit()
    assert (
        f"newscrawl feed-address new --site valley --base {BASE} " in client.get("/act/feed-address?site=valley").text
    )
    done = client.post("/act/feed-address", data={"site": "valley"}, headers={"accept": "application/json"}).json()
    (path,) = re.findall(rf"{BASE}(/feed/[\w-]+\.atom)", " ".join(done["done"]))
    assert [one.link for one in entries(stranger, path)] == [COPY]
    secret = path.removeprefix("/feed/").removesuffix(".atom")
    screen = client.get("/feeds.json").json()
    assert problems(screen, stored_schema("feeds")) == []
    assert [(one["title"], one["revoked_at"]) for one in screen["addresses"]] == [("Articles of valley", None)]
    kept = [client.get(path).text for path in ("/feeds", "/feeds.json", "/site.json?name=valley", "/")]
    logged = [record.getMessage() for record in caplog.records if not record.name.startswith("httpx")]
    assert secret not in "".join([*kept, *logged])
    assert client.get("/feeds").text.count("Revoke …") == 1
    assert client.post("/act/revoke-address", data={"id": "1"}).status_code == 200
    assert stranger.get(path).status_code == 404
    assert client.post("/act/revoke-address", data={"id": "1"}).status_code == 404
    events = [one["kind"] for one in client.get("/site.json", params={"name": "valley"}).json()["events"]]
    assert events == ["operator/feed_revoked", "operator/feed_made"]


@ON_SQLITE
def test_a_stranger_learns_nothing_from_a_guess(visit: Visit, store: Store) -> None:
    stranger = visit()
    secret = feed_addresses.new_secret()
    store.run(feed_addresses.add, secret, feed_addresses.FeedScope("everything"), "ada", NOW).result(PATIENCE)
    assert stranger.get(f"/feed/{secret}.atom").status_code == 200
    guesses = ["a" * 43, "", "x" * 5_000, secret.swapcase(), f"{secret}%00", f"{secret}.atom", "..%2f..%2fsites"]
    for guess in guesses:
        answered = stranger.get(f"/feed/{guess}.atom")
        assert answered.status_code == 404, guess
        assert "version" not in answered.text
    for path in ("/feed.atom", "/feed.json", "/feeds.json", "/feed/../sites.json", f"/feed/{secret}.json/../../sites"):
        assert stranger.get(path).status_code in {401, 404}, path
    assert stranger.post(f"/feed/{secret}.atom").status_code == 401
    assert stranger.get(f"/feed/{secret}.atom", headers={"host": "evil.example"}).status_code == 421
    assert visit(actions=False, **BEARER).post("/act/feed-address", data={}).status_code == 403


def test_a_stranger_does_not_learn_where_the_database_is(tmp_path: Path) -> None:
    file = tmp_path / "secretplace.db"
    with open_store(f"sqlite:///{file}", upgrade=True, max_wait=0.01) as opened:
        secret = feed_addresses.new_secret()
        opened.run(feed_addresses.add, secret, feed_addresses.FeedScope("everything"), "ada", NOW).result(PATIENCE)
    application = make_application(WebSettings(f"sqlite:///{file}"), Logins("", lambda: NOW), lambda: NOW)
    stranger = TestClient(application, base_url=BASE)
    assert stranger.get(f"/feed/{secret}.atom").status_code == 200
    file.rename(tmp_path / "away.db")
    for name in (f"{secret}.atom", f"{secret}.json"):
        answer = stranger.get(f"/feed/{name}")
        assert (answer.status_code, "secretplace" in answer.text) == (503, False)


def test_a_feed_whose_search_was_removed_is_gone(visit: Visit, store: Store) -> None:
    scope, secret = feed_addresses.FeedScope("search", "whales"), feed_addresses.new_secret()
    store.run(feed_addresses.add, secret, scope, "ada", NOW).result(PATIENCE)
    stranger = visit()
    assert [one.link for one in entries(stranger, f"/feed/{secret}.atom")] == [WHALE]
    store.run(standing_searches.remove, "whales", NOW).result(PATIENCE)
    assert stranger.get(f"/feed/{secret}.atom").status_code == 404


def test_an_address_of_a_removed_search_is_not_one_of_a_later_search_with_its_name(visit: Visit, store: Store) -> None:
    scope = feed_addresses.FeedScope("search", "whales")
    secrets = [feed_addresses.new_secret() for _ in range(2)]
    store.run(feed_addresses.add, secrets[0], scope, "ada", NOW).result(PATIENCE)
    store.run(standing_searches.remove, "whales", NOW).result(PATIENCE)
    store.run(feed_addresses.add, secrets[1], scope, "bo", NOW).result(PATIENCE)  # the removal came in between
    with store.reading() as connection:
        late, removed = feed_addresses.listed(connection, 2)
    assert (removed.revoked_at, late.revoked_at) == (NOW, None)
    save_search(store, "whales", "secret plans", [], 0, NOW)
    assert [visit().get(f"/feed/{secret}.atom").status_code for secret in secrets] == [404, 404]
    store.run(feed_addresses.add, new := feed_addresses.new_secret(), scope, "ada", NOW).result(PATIENCE)
    assert visit().get(f"/feed/{new}.atom").status_code == 200


@ON_SQLITE
def test_a_search_that_is_not_evaluated_says_why(visit: Visit, store: Store) -> None:
    table = changes.standing_searches

    def change(connection: Connection) -> None:
        connection.execute(update(table).values(query="NOT x"))

    store.run(change).result(PATIENCE)
    client = visit(**BEARER)
    (one,) = client.get("/consumers.json").json()["searches"]
    assert one["problem"].startswith("query: NOT is not part of the grammar")
    assert "not evaluated: <bdi>query: NOT" in client.get("/consumers").text


@ON_SQLITE
def test_standing_searches_are_shown_with_hits_and_errors(visit: Visit, store: Store) -> None:
    client = visit(**BEARER)
    with store.reading() as connection:
        (destination,) = deliveries.of_stream(connection, SEARCHES)
    store.run(deliveries.failed, destination, 0, "it answered 503", NOW).result(PATIENCE)
    screen = client.get("/consumers.json").json()
    assert problems(screen, stored_schema("consumers")) == []
    (search,) = screen["searches"]
    assert (search["name"], search["query"], screen["failing"]) == ("whales", "whale", 1)
    assert [one["url"] for one in search["hits"]] == [WHALE]
    (shown,) = search["destinations"]
    assert (shown["is_behind"], shown["attempts"], shown["problem"]) == (True, 1, "it answered 503")
    page = client.get("/consumers").text
    assert "About the whale" in page
    assert "it answered 503" in page
    assert "verysecret" not in page + json.dumps(screen)
    for number in range(60):
        save_search(store, f"more {number:02}", "ferry", [], 0, NOW)
    first = client.get("/consumers.json").json()
    rest = client.get("/consumers.json", params={"after": first["next"]}).json()
    names = [one["name"] for part in (first, rest) for one in part["searches"]]
    assert names == ["whales", *(f"more {number:02}" for number in range(60))]
    assert rest["next"] is None
    assert client.get("/consumers.json?after=x").status_code == 400
