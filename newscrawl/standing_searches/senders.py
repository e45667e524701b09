"""Sends notifications of standing searches: as a file, a webhook's request or a mail."""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from newscrawl.feed.document import plain
from newscrawl.feed.exchange import ExchangeError, connection_to, credentials, exchange
from newscrawl.identity.urls import with_ascii_host
from newscrawl.scheduling.host import read_retry_after
from newscrawl.standing_searches.destinations import DeliveryProblem, MailSender, Notification, SearchSender
from newscrawl.standing_searches.feeds import Feed, FeedEntry, atom, json_feed
from newscrawl.terminal import one_line

TIMEOUT: Final = 10.0
"""Seconds for connecting and for each read of a webhook."""
DEADLINE: Final = 30.0
"""Seconds for one whole answer of a webhook."""
MAX_ANSWER: Final = 100_000
"""Bytes of an answer that are read."""
MAX_SUBJECT: Final = 200
VERSION: Final = 1
"""The version of the webhook's format. It increases when a field is removed or changes its meaning."""

NO_MAIL: Final = "no mail server is set: set NEWSCRAWL_ALERT_MAIL_HOST, _FROM and _TO"


def senders(mail: MailSender | None, sender: str = "") -> Mapping[str, SearchSender]:
    """Returns what sends to each kind of place. `mail` sends a message; `sender` is the address in From."""
    return {
        "atom": partial(_write, atom),
        "jsonfeed": partial(_write, json_feed),
        "webhook": _post,
        "mail": partial(_mail, mail, sender),
    }


def _write(make: Callable[[Feed], bytes], place: str, notification: Notification) -> DeliveryProblem | None:
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
        return DeliveryProblem(f"cannot write {place}: {error.strerror or error}")
    return None


def _post(place: str, notification: Notification) -> DeliveryProblem | None:
    """Posts the events as JSON. A repeated request has the same Idempotency-Key and the same ids."""
    parts = urlsplit(with_ascii_host(place))
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    body = json.dumps(as_values(notification), ensure_ascii=False, default=plain).encode("utf-8", "replace")
    first, last = notification.events[0].id, notification.events[-1].id
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "newscrawl",
        "Connection": "close",
        "Idempotency-Key": f"{notification.search.feed_id}-{first}-{last}",
    } | credentials(parts)
    connection = connection_to(parts, TIMEOUT)
    try:
        answer = exchange(connection, "POST", path, body, headers, max_bytes=MAX_ANSWER, deadline=DEADLINE)
    except ExchangeError as error:
        return DeliveryProblem(str(error))
    finally:
        connection.close()
    if 200 <= answer.status < 300:
        return None
    retry_after = read_retry_after(answer.retry_after, datetime.now(UTC)) or 0.0
    return DeliveryProblem(f"it answered {answer.status}", retry_after)


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
                "reason": event.reason,
                "at": event.at,
                "story_id": event.story_id,
                "article_id": event.article_id,
                "article": _article(notification.articles.get(event.article_id)),
            }
            for event in notification.events
        ],
    }


def _article(entry: FeedEntry | None) -> dict[str, Any] | None:
    if entry is None:
        return None
    names = ("url", "title", "summary", "authors", "language", "published")
    return {name: getattr(entry, name) for name in names}


def _mail(send: MailSender | None, sender: str, place: str, notification: Notification) -> DeliveryProblem | None:
    problem = NO_MAIL if send is None else send(message(notification, sender, place), [place])
    return DeliveryProblem(problem) if problem is not None else None


def message(notification: Notification, sender: str, to: str) -> EmailMessage:
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
        entry = notification.articles.get(event.article_id)
        reason = f" ({event.reason})" if event.reason and event.event != "hit" else ""
        title = one_line(entry.title) if entry is not None else f"article {event.article_id}"
        lines.append(f"{_WORDS[event.event]}{reason}: {title}")
        if entry is not None:
            lines += [f"  {one_line(entry.url)}", f"  {one_line(entry.summary)}"]
        lines.append("")
    made.set_content("\n".join(lines))
    return made


_WORDS: Final = {"hit": "new", "corrected": "corrected", "withdrawn": "withdrawn"}
