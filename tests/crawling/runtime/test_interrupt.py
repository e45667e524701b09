"""Ctrl-C: a line is printed at once, the crawl is marked, and Scrapy's own handler does the rest."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from patience import PATIENCE

from newscrawl.crawling.runtime.interrupt import STOPPING, Interrupt, exit_code
from newscrawl.crawling.runtime.summary import INTERRUPTED


class Stats(dict[str, int]):
    """Of Scrapy's stats collector what is asked here."""

    set_value = dict.__setitem__
    get_value = dict.get


@pytest.fixture
def theirs() -> Iterator[list[int]]:
    """What the handler that was there before ours has received."""
    received: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: received.append(number))
    yield received
    signal.signal(signal.SIGINT, before)


def test_the_first_ctrl_c_is_answered_marked_and_handed_on(
    theirs: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    crawler: Any = SimpleNamespace(stats=Stats())
    interrupt = Interrupt(crawler)
    interrupt.watch()
    os.kill(os.getpid(), signal.SIGINT)
    interrupt.unwatch()
    assert theirs == [signal.SIGINT]
    assert crawler.stats == {INTERRUPTED: 2}
    assert exit_code(crawler) == 130
    assert STOPPING in capsys.readouterr().err


@pytest.mark.parametrize(("reason", "code"), [("finished", 0), ("shutdown", 143), (None, 143)])
def test_a_crawl_that_was_stopped_before_its_parts_were_made_has_not_ended_well(reason: str | None, code: int) -> None:
    stats = Stats() if reason is None else Stats(finish_reason=reason)  # type: ignore[arg-type]
    crawler: Any = SimpleNamespace(stats=stats)
    assert exit_code(crawler) == code


def test_a_crawl_is_marked_from_the_time_its_parts_are_made(theirs: list[int]) -> None:
    """The database opens between that and the signal spider_opened, which takes seconds on a busy machine."""
    crawler: Any = SimpleNamespace(stats=Stats(), signals=SimpleNamespace(connect=lambda *_, **__: None))

    async def made() -> Interrupt:
        return Interrupt.from_crawler(crawler)

    interrupt = asyncio.run(made())
    os.kill(os.getpid(), signal.SIGINT)
    assert exit_code(crawler) == 130
    interrupt.watch()  # at spider_opened
    os.kill(os.getpid(), signal.SIGINT)
    interrupt.unwatch()
    assert theirs == [signal.SIGINT] * 2


def test_after_the_crawl_their_handler_is_back(theirs: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    crawler: Any = SimpleNamespace(stats=Stats())
    interrupt = Interrupt(crawler)
    interrupt.watch()
    interrupt.unwatch()
    os.kill(os.getpid(), signal.SIGINT)
    assert theirs == [signal.SIGINT]
    assert crawler.stats == {}
    assert capsys.readouterr().err == ""


def test_a_crawl_whose_output_nobody_reads_any_more_ends_at_sigterm(tmp_path: Path) -> None:
    """As in `scrapy crawl ... 2>&1 | head`: the answer to the signal and the last table find a broken pipe."""
    readable, writable = os.pipe()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        command = [sys.executable, "-m", "scrapy", "crawl", "generic", "-a", f"url=http://127.0.0.1:{port}/"]
        environment = {
            **os.environ,
            "NEWSCRAWL_DATABASE_URL": f"sqlite:///{tmp_path}/news.db",
            "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8",
            "NEWSCRAWL_ALLOWED_PORTS": str(port),
        }
        root = Path(__file__).parents[3]
        with subprocess.Popen(command, cwd=root, env=environment, stdout=writable, stderr=writable) as crawl:
            os.close(writable)
            connection, _ = silent.accept()  # it asks, and is never answered
            os.close(readable)
            crawl.terminate()
            time.sleep(1)
            silent.close()  # if the signal has not arrived yet, nobody takes another request
            connection.close()
            assert crawl.wait(PATIENCE) == 128 + signal.SIGTERM
