"""Sinks of users: found by name, and checked against the Protocol, so that no change is lost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from distribution import install, write_module, write_package

from newscrawl.config import extensions
from newscrawl.errors import ExtensionError, FeedError, UsageError
from newscrawl.publishing.feed.reader import FeedReader
from newscrawl.publishing.feed.registry import BUILT_IN, CheckedSink, extension_of, open_sink
from newscrawl.publishing.feed.sink import Delivery, Entry, SinkOptions, SinkPosition
from newscrawl.storage.feed import changes, consumers
from newscrawl.storage.feed.changes import Cause
from newscrawl.storage.reader import Reader
from newscrawl.storage.store import open_store

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SOURCE = """
from newscrawl.errors import FeedError
from newscrawl.publishing.feed.sink import Delivery, SinkPosition

class Shelf:
    def __init__(self, place):
        if place == "full":
            raise FeedError("the shelf is full: give another")
        if place == "odd":
            raise KeyError(place)
        self.place = place

    def position(self):
        return SinkPosition(self.place)

    def send(self, entries):
        return Delivery(frozenset(entry.article_id for entry in entries))

    def close(self):
        pass

def nothing(place):
    return object()
"""


def no_reader() -> Reader:
    raise AssertionError("no built-in sink is opened that reads")


OPTIONS = SinkOptions(no_reader)


@pytest.fixture
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_module(tmp_path / "path", "ext_sinks", SOURCE)
    write_package(tmp_path / "path", {"sinks": {"shelf": "ext_sinks:Shelf"}})
    install(monkeypatch, tmp_path / "path")


@pytest.mark.usefixtures("_project")
@pytest.mark.parametrize(("name", "own"), [("shelf", {}), ("mine", {"mine": "ext_sinks:Shelf"})])
def test_a_sink_is_opened_with_its_place(name: str, own: dict[str, str]) -> None:
    sink = open_sink(f"{name}:upper:left", own, OPTIONS)
    assert sink.position() == SinkPosition("upper:left")
    sink.close()


@pytest.mark.usefixtures("_project")
@pytest.mark.parametrize(
    ("place", "path", "error", "words"),
    [
        ("full", "ext_sinks:Shelf", FeedError, "^the shelf is full: give another$"),
        ("odd", "ext_sinks:Shelf", FeedError, "^sink 'mine' could not be opened: KeyError: 'odd'$"),
        ("", "ext_sinks:nothing", ExtensionError, "what it opens is no sink: it has no position, send, close"),
        ("", "ext_sinks:nobody", ExtensionError, "NEWSCRAWL_SINKS: sink 'mine' .*has no 'nobody'"),
    ],
)
def test_a_sink_that_cannot_be_opened_costs_one_line(place: str, path: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        open_sink(f"mine:{place}", {"mine": path}, OPTIONS)


def test_packages_are_searched_only_for_an_unknown_sink(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def searched(_path: object) -> None:
        raise AssertionError("packages were searched")

    monkeypatch.setattr(extensions, "_search", searched)
    open_sink(f"jsonl:{tmp_path / 'changes.jsonl'}", {}, OPTIONS).close()
    open_sink("webhook:http://127.0.0.1/", {}, OPTIONS).close()
    with pytest.raises(AssertionError, match="packages were searched"):
        open_sink("folder:x", {}, OPTIONS)


@pytest.mark.usefixtures("_project")
def test_the_message_on_an_unknown_sink_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no sink 'nobody:x': .*opensearch:URL/ALIAS, mine:PLACE, shelf:PLACE$"):
        open_sink("nobody:x", {"mine": "ext_sinks:Shelf"}, OPTIONS)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_name_cannot_be_taken(name: str) -> None:
    with pytest.raises(ExtensionError, match=rf"sink '{name}' .*is built in"):
        extension_of(name, {name: "ext_sinks:Shelf"})


class Wrong:
    """A sink that does as the test says."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def position(self) -> SinkPosition:
        return SinkPosition("wrong")

    def send(self, entries: Sequence[Entry]) -> Delivery:
        if isinstance(self.answer, BaseException):
            raise self.answer
        found: Delivery = self.answer
        return found

    def close(self) -> None:
        raise ValueError("shut already")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (ValueError("no room"), "sink 'wrong' did not take changes: ValueError: no room"),
        (SystemExit(3), "sink 'wrong' did not take changes: SystemExit: 3"),
        (None, r"send\(\) returned a NoneType: return a Delivery"),
        (Delivery(frozenset()), r"send\(\) neither accepted nor refused article 1"),
    ],
)
def test_the_cursor_stays_where_a_sink_did_not_take_every_change(tmp_path: Path, answer: Any, words: str) -> None:
    with open_store(f"sqlite:///{tmp_path / 'x.db'}", upgrade=False, max_wait=0.01) as store:
        store.run(lambda one: changes.append_rows(one, changes.seen(one, {1: Cause("gone")}, NOW))).result()
        reader = FeedReader(store, CheckedSink("wrong", Wrong(answer)), "mine", lambda: NOW)
        with pytest.raises(FeedError, match=words):
            reader.step()
        with store.reading() as connection:
            assert consumers.load(connection, "mine") is None
        taken = CheckedSink("wrong", Wrong(Delivery(frozenset({1}))))
        assert FeedReader(store, taken, "mine", lambda: NOW).step() == 1
        with store.reading() as connection:
            assert consumers.load(connection, "mine") is not None
