"""The output of commands for people masks secrets in addresses. JSON and exports have the whole addresses."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import Result
from patience import PATIENCE
from source_items import record_answer, record_failure

from newscrawl.cli.common.sites import check_site
from newscrawl.errors import UsageError
from newscrawl.model import Candidate, Discovery, Doubt, ProcessedPage
from newscrawl.publishing.feed.registry import default_consumer as consumer_of
from newscrawl.publishing.feed.registry import shown as sink_shown
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.removal import forget
from newscrawl.storage.store import open_store

Call = Callable[..., Result]

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
URL = "https://harbour.example/ferry?access_token=HUSH"
HELD = "https://harbour.example/held?sig=HUSH"
FEED = "https://harbour.example/feed.xml?key=HUSH"
NOTE = "*** replaces possible secrets in an address"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, made: Callable[..., ProcessedPage]) -> Path:
    """Pages, a feed and a block whose addresses hold secrets."""
    file = tmp_path_factory.mktemp("filled") / "news.db"
    with open_store(f"sqlite:///{file}", upgrade=True, max_wait=0.01) as store:
        found = Discovery("feed", FEED)
        answer = SourceAnswer("harbour", FEED, "feed", 200, NOW)
        told = [Candidate(URL.replace("//", "//ann:HUSH@"), found)]
        store.run(record_answer, answer, told, NOW).result(timeout=PATIENCE)
        stated = {"title": "Council", "found": found, "canonical": URL, "image": f"{URL}.png"}
        store.save(made(URL, "The council met on Tuesday. " * 20, **stated)).result(timeout=PATIENCE)
        other = made(HELD, "The council rested. " * 20, **stated | {"canonical": HELD, "image": f"{HELD}.png"})
        held = ProcessedPage(
            other.raw, article=other.article, doubt=Doubt(("text fell",), other.article, needs_review=True)
        )
        store.save(held).result(timeout=PATIENCE)
        detail = ("harbour", FEED, "feed", "http/503", 503, NOW)
        store.run(record_failure, *detail, detail=f"led to {URL}").result(timeout=PATIENCE)
        blocked = "https://harbour.example/gone?password=HUSH"
        store.run(forget.forget_url, blocked, NOW, block=True).result(timeout=PATIENCE)
    return file


@pytest.fixture(autouse=True)
def stored(filled: Path, tmp_path: Path) -> None:
    """A copy of that database."""
    shutil.copy(filled, tmp_path / "news.db")


@pytest.mark.parametrize(
    "command",
    [
        ("why", URL),
        ("why", FEED),
        ("why", HELD),
        ("why", "https://harbour.example/unknown?token=HUSH"),
        ("history", URL),
        ("history", "https://harbour.example/unknown?token=HUSH"),
        ("status",),
        ("review", "list"),
        ("search", "council"),
        ("forget", "--blocked"),
        ("forget", "https://harbour.example/unknown?token=HUSH", "--yes"),
        ("review", "release", "https://harbour.example/unknown?token=HUSH"),
    ],
    ids=lambda command: " ".join(command).replace("https://harbour.example/", "").replace("HUSH", ""),
)
def test_a_person_is_shown_no_secret(call: Call, command: tuple[str, ...]) -> None:
    done = call(*command)
    assert "HUSH" not in done.output
    assert "***" in done.output
    assert (NOTE in done.stderr) or done.stderr.startswith("newscrawl: nothing of")
    assert done.stderr.count(NOTE) <= 1


@pytest.mark.parametrize(
    "command",
    [("why", URL), ("history", URL), ("status",), ("review", "list"), ("search", "council"), ("forget", "--blocked")],
    ids=" ".join,
)
def test_json_has_addresses_whole(call: Call, command: tuple[str, ...]) -> None:
    done = call(*command, "--json")
    assert "HUSH" in done.stdout
    assert "***" not in done.output


def test_exports_and_feeds_have_addresses_whole(call: Call) -> None:
    assert json.loads(call("export").stdout)["url"] == URL
    assert URL in call("feed", "jsonl:-").stdout


def test_an_address_without_secrets_is_shown_without_a_note(call: Call) -> None:
    assert NOTE not in call("why", "https://harbour.example/unknown?page=2").stderr


@pytest.mark.parametrize(
    ("sink", "consumer", "shown"),
    [
        (
            "opensearch:https://ann:HUSH@search.example/news",
            "opensearch:https://search.example/news",
            "opensearch:https://***@search.example/news",
        ),
        ("jsonl:out.jsonl", "jsonl:out.jsonl", "jsonl:out.jsonl"),
        (
            "webhook:https://ann:HUSH@hook.example/HUSH",
            "webhook:https://hook.example#c2c0c5a3bb1c4dd6",
            "webhook:https://hook.example",
        ),
    ],
    ids=["search server", "file", "webhook"],
)
def test_a_sink_keeps_its_name_and_shows_no_secret(sink: str, consumer: str, shown: str) -> None:
    assert consumer_of(sink).partition("#")[0] == consumer.partition("#")[0]
    assert sink_shown(sink) == shown


@pytest.mark.parametrize(
    ("stored", "message"),
    [(["demo"], "is demo meant? it has demo"), ([], "it has none yet"), (["one", "two"], "it has one, two")],
    ids=["near", "none", "others"],
)
def test_an_unknown_site_is_told_what_there_is(stored: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        check_site("dmo", stored)
    assert str(caught.value) == f"no site 'dmo' in the database: {message}"
