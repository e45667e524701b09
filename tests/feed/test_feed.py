"""The feed's reader and its plain sinks: at least once, in order, from the cursor of each consumer."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from patience import PATIENCE

from newscrawl.errors import FeedError, UsageError
from newscrawl.feed.filters import FeedFilter
from newscrawl.feed.jsonl import JsonLines
from newscrawl.feed.reader import FeedReader
from newscrawl.feed.sink import Delivery, Entry, SinkPosition
from newscrawl.feed.webhook import Webhook
from newscrawl.identity import content_hash, identity_key, url_key
from newscrawl.model import Article, Metadata, ProcessedPage, RawPage
from newscrawl.storage.store import open_store

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture
def store(tmp_path):
    with open_store(f"sqlite:///{tmp_path / 'x.db'}", upgrade=False, max_wait=0.01) as opened:
        yield opened


def save(store, *names, site="https://harbour.example"):
    for name in names:
        url, text = f"{site}/{name}", f"{name} is the harbour's ferry. " * 12
        raw = RawPage(url, url, 200, {}, None, NOW, "harbour", None)
        hashes = {"content_hash": content_hash(text), "identity_key": identity_key(text, url_key(url), 60)}
        said = {"url": url, "site": "harbour", "text": text, "verdict": "article", "extractor": "classic"}
        article = Article(metadata=Metadata(title=name), **said, **hashes)
        store.save(ProcessedPage(raw, article=article)).result(timeout=PATIENCE)


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


def test_a_consumer_can_begin_from_nothing(store):
    sink = Memory()
    save(store, "a")
    one = reader(store, sink)
    all_of(one)
    one.restart()
    all_of(one)
    assert sink.taken == ["a", "a"]


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


@contextmanager
def hook(answers):
    """A server that gives these statuses in turn, then 204."""
    taken = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = answers.pop(0) if answers else 204
            if status < 300:
                taken.extend(json.loads(body))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_args):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/hook?key=x", taken
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_webhook_is_tried_again_with_growing_pauses(store):
    save(store, "a", "b")
    pauses = []
    with hook([503, 429]) as (url, taken):
        all_of(reader(store, Webhook(url, sleep=pauses.append)))
    assert [(entry["op"], entry["article"]["title"]) for entry in taken] == [("upsert", "a"), ("upsert", "b")]
    assert pauses == [0.5, 1.0]


@pytest.mark.parametrize(("answers", "attempts"), [([503] * 9, 3), ([400] * 9, 1), ([302] * 9, 1)])
def test_a_webhook_that_refuses_is_an_error_and_the_changes_wait(store, answers, attempts):
    save(store, "a")
    with hook(answers) as (url, taken):
        sink = Webhook(url, attempts=3, sleep=lambda _pause: None)
        with pytest.raises(FeedError, match="did not take changes: it answered") as caught:
            reader(store, sink).step()
        assert "key=x" not in str(caught.value)
        assert len(answers) == 9 - attempts
        answers.clear()
        all_of(reader(store, sink))
    assert len(taken) == 1


def test_an_address_that_is_none_is_refused_at_once():
    with pytest.raises(UsageError, match="no usable http"):
        Webhook("ftp://x")
