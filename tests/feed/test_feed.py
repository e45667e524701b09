"""The feed's reader and its plain sinks: at least once, in order, from the cursor of each consumer."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest
from made_pages import NOW, made_page
from patience import PATIENCE

from newscrawl.errors import FeedError
from newscrawl.publishing.feed.jsonl import JsonLines
from newscrawl.publishing.feed.reader import FeedFilter, FeedReader
from newscrawl.publishing.feed.sink import Delivery, Entry, SinkPosition
from newscrawl.storage.store import open_store


@pytest.fixture
def store(tmp_path):
    with open_store(f"sqlite:///{tmp_path / 'x.db'}", upgrade=False, max_wait=0.01) as opened:
        yield opened


def save(store, *names):
    for name in names:
        text = f"{name} is the harbour's ferry. " * 12
        store.save(made_page(f"https://harbour.example/{name}", text, title=name)).result(timeout=PATIENCE)


@dataclass
class Memory:
    """A sink that keeps what it is given, and can refuse."""

    index_id: str | None = "one"
    seq: int | None = None
    taken: list = field(default_factory=list)
    refusing: bool = False

    def position(self):
        return SinkPosition(self.index_id, self.seq)

    def send(self, entries):
        if self.refusing:
            raise FeedError("not now")
        self.taken += [entry.document.title for entry in entries]
        return Delivery(frozenset(entry.article_id for entry in entries))

    def close(self):
        pass


def reader(store, sink, **changes):
    return FeedReader(store, sink, **{"consumer": "test", "now": lambda: NOW} | changes)


def all_of(one):
    while one.step():
        pass


def test_each_change_is_given_once_in_order_and_a_refused_one_again(store):
    sink = Memory()
    save(store, "a", "b", "c")
    assert reader(store, sink, batch=2).step() == 2
    sink.refusing = True
    with pytest.raises(FeedError):
        reader(store, sink).step()
    sink.refusing = False
    all_of(reader(store, sink))
    assert sink.taken == ["a", "b", "c"]
    save(store, "d")
    all_of(reader(store, sink))
    assert sink.taken[3:] == ["d"]


@pytest.mark.parametrize("change", [{"index_id": "another"}, {"seq": 0}])
def test_an_index_that_is_gone_or_older_than_the_cursor_is_filled_again(store, change):
    sink = Memory()
    save(store, "a", "b")
    all_of(reader(store, sink))
    again = Memory(**change)
    reader(store, again).step()
    assert again.taken == ["a", "b"]


def test_json_lines_go_on_in_their_file_and_start_anew_in_another(store, tmp_path):
    path = tmp_path / "changes.jsonl"
    for name in "ab":
        save(store, name)
        sink = JsonLines.to_file(path)
        all_of(reader(store, sink))
        sink.close()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(line["op"], line["article"]["title"]) for line in lines] == [("upsert", "a"), ("upsert", "b")]
    path.unlink()
    sink = JsonLines.to_file(path)
    all_of(reader(store, sink))
    sink.close()
    assert len(path.read_text().splitlines()) == 2


def test_lines_that_count_as_sent_are_in_their_file(tmp_path):
    sink = JsonLines.to_file(tmp_path / "changes.jsonl")
    sink.send([Entry(1, "remove", 7, NOW, None)])
    assert json.loads((tmp_path / "changes.jsonl").read_text())["seq"] == 1
    sink.close()


def test_a_file_that_was_cut_gets_the_changes_that_it_lost(store, tmp_path):
    path = tmp_path / "changes.jsonl"
    for name in "abc":
        save(store, name)
        sink = JsonLines.to_file(path)
        all_of(reader(store, sink))
        sink.close()
    first, _, _ = whole = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + b'{"seq": 2, "op": "up')
    sink = JsonLines.to_file(path)
    all_of(reader(store, sink))
    sink.close()
    assert path.read_bytes().splitlines()[2:] == [line.rstrip() for line in whole[1:]]


def test_a_file_without_a_line_is_not_filled_for_ever(store, tmp_path):
    save(store, "a")
    for _ in range(2):
        sink = JsonLines.to_file(tmp_path / "changes.jsonl")
        all_of(FeedReader(store, sink, "consumer", lambda: NOW, wanted=FeedFilter(sites=("nosuch",))))
        sink.close()
    assert (tmp_path / "changes.jsonl").read_bytes() == b""


def test_a_file_that_cannot_be_written_is_one_line(tmp_path):
    with pytest.raises(FeedError, match="cannot write"):
        JsonLines.to_file(tmp_path)


def test_a_line_that_a_kill_tore_inside_a_letter_is_continued(store, tmp_path):
    file = tmp_path / "changes.jsonl"
    torn = '{"seq": 1, "title": "Паром'.encode()[:-1]
    file.write_bytes(torn)
    save(store, "паром")
    sink = JsonLines.to_file(file)
    all_of(reader(store, sink))
    sink.close()
    first, second = file.read_bytes().splitlines()
    assert first == torn
    assert json.loads(second)["article"]["title"] == "паром"
