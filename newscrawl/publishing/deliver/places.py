"""The places to which notices are sent, and what they get: files of feeds, webhooks and mails.

Addresses of webhooks are the operator's own, or of who may save a search, and usually internal ones. So they do not
pass the address guard, which keeps pages from leading a crawl to internal addresses: no page can influence them, and
redirects are not followed. Of an answer only the status and Retry-After are used.
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr
from functools import partial
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import SplitResult, urlsplit

from newscrawl.config.catalogue import Config
from newscrawl.config.logs.terminal import one_line
from newscrawl.errors import ConfigurationError, UsageError
from newscrawl.model.identity.masking import masked
from newscrawl.model.identity.urls import with_ascii_host
from newscrawl.model.jsonable import to_text
from newscrawl.publishing.deliver.feeds import Feed, FeedEntry, atom, json_feed
from newscrawl.publishing.deliver.http import Limits, Problem, connection_to, post, shown, web_address
from newscrawl.storage.deliveries import Notice
from newscrawl.storage.feed.standing_searches import StandingSearch
from newscrawl.storage.monitoring.alarms import CLOSED, FLEET, Alarm

SETTING: Final = "NEWSCRAWL_ALERT_WEBHOOK"
ALARM_LIMITS: Final = Limits(timeout=5.0, deadline=15.0, max_bytes=65_536)
SEARCH_LIMITS: Final = Limits(timeout=10.0, deadline=30.0, max_bytes=100_000)
DESTINATION_TYPES: Final = ("atom", "jsonfeed", "webhook", "mail")
FEED_TYPES: Final = ("atom", "jsonfeed")
MAX_SUBJECT: Final = 200
VERSION: Final = 1
"""The version of the format of a search's webhook. It increases when a field is removed or changes its meaning."""
NO_MAIL: Final = "no mail server is set: set NEWSCRAWL_ALERT_MAIL_HOST, _FROM and _TO"
_MAIL: Final = re.compile(r'[^\s@,;:<>()\[\]"\\]+@[^\s@,;:<>()\[\]"\\]+')
"""One address without a name. A list of them, or a quoted one, would need a header of its own form."""
_WORDS: Final = {"hit": "new", "corrected": "corrected", "withdrawn": "withdrawn"}


@dataclass(frozen=True, slots=True)
class Notification:
    """One message of a search: its notices, and the articles of those that are still shown, by article id. `feed` has
    the newest stories of the search, for destinations that are feeds."""

    search: StandingSearch
    events: Sequence[Notice]
    articles: Mapping[int, FeedEntry]
    feed: Feed


MailSender = Callable[[EmailMessage, Sequence[str]], Problem | None]
"""Sends a message to addresses. Returns None if a server accepted it, else why not."""
SearchSender = Callable[[str, Notification], Problem | None]
"""Sends a notification to a place without the name of its kind; blocks for a limited time."""
AlarmReceiver = Callable[[Mapping[str, Any]], Problem | None]
"""Sends the values of an alarm's event (`alarm_values`); blocks for a limited time."""


def alarm_values(alarm: Alarm, event: str) -> Mapping[str, Any]:
    """Returns what receivers of alarms get. `id` and `event` together identify a message, so a receiver can recognise a
    repetition."""
    text = masked(alarm.message)
    return {
        "id": alarm.id,
        "event": event,
        "site": None if alarm.site == FLEET else alarm.site,
        "kind": alarm.kind,
        "severity": alarm.severity,
        "message": text,
        "since": alarm.since.isoformat(),
        "opened_at": alarm.opened_at.isoformat(),
        "closed_at": alarm.closed_at.isoformat() if alarm.closed_at and event == CLOSED else None,
        "details": dict(alarm.details),
        "text": f"newscrawl: {'over: ' if event == CLOSED else ''}{alarm.place}: {text}",
    }


@dataclass(frozen=True, slots=True)
class AlarmWebhook:
    """Posts alarms to an address."""

    address: SplitResult

    @classmethod
    def of(cls, config: Config) -> Self | None:
        """Returns the webhook of the settings, None if they name none. Raises ConfigurationError for anything but an
        http(s) address; its message contains no secret part of the address."""
        given = config.monitoring.alert_webhook
        if not given:
            return None
        parts = web_address(given)
        if parts is None:
            raise ConfigurationError(
                SETTING,
                "is no usable http(s) address: write it like https://alerts.example.org/newscrawl, with %C3%A9 "
                "for é after the host",
            )
        return cls(parts)

    def deliver(self, values: Mapping[str, Any]) -> Problem | None:
        """Posts the values. Returns None if they were accepted, else why not."""
        return post(self.address, json.dumps(values).encode(), ALARM_LIMITS)

    def greet(self) -> Problem | None:
        """Opens a connection, with TLS for https, and sends nothing. Returns None, or why there is none."""
        connection = connection_to(self.address, ALARM_LIMITS.timeout)
        try:
            connection.connect()
        except (OSError, UnicodeError) as error:
            return Problem(f"no connection: {one_line(str(error) or type(error).__name__)}")
        finally:
            connection.close()
        return None


def senders(mail: MailSender | None, sender: str = "") -> Mapping[str, SearchSender]:
    """Returns the function that sends to a place of a search, by the kind of the place. `mail` sends a message;
    `sender` is the address in From."""
    return {
        "atom": partial(_write, atom),
        "jsonfeed": partial(_write, json_feed),
        "webhook": _post,
        "mail": partial(_mail, mail, sender),
    }


def _write(make: Callable[[Feed], bytes], place: str, notification: Notification) -> Problem | None:
    """Writes the feed to a file in one step, so that no reader sees half of it."""
    target = Path(place)
    try:
        number, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(number, "wb") as file:
                os.fchmod(file.fileno(), 0o644)
                file.write(make(notification.feed))
            Path(name).replace(target)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        return Problem(f"cannot write {place}: {error.strerror or error}")
    return None


def _post(place: str, notification: Notification) -> Problem | None:
    """Posts the events as JSON. A repeated request has the same Idempotency-Key and the same ids."""
    first, last = notification.events[0].id, notification.events[-1].id
    body = to_text(as_values(notification)).encode("utf-8", "replace")
    key = {"Idempotency-Key": f"{notification.search.feed_id}-{first}-{last}"}
    return post(urlsplit(with_ascii_host(place)), body, SEARCH_LIMITS, key, "it answered")


def as_values(notification: Notification) -> dict[str, Any]:
    """Returns what a webhook gets (docs/how-to/standing-searches.md)."""
    return {
        "version": VERSION,
        "search": notification.search.name,
        "query": notification.search.query,
        "events": [
            {
                "id": event.id,
                "event": event.event,
                "reason": event.details["reason"],
                "at": event.at,
                "story_id": event.details["story_id"],
                "article_id": event.details["article_id"],
                "article": _article(notification.articles.get(event.details["article_id"])),
            }
            for event in notification.events
        ],
    }


def _article(entry: FeedEntry | None) -> dict[str, Any] | None:
    if entry is None:
        return None
    names = ("url", "title", "summary", "authors", "language", "published")
    return {name: getattr(entry, name) for name in names}


def _mail(send: MailSender | None, sender: str, place: str, notification: Notification) -> Problem | None:
    return Problem(NO_MAIL) if send is None else send(search_mail(notification, sender, place), [place])


def search_mail(notification: Notification, sender: str, to: str) -> EmailMessage:
    """Returns the mail of a notification: a line for each event, with title and address. A repeated mail has the same
    Message-ID."""
    counts = Counter(event.event for event in notification.events)
    words = ", ".join(f"{number} {_WORDS[kind]}" for kind, number in sorted(counts.items(), key=lambda pair: pair[0]))
    domain = parseaddr(sender)[1].rpartition("@")[2] or "newscrawl.invalid"
    made = EmailMessage(policy=SMTP.clone(max_line_length=200))
    made["From"], made["To"] = sender, to
    made["Subject"] = one_line(f"{notification.search.name}: {words}")[:MAX_SUBJECT]
    made["Date"] = notification.events[-1].at
    made["Message-ID"] = f"<newscrawl.search.{notification.search.feed_id}.{notification.events[-1].id}@{domain}>"
    made["Auto-Submitted"] = "auto-generated"
    lines = [f"Search: {one_line(notification.search.query)}", ""]
    for event in notification.events:
        number, told = event.details["article_id"], event.details["reason"]
        entry = notification.articles.get(number)
        reason = f" ({told})" if told and event.event != "hit" else ""
        title = one_line(entry.title) if entry is not None else f"article {number}"
        lines.append(f"{_WORDS[event.event]}{reason}: {title}")
        if entry is not None:
            lines += [f"  {one_line(entry.url)}", f"  {one_line(entry.summary)}"]
        lines.append("")
    made.set_content("\n".join(lines))
    return made


def check_place(place: str) -> str:
    """Returns the place of a destination, such as webhook:https://example.org/hook. Raises UsageError for one that
    cannot be used, so that nobody waits for what would never be delivered; the message has no secret of an address.

    A private or local address is allowed: whoever may save a search chooses where their receiver runs.
    """
    scheme, _, target = place.partition(":")
    if scheme not in DESTINATION_TYPES or not target:
        raise UsageError(f"--to {scheme[:20]!r}: give atom:FILE, jsonfeed:FILE, webhook:URL or mail:ADDRESS")
    if scheme in FEED_TYPES:
        _check_file(place, Path(target))
    if scheme == "webhook":
        _check_address(target)
    if scheme == "mail" and not (target.isprintable() and _MAIL.fullmatch(target)):
        raise UsageError(f"--to {place!r}: is no mail address: write it like mail:desk@example.org")
    return place


def _check_file(place: str, file: Path) -> None:
    if not file.is_absolute():
        raise UsageError(f"--to {place!r}: give the whole path of the file, because any process may write it")
    if file.is_dir():
        raise UsageError(f"--to {place!r}: it is a folder; name a file in it")
    if not os.access(file.parent, os.W_OK | os.X_OK) or not file.parent.is_dir():
        raise UsageError(f"--to {place!r}: {file.parent} is no folder that can be written to; create it, or allow it")


def _check_address(target: str) -> None:
    """Raises UsageError for an address that no receiver can have, or that is the cloud provider's and no receiver's
    (169.254.0.0/16 gives a machine its credentials)."""
    parts = web_address(target)
    if parts is None:
        raise UsageError(
            "--to webhook: is no usable http(s) address (scheme http or https, a host, a port from 1 to 65535): write "
            "it like webhook:https://HOST/PATH"
        )
    with suppress(ValueError):  # a name, whose address may change until the first event
        address = ipaddress.ip_address((parts.hostname or "").partition("%")[0])
        address = getattr(address, "ipv4_mapped", None) or address
        if address.is_unspecified or address.is_multicast or address.is_link_local or address.is_reserved:
            raise UsageError(f"--to webhook: no receiver can be at {address}: write it like webhook:https://HOST/PATH")


def is_missing(place: str) -> bool:
    """Returns whether a place is the file of a feed that does not exist."""
    kind, _, file = place.partition(":")
    try:
        return kind in FEED_TYPES and not Path(file).exists()
    except OSError:  # a folder that may not be read: the attempt to write says so
        return True


def receiver_of(place: str) -> str:
    """Returns the name of the receiver behind a place, which is the same for all places that one program serves: of a
    webhook scheme, host and port; of every mail "mail", because one server takes all mails."""
    return "mail" if place.partition(":")[0] == "mail" else shown_place(place)


def shown_place(place: str) -> str:
    """Returns a place without secrets: of a webhook scheme, host and port."""
    scheme, _, target = place.partition(":")
    return f"webhook:{shown(target)}" if scheme == "webhook" and target else place
