"""Where the events of a standing search can be sent: types of places, and the Protocol of what sends to one."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Final, Protocol

from newscrawl.errors import UsageError
from newscrawl.feed import webhook
from newscrawl.feed.exchange import web_address
from newscrawl.standing_searches.feeds import Feed, FeedEntry
from newscrawl.storage.feed.standing_searches import StandingSearch, StoredEvent

DESTINATION_TYPES: Final = ("atom", "jsonfeed", "webhook", "mail")
FEED_TYPES: Final = ("atom", "jsonfeed")
_MAIL: Final = re.compile(r'[^\s@,;:<>()\[\]"\\]+@[^\s@,;:<>()\[\]"\\]+')
"""One address without a name. A list of them, or a quoted one, would need a header of its own form."""


@dataclass(frozen=True, slots=True)
class Notification:
    """One message: the events of a search, and the articles of those that are still shown, by article id.
    `feed` has the newest stories of the search, for destinations that are feeds."""

    search: StandingSearch
    events: Sequence[StoredEvent]
    articles: Mapping[int, FeedEntry]
    feed: Feed


@dataclass(frozen=True, slots=True)
class DeliveryProblem:
    """Why a notification was not accepted: the reason in one line without secrets, and the seconds for which the
    receiver asked to be left alone (Retry-After), 0 if it did not ask."""

    reason: str
    retry_after: float = 0.0


class SearchSender(Protocol):
    """Sends to the places of one kind."""

    def __call__(self, place: str, notification: Notification) -> DeliveryProblem | None:
        """Sends a notification to a place without the name of its kind. Returns None if it was accepted. Blocks for a
        limited time."""


MailSender = Callable[[EmailMessage, Sequence[str]], str | None]
"""Sends a message to addresses. Returns None if a server accepted it, else why not."""


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
    if scheme == "mail" and not _is_mail(target):
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


def receiver_of(place: str) -> str:
    """Returns what several places have in common that are served by one program: of a webhook scheme, host and port, of
    a mail its kind, because one server takes all mails."""
    return "mail" if place.startswith("mail:") else shown_place(place)


def shown_place(place: str) -> str:
    """Returns a place without secrets: of a webhook scheme, host and port."""
    scheme, _, target = place.partition(":")
    return f"webhook:{webhook.shown(target)}" if scheme == "webhook" else place


def _is_mail(address: str) -> bool:
    return address.isprintable() and _MAIL.fullmatch(address) is not None
