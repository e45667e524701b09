"""Webhooks with limits, refusals and unusual answers: what is stored as refused, what ends the command, what is
kept."""

from __future__ import annotations

import base64
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_pages import NOW, made_page
from patience import PATIENCE

from newscrawl.demo.keep_alive import KeepAliveHandler, KeepAliveServer
from newscrawl.errors import FeedBusy, FeedError, UsageError
from newscrawl.publishing.deliver.http import DEADLINE, connection_to, exchange
from newscrawl.publishing.feed.opensearch import SearchServer
from newscrawl.publishing.feed.reader import FeedReader
from newscrawl.publishing.feed.sink import Entry
from newscrawl.publishing.feed.webhook import MAX_ANSWER, Webhook, address_id, default_consumer
from newscrawl.storage.feed import consumers
from newscrawl.storage.store import Store, open_store
from newscrawl.testing.services.webhook import WebhookReceiver, serving


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'x.db'}", upgrade=False, max_wait=0.01) as opened:
        yield opened


def save(store: Store, name: str, *, words: int = 60, hours: int = 0, address: str | None = None) -> int:
    url, text = f"https://harbour.example/{address or name}", f"{name} is the ferry of the harbour. " * (words // 7 + 1)
    page = made_page(url, text, title=name, fetched_at=NOW + timedelta(hours=hours))
    saved = store.save(page).result(timeout=PATIENCE)
    assert saved.article_id is not None
    return saved.article_id


def consume(store: Store, sink: Webhook, name: str = "hook") -> None:
    reader = FeedReader(store, sink, name, lambda: NOW)
    while reader.step():
        pass


def set_aside(store: Store, name: str = "hook") -> dict[int, str]:
    found = store.run(consumers.refused, name).result(timeout=PATIENCE)
    return {change.article_id: change.reason for change in found}


def hasty(url: str, **options: Any) -> Webhook:
    return Webhook(url, sleep=lambda _seconds: None, **options)


def test_bodies_stay_below_the_limit_of_common_servers(store: Store) -> None:
    for number in range(9):
        save(store, f"ferry{number}", words=40_000)
    receiver = WebhookReceiver()
    with serving(receiver) as url:
        consume(store, hasty(url))
    assert receiver.taken == [f"ferry{number}" for number in range(9)]
    assert [status for _, status in receiver.bodies] == [204] * len(receiver.bodies)
    assert 1 < len(receiver.bodies) < 9  # several changes in a body, and more bodies than one


def test_a_batch_that_is_too_large_is_halved_and_the_one_that_does_not_fit_set_aside(store: Store) -> None:
    numbers = [save(store, f"ferry{n}", words=4_000 if n == 3 else 50) for n in range(8)]
    receiver = WebhookReceiver(limit=9_000)
    with serving(receiver) as url:
        consume(store, hasty(url))
    assert receiver.taken == [f"ferry{n}" for n in range(8) if n != 3]
    assert list(set_aside(store)) == [numbers[3]]
    reason = set_aside(store)[numbers[3]]
    assert "413" in reason
    assert "thank you" in reason
    assert reason.isprintable()


@pytest.mark.parametrize("status", [400, 422])
def test_a_refused_change_is_set_aside_when_a_neighbour_is_accepted(store: Store, status: int) -> None:
    numbers = [save(store, f"ferry{n}") for n in range(5)]
    receiver = WebhookReceiver()
    receiver.refused = {"ferry0": status, "ferry2": status}
    with serving(receiver) as url:
        consume(store, hasty(url))
        assert receiver.taken == ["ferry1", "ferry3", "ferry4"]
        assert set(set_aside(store)) == {numbers[0], numbers[2]}
        save(store, "ferry5")
        consume(store, hasty(url))
    assert receiver.taken[-1] == "ferry5"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_receiver_that_accepts_nothing_stops_the_consumer_and_loses_nothing(store: Store, status: int) -> None:
    for number in range(3):
        save(store, f"ferry{number}")
    receiver = WebhookReceiver()
    receiver.every = status
    with serving(receiver) as url:
        with pytest.raises(FeedError, match=str(status)):
            consume(store, hasty(url))
        assert not set_aside(store)
        receiver.every = None
        consume(store, hasty(url))
    assert receiver.taken == ["ferry0", "ferry1", "ferry2"]


def test_what_was_set_aside_is_sent_again_as_the_article_is_then(store: Store) -> None:
    numbers = [save(store, f"ferry{n}") for n in range(3)]
    receiver = WebhookReceiver()
    receiver.refused = {"ferry1": 422}
    with serving(receiver) as url:
        sink = hasty(url)
        consume(store, sink)
        before = store.run(consumers.load, "hook").result(timeout=PATIENCE)
        receiver.refused = {}
        assert FeedReader(store, sink, "hook", lambda: NOW).send_again() == 1
        consume(store, sink)
        after = store.run(consumers.load, "hook").result(timeout=PATIENCE)
    assert receiver.taken == ["ferry0", "ferry2", "ferry1"]
    assert not set_aside(store)
    assert before is not None
    assert after is not None
    assert after.seq == before.seq + 1, f"article {numbers[1]} has a change with a number of its own"


def test_a_later_accepted_change_of_the_article_clears_it(store: Store) -> None:
    first = save(store, "ferry0")
    second = save(store, "ferry1")
    receiver = WebhookReceiver()
    receiver.refused = {"ferry1": 400}
    with serving(receiver) as url:
        consume(store, hasty(url))
        assert set(set_aside(store)) == {second}
        save(store, "ferry2", hours=1, address="ferry1")  # the page shows another text: the old article is removed
        consume(store, hasty(url))
    assert not set_aside(store)
    assert first


def test_credentials_of_the_address_are_sent_and_not_kept(store: Store) -> None:
    save(store, "ferry0")
    receiver = WebhookReceiver()
    with serving(receiver) as url:
        address = url.replace("http://", "http://ann:se%20cret@") + "?token=hidden"
        consume(store, hasty(address), default_consumer(address))
        (headers,) = receiver.headers
        assert base64.b64decode(headers["Authorization"].removeprefix("Basic ")) == b"ann:se cret"
        (cursor,) = store.run(consumers.everybody).result(timeout=PATIENCE)
        assert not [
            word
            for word in ("ann", "cret", "hidden", "hook")
            if word in f"{cursor.consumer} {cursor.index_id}".replace("webhook", "")
        ]
        renewed = url + "?token=another"
        consume(store, hasty(renewed), default_consumer(renewed))
    assert receiver.taken == ["ferry0"], "a new token is the same receiver"


@given(st.text(st.characters(codec="ascii", exclude_characters="/?#@\\"), max_size=20))
def test_an_address_is_known_without_its_secrets(secret: str) -> None:
    plain = "https://hooks.example:8443/services/T1"
    assert address_id(f"https://u:p@hooks.example:8443/services/T1?token=x{len(secret)}") == address_id(plain)
    assert address_id("https://hooks.example:8443/services/T2") != address_id(plain)


@pytest.mark.parametrize(
    "address", ["http://host:port/x", "http://host:99999/", "http://[::1/", "ftp://x", "http:///x", "http://h/a b"]
)
def test_an_odd_address_is_a_usage_error(address: str) -> None:
    with pytest.raises(UsageError):
        Webhook(address)
    with pytest.raises(UsageError):
        SearchServer(address)


def test_messages_show_neither_path_nor_token(store: Store) -> None:
    save(store, "ferry0")
    receiver = WebhookReceiver()
    receiver.every = 403
    with serving(receiver) as url, pytest.raises(FeedError) as caught:
        consume(store, hasty(f"{url}/T0/secret?token=hidden"))
    assert "secret" not in str(caught.value)
    assert "hidden" not in str(caught.value)
    assert "http://127.0.0.1" in str(caught.value)


def test_a_body_refused_before_it_was_read_is_a_refusal() -> None:
    server = socket.create_server(("127.0.0.1", 0))

    def refuse() -> None:
        connection, _ = server.accept()
        with connection:
            head = b""
            while b"\r\n\r\n" not in head:
                head += connection.recv(1 << 16)
            connection.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")

    thread = threading.Thread(target=refuse)
    thread.start()
    try:
        connection = connection_to(urlsplit(f"http://127.0.0.1:{server.getsockname()[1]}/"), PATIENCE)
        assert exchange(connection, "POST", "/", b"x" * 20_000_000, {}, max_bytes=MAX_ANSWER).status == 413
    finally:
        thread.join()
        server.close()


def drip(send: Callable[[bytes], object]) -> None:
    send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
    for _ in range(1_000):
        send(b"x")
        time.sleep(0.01)


def informational(send: Callable[[bytes], object]) -> None:
    while True:
        send(b"HTTP/1.1 100 Continue\r\n\r\n")
        time.sleep(0.001)


def endless(send: Callable[[bytes], object]) -> None:
    send(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        send(b"x" * 65_536)


def claiming(send: Callable[[bytes], object]) -> None:
    send(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n{}")


def chunked_nonsense(send: Callable[[bytes], object]) -> None:
    send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")


@contextmanager
def odd_server(behaviour: Callable[[Callable[[bytes], object]], None]) -> Iterator[str]:
    class Handler(KeepAliveHandler):
        wbufsize = 0

        def do_POST(self) -> None:  # noqa: N802  the name that http.server looks for
            self.rfile.read(int(self.headers["Content-Length"] or 0))
            self.close_connection = True
            with suppress(OSError):
                behaviour(self.wfile.write)

        do_GET = do_POST  # noqa: N815

    server = KeepAliveServer(("127.0.0.1", 0), Handler).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.stop()


ODD = [drip, informational, endless, claiming, chunked_nonsense]


def entry() -> Entry:
    return Entry(1, "remove", 7, NOW, None)


@pytest.mark.parametrize("behaviour", ODD, ids=lambda behaviour: behaviour.__name__)
def test_no_answer_holds_a_webhook_for_ever(behaviour: Callable[[Callable[[bytes], object]], None]) -> None:
    with odd_server(behaviour) as url:
        sink = hasty(f"{url}/hook", attempts=1, deadline=0.4)
        if behaviour is endless:
            assert sink.send([entry()]).accepted == {7}
            return
        with pytest.raises(FeedError, match="the next run sends them again"):
            sink.send([entry()])


def test_attempts_end_with_the_patience_for_a_body() -> None:
    with odd_server(drip) as url:
        begun = time.monotonic()
        with pytest.raises(FeedBusy, match="not complete after"):
            Webhook(url, patience=1.5).send([entry()])
        assert time.monotonic() - begun < DEADLINE


@pytest.mark.parametrize(("asked", "pauses"), [("7", [7.0] * 2), ("0", [0.5, 1.0]), ("soon", [0.5, 1.0]), ("31", [])])
def test_a_receiver_is_left_alone_for_as_long_as_it_asks(asked: str, pauses: list[float]) -> None:
    receiver, of_webhook, of_server = WebhookReceiver(), list[float](), list[float]()
    receiver.every, receiver.retry_after = 503, asked
    with serving(receiver) as url:
        with pytest.raises(FeedBusy) as raised:
            Webhook(url, attempts=3, sleep=of_webhook.append).send([entry()])
        server = SearchServer(url, attempts=3, sleep=of_server.append)
        with pytest.raises(FeedBusy):
            server.ask("POST", "/_bulk", b"[]")
        server.close()
    assert of_webhook == pauses
    assert len(of_server) == len(pauses)
    assert all(rest >= pause for rest, pause in zip(of_server, pauses, strict=True) if pause > 1)
    assert raised.value.retry_after == (float(asked) if asked.isdigit() else 0.0)


@pytest.mark.parametrize("behaviour", ODD, ids=lambda behaviour: behaviour.__name__)
def test_no_answer_holds_a_search_server_for_ever(
    behaviour: Callable[[Callable[[bytes], object]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("newscrawl.publishing.feed.opensearch.MAX_ANSWER", 3 * MAX_ANSWER)
    with odd_server(behaviour) as url:
        server = SearchServer(url, attempts=1, timeout=0.4, sleep=lambda _seconds: None)
        with pytest.raises(FeedError):
            server.ask("GET", "/_mapping")
        server.close()


@pytest.mark.parametrize(
    "said",
    [
        b"Cannot POST /services/T0/S%C3%A9same?token=hidden&v=2",
        b'{"path": "/services/T0/S\xc3\xa9same"}',
        b"no route S%C3%A9same",
        b"the token hidden has expired",
        b"user ann has not the password se cret or se%20cret",
        b"Authorization: Basic YW5uOnNlIGNyZXQ=",
    ],
)
def test_what_a_receiver_repeats_of_its_address_is_not_shown(store: Store, said: bytes) -> None:
    save(store, "ferry0")

    def repeat(send: Callable[[bytes], object]) -> None:
        send(b"HTTP/1.1 404 Not Found\r\nContent-Length: %d\r\n\r\n%b" % (len(said), said))

    with odd_server(repeat) as url:
        host = urlsplit(url).netloc
        with pytest.raises(FeedError, match="404") as raised:
            consume(store, hasty(f"http://ann:se%20cret@{host}/services/T0/S%C3%A9same?token=hidden&v=2"))
        server = SearchServer(f"http://ann:se%20cret@{host}")
        _, told = server.ask("GET", "/")
        server.close()
    assert "cret" not in str(told)
    shown = str(raised.value)
    assert "***" in shown
    assert not [word for word in ("same", "hidden", "cret", "YW5u") if word in shown]
