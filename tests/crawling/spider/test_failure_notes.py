"""Failures that occur together are stored together, each before its `add` returns."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime

import pytest

from newscrawl.crawling.spider.failure_notes import AT_ONCE, LOGGED_ALIKE, MAX_REASONS, FailureLog, FailureNotes
from newscrawl.model import Failure
from newscrawl.storage.frontier.pages import FailedRequest

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def failed(number: int) -> FailedRequest:
    return FailedRequest.of(f"https://harbour.example/{number}", "harbour", Failure("http/500", ""), 500, NOW)


def test_failures_that_come_while_others_are_stored_are_one_operation() -> None:
    async def run() -> None:
        batches: list[list[FailedRequest]] = []
        stored: list[FailedRequest] = []
        goes_on = asyncio.Event()

        async def write(batch: list[FailedRequest]) -> None:
            batches.append(batch)
            await goes_on.wait()
            stored.extend(batch)

        notes = FailureNotes(write)
        every = [failed(number) for number in range(2 * AT_ONCE + 2)]

        async def add(one: FailedRequest) -> None:
            await notes.add(one)
            assert one in stored

        adding = [asyncio.create_task(add(one)) for one in every]
        await asyncio.sleep(0)
        goes_on.set()
        await asyncio.gather(*adding)
        assert [one for batch in batches for one in batch] == every
        assert [len(batch) for batch in batches] == [1, AT_ONCE, AT_ONCE, 1]
        await add(failed(9_999))
        assert len(batches) == 5

    asyncio.run(run())


def test_what_could_not_be_stored_reaches_somebody_and_does_not_stop_the_next() -> None:
    async def run() -> None:
        refused = [True]

        async def write(_batch: list[FailedRequest]) -> None:
            if refused.pop():
                raise LookupError("the database refused")
            refused.append(False)

        notes = FailureNotes(write)
        with pytest.raises(LookupError):
            await notes.add(failed(1))
        refused.append(False)
        await notes.add(failed(2))

    asyncio.run(run())


def test_reasons_that_many_pages_share_are_logged_at_debug(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    log = FailureLog(logging.getLogger("harbour"))
    closed, slow = Failure("robots/unreachable", "connection refused"), Failure("fetch/timeout", "30 s")
    for number in range(3 * LOGGED_ALIKE):
        log.add(f"https://harbour.example/{number}", closed)
    log.add("https://harbour.example/slow", slow)
    shown = [record.getMessage() for record in caplog.records if record.levelno >= logging.INFO]
    assert len(shown) == LOGGED_ALIKE + 2
    assert "at DEBUG: connection refused" in shown[LOGGED_ALIKE]
    assert "/slow" in shown[-1]
    assert len(caplog.records) == 3 * LOGGED_ALIKE + 2


def test_reasons_that_name_the_address_do_not_pile_up(caplog: pytest.LogCaptureFixture) -> None:
    log = FailureLog(logging.getLogger("harbour"))
    caplog.set_level(logging.INFO)
    for number in range(2 * MAX_REASONS):
        log.add("https://harbour.example/", Failure("fetch/redirect", f"leads to {number}"))
    assert len(log._seen) == MAX_REASONS
    assert len(caplog.records) == 2 * MAX_REASONS
