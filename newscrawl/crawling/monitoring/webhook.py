"""Sends alarms to the operator's webhook: POST of one JSON object.

The address is the operator's own (NEWSCRAWL_ALERT_WEBHOOK) and usually an internal one. So it does not pass the address
guard, which keeps pages from leading a crawl to internal addresses. No page can influence the address, and redirects
are not followed. Of the answer, only the status is used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self
from urllib.parse import SplitResult

from newscrawl.config.catalogue import Config
from newscrawl.errors import ConfigurationError
from newscrawl.feed.exchange import ExchangeError, connection_to, credentials, exchange, web_address
from newscrawl.terminal import one_line

SETTING: Final = "NEWSCRAWL_ALERT_WEBHOOK"
TIMEOUT: Final = 5.0
"""Seconds for connecting and for each read."""
DEADLINE: Final = 15.0
"""Seconds for a whole answer."""
MAX_ANSWER: Final = 65_536
"""Bytes of an answer that are read. They are ignored."""


@dataclass(frozen=True, slots=True)
class AlarmWebhook:
    """Posts alarms to an address."""

    address: SplitResult

    @classmethod
    def of(cls, config: Config) -> Self | None:
        """Returns the webhook of the settings, None if they name none. Raises ConfigurationError for anything but an
        http(s) address."""
        given = config.monitoring.alert_webhook
        return cls(webhook_address(given)) if given else None

    @property
    def name(self) -> str:
        """The receiver's name in the log and in metrics."""
        return "webhook"

    def deliver(self, values: Mapping[str, Any]) -> str | None:
        """Posts the values. Returns None if they were accepted, else why not. Blocks for at most TIMEOUT, DEADLINE."""
        return post(self.address, values)

    def greet(self) -> str | None:
        """Opens a connection, with TLS for https, and sends nothing. Returns None, or why there is none."""
        connection = connection_to(self.address, TIMEOUT)
        try:
            connection.connect()
        except (OSError, UnicodeError) as error:
            return f"no connection: {one_line(str(error) or type(error).__name__)}"
        finally:
            connection.close()
        return None


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
