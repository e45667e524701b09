"""Mails, and receivers of alarms in settings."""

from __future__ import annotations

import ipaddress
import logging
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from certificates import Authority
from cryptography import x509
from dripping import dripping_server
from mail_server import PASSWORD, mailbox
from patience import PATIENCE
from scrapy.settings import Settings

from newscrawl.config.catalogue import Config
from newscrawl.config.reading import config_of
from newscrawl.crawling.runtime.setting_checks import check_settings
from newscrawl.errors import ConfigurationError, UsageError
from newscrawl.publishing.deliver import mail
from newscrawl.publishing.deliver.http import Limits, Problem, post, shown
from newscrawl.publishing.deliver.mail import AlarmMail
from newscrawl.publishing.deliver.places import SETTING, AlarmWebhook, alarm_values
from newscrawl.publishing.deliver.sender import Sender
from newscrawl.publishing.feed.webhook import Webhook as FeedWebhook
from newscrawl.reports.sites import alarm_history
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.store import Store, open_store

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
ALARM = alarms.Alarm("harbour", "quiet", "warning", MONDAY, MONDAY, "no new article", {"seen": 0}, id=7)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'news.db'}", upgrade=True, max_wait=0.01) as opened:
        yield opened


@pytest.fixture
def context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A server's context for 127.0.0.1, with a certificate that this process trusts."""
    authority = Authority()
    trusted = tmp_path / "authority.pem"
    trusted.write_bytes(authority.pem)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    name = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    return authority.issue("127.0.0.1", [name]).context(tmp_path)


def settings(port: int, **changes: object) -> Settings:
    given = {"HOST": "127.0.0.1", "PORT": port, "TLS": "none", "FROM": "crawler@a.example", "TO": "you@b.example"}
    return Settings({f"NEWSCRAWL_ALERT_MAIL_{name}": value for name, value in (given | changes).items()})


def opened(store: Store, now: datetime = MONDAY) -> int:
    begun = store.run(alarms.begin, replace(ALARM, id=None)).result(timeout=PATIENCE)
    assert begun.id is not None
    return begun.id


def send(store: Store, at: datetime, port: int, **changes: object) -> Sender:
    """Sends what is due at a time, as a process with these settings does it."""
    sender = Sender.of(store, config_of(settings(port, **changes)), lambda: at)
    sender.send()
    return sender


@pytest.mark.parametrize("tls", ["starttls", "ssl"])
def test_the_connection_is_encrypted_and_the_password_comes_from_environment_or_file(
    tls: str, context: ssl.SSLContext, tmp_path: Path
) -> None:
    file = tmp_path / "password"
    file.write_text(f"{PASSWORD}\n", "utf-8")
    with mailbox(tls, context) as box:
        wanted = settings(box.port, TLS=tls, USER="me", PASSWORD_FILE=str(file))
        for environment in ({}, {mail.PASSWORD: PASSWORD}):
            receiver = AlarmMail.of(config_of(wanted), environment)
            assert receiver is not None
            assert PASSWORD not in repr(receiver)
            assert receiver.deliver(alarm_values(ALARM, "opened")) is None
        wrong = AlarmMail.of(config_of(wanted), {mail.PASSWORD: "wrong one"})
        assert wrong is not None
        problem = wrong.deliver(alarm_values(ALARM, "opened"))
    assert box.users == ["me", "me"]
    assert len(box.mails) == 2
    assert problem is not None
    assert problem.reason.startswith("answered 535")
    assert "u:p@" not in problem.reason


@pytest.mark.parametrize("tls", ["starttls", "ssl"])
def test_a_certificate_that_is_not_trusted_is_refused(
    tls: str, context: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    caplog.set_level(logging.CRITICAL, "mail.log")
    with mailbox(tls, context) as box:
        receiver = AlarmMail.of(config_of(settings(box.port, TLS=tls)))
        assert receiver is not None
        problem = receiver.deliver(alarm_values(ALARM, "opened"))
    assert problem is not None
    assert "CERTIFICATE_VERIFY_FAILED" in problem.reason
    assert box.mails == []


def test_what_a_server_repeats_of_the_password_is_masked(context: ssl.SSLContext) -> None:
    with mailbox("ssl", context) as box:
        receiver = AlarmMail("127.0.0.1", box.port, "ssl", "a@b.example", ("a@b.example",), "me", PASSWORD[:-1])
        problem = receiver.deliver(alarm_values(ALARM, "opened"))
    assert problem == Problem("answered 535 no ***t of https://***@h.example/")


class Recording:
    """A receiver that keeps what it accepts; `problem` is its answer."""

    def __init__(self, problem: Problem | None = None) -> None:
        self.problem = problem
        self.taken: list[tuple[int, str]] = []

    def __call__(self, values: Mapping[str, Any]) -> Problem | None:
        if self.problem is None:
            self.taken.append((values["id"], values["event"]))
        return self.problem


DOWN = Problem("down")


def tell(store: Store, webhook: Recording, mail: Recording, minute: int) -> None:
    """Sends what is due at a minute, as a new process does it."""
    Sender(store, {"webhook": webhook, "mail": mail}, {}, lambda: MONDAY + timedelta(minutes=minute)).send()


def reported(store: Store, number: int) -> tuple[bool, int, tuple[str, ...]]:
    """What a report says of an alarm that is open or was the last one."""
    with store.reading() as connection:
        (found,) = (one for one in alarm_history(connection, "harbour") if one.id == number)
    return found.open_notified, found.attempts, found.accepted_by


def test_a_receiver_that_fails_neither_delays_nor_repeats_what_the_other_gets(store: Store) -> None:
    first = opened(store)
    hook, post = Recording(), Recording(DOWN)
    assert reported(store, first) == (False, 0, ())
    for minute in (0, 2, 5):
        tell(store, hook, post, minute)
    assert hook.taken == [(first, "opened")]
    assert reported(store, first) == (False, 3, ("webhook",))
    post.problem = None
    store.run(alarms.end, first, MONDAY + timedelta(minutes=30)).result(timeout=PATIENCE)
    for minute in (30, 31):
        tell(store, hook, post, minute)
    assert hook.taken == post.taken == [(first, "opened"), (first, "closed")]
    assert reported(store, first) == (True, 0, ())


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a server that says a letter now and then and never ends its line."""
    with dripping_server(b"2", 0.05) as port:
        yield port


def test_a_server_that_never_ends_its_answer_has_a_deadline(silent: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "DEADLINE", 0.3)
    receiver = AlarmMail("127.0.0.1", silent, "none", "a@b.example", ("a@b.example",))
    assert receiver.deliver(alarm_values(ALARM, "opened")) == Problem("no mail was accepted within 0.3 seconds")


def test_a_message_cannot_add_headers_and_shows_no_secret() -> None:
    nasty = replace(ALARM, message="gone\r\nBcc: other@c.example \x1b[2J https://u:p@h.example/?token=x", id=1)
    made = mail.mail(alarm_values(nasty, "opened"), "a@b.example", ("b@b.example",))
    assert "\n" not in made["Subject"]
    assert made["Bcc"] is None
    assert b"token=x" not in made.as_bytes()
    assert "u:p" not in made["Subject"]


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"FROM": ""}, "FROM"),
        ({"TO": ""}, "TO"),
        ({"HOST": ""}, "HOST"),
        ({"TO": "you"}, "TO"),
        ({"FROM": "a b@c.example"}, "FROM"),
        ({"TLS": "perhaps"}, "TLS"),
        ({"HOST": "mail.example", "USER": "me"}, "TLS"),
        ({"USER": "me"}, "USER"),
        ({"USER": "me", "PASSWORD_FILE": "/nowhere/at-all"}, "PASSWORD_FILE"),
    ],
)
def test_settings_that_cannot_work_are_said_at_the_start(
    changes: dict[str, str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(mail.PASSWORD, raising=False)
    with pytest.raises(ConfigurationError, match=f"NEWSCRAWL_ALERT_MAIL_{name}"):
        check_settings(settings(25, **changes), {})


def test_the_password_may_not_stand_in_the_settings() -> None:
    with pytest.raises(ConfigurationError, match="there is no setting of this name"):
        check_settings(Settings({mail.PASSWORD: "x"}), {})
    check_settings(Settings(), {mail.PASSWORD: "x"})


@pytest.fixture
def dripping() -> Iterator[int]:
    """The port of a server that answers a byte at a time and never ends."""
    with dripping_server(b"X", 0.02, b"HTTP/1.1 200 OK\r\n") as port:
        yield port


def test_an_answer_that_does_not_end_has_a_deadline(dripping: int) -> None:
    problem = post(urlsplit(f"http://127.0.0.1:{dripping}/"), b"{}", Limits(5.0, 0.3, 100))
    assert problem == Problem("its answer was not complete after 0.3 seconds")


def config_with(address: str) -> Config:
    return config_of(Settings({SETTING: address}))


def test_a_host_may_have_other_letters() -> None:
    webhook = AlarmWebhook.of(config_with("https://straße.example/x"))
    assert webhook is not None
    assert webhook.address.hostname == "xn--strae-oqa.example"
    assert shown(FeedWebhook("https://ann:pw@straße.example/x").url) == "https://xn--strae-oqa.example"


@pytest.mark.parametrize("address", ["https://alerts.example/é", "https://xn--é.example/", "alerts.example"])
def test_an_address_that_cannot_be_asked_is_refused_with_a_reason(address: str) -> None:
    with pytest.raises(ConfigurationError, match="%C3%A9 for é after the host"):
        AlarmWebhook.of(config_with(address))
    with pytest.raises(UsageError, match="%C3%A9 for é after the host"):
        FeedWebhook(address)
