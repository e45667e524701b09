"""The operator's webhook for alarms: the addresses that are accepted, and the deadline of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from dripping import dripping_server
from scrapy.settings import Settings

from newscrawl.config.catalogue import Config
from newscrawl.config.reading import config_of
from newscrawl.errors import ConfigurationError, UsageError
from newscrawl.publishing.deliver.http import Limits, Problem, post, shown
from newscrawl.publishing.deliver.places import SETTING, AlarmWebhook
from newscrawl.publishing.feed.webhook import Webhook as FeedWebhook


@pytest.fixture
def dripping() -> Iterator[int]:
    """The port of a server that answers a byte at a time and never ends."""
    with dripping_server(b"X", 0.02, b"HTTP/1.1 200 OK\r\n") as port:
        yield port


def test_an_answer_that_does_not_end_has_a_deadline(dripping: int) -> None:
    problem = post(urlsplit(f"http://127.0.0.1:{dripping}/"), b"{}", Limits(5.0, 0.3, 100))
    assert problem == Problem("its answer was not complete after 0.3 seconds")


def settings(address: str) -> Config:
    return config_of(Settings({SETTING: address}))


def test_a_host_may_have_other_letters() -> None:
    webhook = AlarmWebhook.of(settings("https://straße.example/x"))
    assert webhook is not None
    assert webhook.address.hostname == "xn--strae-oqa.example"
    assert shown(FeedWebhook("https://ann:pw@straße.example/x").url) == "https://xn--strae-oqa.example"


@pytest.mark.parametrize("address", ["https://alerts.example/é", "https://xn--é.example/", "alerts.example"])
def test_an_address_that_cannot_be_asked_is_refused_with_a_reason(address: str) -> None:
    with pytest.raises(ConfigurationError, match="%C3%A9 for é after the host"):
        AlarmWebhook.of(settings(address))
    with pytest.raises(UsageError, match="%C3%A9 for é after the host"):
        FeedWebhook(address)
