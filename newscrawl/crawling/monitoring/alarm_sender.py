"""Sends alarms to the operator's receivers: each opening and each closing once, without blocking crawls.

An event is repeated, with growing pauses, until every receiver has accepted it. The database knows which receivers
have it. Only a process that ends between an acceptance and its transaction sends an event again; `id` and `event`
identify a repetition.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, Protocol, Self

from newscrawl.config.catalogue import Config
from newscrawl.crawling.monitoring.mail import AlarmMail
from newscrawl.crawling.monitoring.webhook import AlarmWebhook
from newscrawl.errors import StorageError
from newscrawl.identity.masking import masked
from newscrawl.logs.lines import SaidOnce
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.alarms import FLEET, Alarm
from newscrawl.storage.reader import Transactions

logger = logging.getLogger(__name__)

AT_ONCE: Final = 20
"""The most alarms that are sent in one run."""
Event = Literal["opened", "closed"]


@dataclass(slots=True)
class Deliveries:
    """How many events were accepted, and how many attempts failed, by receiver, since the process started."""

    accepted: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)


class AlarmReceiver(Protocol):
    """The receivers of alarms: a webhook, a mail server."""

    @property
    def name(self) -> str:
        """The receiver's name in the log and in metrics."""

    def deliver(self, values: Mapping[str, Any]) -> str | None:
        """Delivers an event of an alarm (see `message`). Returns None if it was accepted, else why not, without
        secrets. Blocks, for a limited time; called in a thread."""


@dataclass(frozen=True, slots=True)
class AlarmSender:
    """Sends alarms to receivers; with none, alarms do not wait for one."""

    receivers: Sequence[AlarmReceiver] = ()
    deliveries: Deliveries = field(default_factory=Deliveries)
    database: SaidOnce = field(
        default_factory=lambda: SaidOnce(logger, "alarms wait for the database: %s", "alarms are sent again")
    )

    @classmethod
    def of(cls, config: Config) -> Self:
        """Returns the sender of the settings. Raises ConfigurationError for settings that cannot be used."""
        receivers: list[AlarmReceiver | None] = [AlarmWebhook.of(config), AlarmMail.of(config)]
        return cls([receiver for receiver in receivers if receiver is not None])

    async def send(self, store: Transactions, now: Callable[[], datetime]) -> None:
        """Sends the alarms that are due. Those that are not accepted are sent again later, without an error."""
        try:
            if not self.receivers:
                await asyncio.wrap_future(store.run(alarms.forget_notifications))
                return
            failing: set[str] = set()
            for alarm in await asyncio.wrap_future(store.run(alarms.to_notify, now(), AT_ONCE)):
                if len(failing) == len(self.receivers):
                    return  # the other alarms would fail, too
                await self._send_one(store, alarm, now, failing)
        except StorageError as error:
            self.database.failed(error)
        else:
            self.database.worked()

    async def _send_one(
        self, store: Transactions, alarm: Alarm, now: Callable[[], datetime], failing: set[str]
    ) -> None:
        """Sends one alarm to the receivers that lack it; those that are `failing` get it in a later run."""
        event: Event = "closed" if alarm.open_notified else "opened"
        problems: dict[str, str] = {}
        names = {receiver.name for receiver in self.receivers}
        accepted = set(alarm.accepted_by)
        for receiver in self.receivers:
            if receiver.name in failing | accepted:
                continue
            problem = await asyncio.to_thread(receiver.deliver, message(alarm, event))
            if problem is None:
                self.deliveries.accepted[receiver.name] += 1
                accepted.add(receiver.name)
                if not names <= accepted:
                    await asyncio.wrap_future(store.run(alarms.accepted, alarm.id, event, receiver.name))
            else:
                self.deliveries.failed[receiver.name] += 1
                problems[receiver.name] = problem
        if names <= accepted:
            await asyncio.wrap_future(store.run(alarms.notified, alarm.id, event, now()))
        again = not problems or await asyncio.wrap_future(store.run(alarms.not_notified, alarm.id, now()))
        for name, problem in problems.items():
            failing.add(name)
            logger.warning("the alert %s did not accept an alarm: %s%s", name, problem, "" if again else "; given up")


def message(alarm: Alarm, event: Event) -> Mapping[str, Any]:
    """Returns what is sent. `id` and `event` together identify a message, so a receiver can recognise a repetition."""
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
        "closed_at": alarm.closed_at.isoformat() if alarm.closed_at and event == "closed" else None,
        "details": dict(alarm.details),
        "text": f"newscrawl: {'over: ' if event == 'closed' else ''}{alarm.place}: {text}",
    }
