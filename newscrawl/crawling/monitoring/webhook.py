"""Sends alarms to the operator's webhook: POST of one JSON object, repeated until accepted, without blocking crawls.

The address is the operator's own (NEWSCRAWL_ALERT_WEBHOOK) and usually an internal one. So it does not pass the address
guard, which keeps pages from leading a crawl to internal addresses. No page can influence the address, and redirects
are not followed. Only the status of the answer counts.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, Self
from urllib.parse import SplitResult

from newscrawl.config.catalogue import Config
from newscrawl.errors import ConfigurationError, StorageError
from newscrawl.feed.exchange import ExchangeError, connection_to, credentials, exchange, web_address
from newscrawl.storage import Transactions
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.alarms import FLEET, Alarm

logger = logging.getLogger(__name__)

SETTING: Final = "NEWSCRAWL_ALERT_WEBHOOK"
TIMEOUT: Final = 5.0
"""Seconds for connecting and for each read."""
DEADLINE: Final = 15.0
"""Seconds for a whole answer."""
MAX_ANSWER: Final = 65_536
"""Bytes of an answer that are read. They are ignored."""
AT_ONCE: Final = 20
"""The most alarms that are sent in one run."""
Event = Literal["opened", "closed"]


@dataclass(frozen=True, slots=True)
class AlarmWebhook:
    """Sends alarms to an address; None for no webhook."""

    address: SplitResult | None = None

    @classmethod
    def of(cls, config: Config) -> Self:
        """Returns the webhook of the settings. Raises ConfigurationError for anything but an http(s) address."""
        given = config.monitoring.alert_webhook
        return cls(webhook_address(given)) if given else cls()

    async def send(self, store: Transactions, now: Callable[[], datetime]) -> None:
        """Sends the alarms that are due. Those that the webhook does not accept are sent again later, without an
        error."""
        try:
            if self.address is None:
                await asyncio.wrap_future(store.run(alarms.forget_notifications))
                return
            due = await asyncio.wrap_future(store.run(alarms.to_notify, now(), AT_ONCE))
            for alarm in due:
                if not await self._tell(store, alarm, now):
                    return  # the others would fail, too
        except StorageError as error:
            logger.error("alarms wait for the database: %s", error)  # noqa: TRY400  its one line says all

    async def _tell(self, store: Transactions, alarm: Alarm, now: Callable[[], datetime]) -> bool:
        if self.address is None or alarm.id is None:
            return False
        event: Event = "closed" if alarm.open_notified else "opened"
        problem = await asyncio.to_thread(post, self.address, message(alarm, event))
        if problem is None:
            await asyncio.wrap_future(store.run(alarms.notified, alarm.id, event, now()))
            return True
        again = await asyncio.wrap_future(store.run(alarms.not_notified, alarm.id, now()))
        logger.warning("the alert webhook did not accept an alarm: %s%s", problem, "" if again else "; given up")
        return False


def webhook_address(text: str) -> SplitResult:
    """Returns the checked address. Raises ConfigurationError; its message contains no secret part of the address."""
    parts = web_address(text)
    if parts is None:
        raise ConfigurationError(
            SETTING,
            "is no usable http(s) address: write it like https://alerts.example.org/newscrawl, with %C3%A9 "
            "for é after the host",
        )
    return parts


def message(alarm: Alarm, event: Event) -> Mapping[str, Any]:
    """Returns what is posted. `id` and `event` together identify a message, so a receiver can recognise a
    repetition."""
    return {
        "id": alarm.id,
        "event": event,
        "site": None if alarm.site == FLEET else alarm.site,
        "kind": alarm.kind,
        "severity": alarm.severity,
        "message": alarm.message,
        "since": alarm.since.isoformat(),
        "opened_at": alarm.opened_at.isoformat(),
        "closed_at": alarm.closed_at.isoformat() if alarm.closed_at and event == "closed" else None,
        "details": dict(alarm.details),
        "text": f"newscrawl: {'over: ' if event == 'closed' else ''}"
        f"{'all sites' if alarm.site == FLEET else alarm.site}: {alarm.message}",
    }


def post(address: SplitResult, values: Mapping[str, Any]) -> str | None:
    """Posts the values. Returns None if they were accepted (2xx), else why not. Blocks for at most TIMEOUT,
    DEADLINE."""
    connection = connection_to(address, TIMEOUT)
    path = (address.path or "/") + (f"?{address.query}" if address.query else "")
    body = json.dumps(values).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "newscrawl", "Connection": "close"}
    headers |= credentials(address)
    try:
        answer = exchange(connection, "POST", path, body, headers, max_bytes=MAX_ANSWER, deadline=DEADLINE)
    except ExchangeError as error:
        return str(error)
    finally:
        connection.close()
    return None if 200 <= answer.status < 300 else f"answered {answer.status}"
