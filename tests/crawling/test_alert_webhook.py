"""The operator's webhook for alarms: the addresses that are accepted, and the deadline of an answer."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from newscrawl.crawling.monitoring import webhook
from newscrawl.errors import ConfigurationError, UsageError
from newscrawl.feed.webhook import Webhook as FeedWebhook
from newscrawl.feed.webhook import shown


@pytest.fixture
def dripping() -> Iterator[int]:
    """The port of a server that answers a byte at a time and never ends."""
    server = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def answer() -> None:
        connection, _ = server.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\n")
            while not ended.wait(0.02):
                try:
                    connection.sendall(b"X")
                except OSError:
                    return

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    yield server.getsockname()[1]
    ended.set()
    thread.join(10)
    server.close()


def test_an_answer_that_does_not_end_has_a_deadline(dripping: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "DEADLINE", 0.3)
    problem = webhook.post(urlsplit(f"http://127.0.0.1:{dripping}/"), {"id": 1})
    assert problem == "its answer was not complete after 0.3 seconds"


def test_a_host_may_have_other_letters() -> None:
    assert webhook.webhook_address("https://straße.example/x").hostname == "xn--strae-oqa.example"
    assert shown(FeedWebhook("https://ann:pw@straße.example/x").url) == "https://xn--strae-oqa.example"


@pytest.mark.parametrize("address", ["https://alerts.example/é", "https://xn--é.example/", "alerts.example"])
def test_an_address_that_cannot_be_asked_is_refused_with_a_reason(address: str) -> None:
    with pytest.raises(ConfigurationError, match="%C3%A9 for é after the host"):
        webhook.webhook_address(address)
    with pytest.raises(UsageError, match="%C3%A9 for é after the host"):
        FeedWebhook(address)
