"""Evaluates standing searches and sends their events beside the crawls, in one process of the fleet."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Final

from newscrawl.config.catalogue import Config
from newscrawl.crawling.monitoring.mail import AlarmMail
from newscrawl.crawling.runtime.repeating import GoesOn, working
from newscrawl.logs.lines import SaidOnce
from newscrawl.standing_searches.delivering import Delivered, deliver_due
from newscrawl.standing_searches.destinations import SearchSender
from newscrawl.standing_searches.evaluating import Evaluator
from newscrawl.standing_searches.senders import senders
from newscrawl.storage.reader import Database

logger = logging.getLogger(__name__)

EVERY: Final = 5.0
"""Seconds between two looks for changes."""


def senders_of(config: Config) -> Mapping[str, SearchSender]:
    """Returns what sends events, with the mail server of the settings. Raises ConfigurationError."""
    mail = AlarmMail.of(config)
    return senders(mail.send, mail.sender) if mail is not None else senders(None)


@asynccontextmanager
async def searching(
    store: Database,
    config: Config,
    is_ours: Callable[[], Awaitable[bool]],
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    every: float = EVERY,
    *,
    finish: bool = False,
) -> AsyncIterator[None]:
    """Evaluates all changes and sends what is due, every few seconds in a thread, until the block is left, and with
    `finish` once more then. While `is_ours` is false, another process does it."""
    sending, evaluator = senders_of(config), Evaluator(store, now)

    def evaluate_and_send(goes_on: GoesOn) -> Delivered:
        # First what a killed process may have sent: the same events, before new ones are added, have the same key.
        before = deliver_due(store, sending, now, goes_on)
        while goes_on() and evaluator.step():
            pass
        return before + deliver_due(store, sending, now, goes_on)

    async def work(goes_on: GoesOn) -> None:
        done = await asyncio.to_thread(evaluate_and_send, goes_on) if await is_ours() else Delivered()
        if done.failures:
            logger.warning(
                "standing searches: %d deliveries failed and are tried again; `newscrawl search --saved` says why",
                done.failures,
            )

    said = SaidOnce(logger, "standing searches: %s", "standing searches are evaluated and sent again")
    async with working(every, work, said, finish=finish):
        yield
