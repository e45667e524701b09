"""The event loop's end of a pipe: whole messages, in order, however little the pipe takes at once."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from multiprocessing.connection import Connection

from patience import PATIENCE

from newscrawl.workers.pipe_transport import PipeTransport


def echo(pipe: Connection, times: int) -> None:
    """Sends back what comes, reversed, and then closes the pipe."""
    for _ in range(times):
        pipe.send_bytes(pipe.recv_bytes()[::-1])
    pipe.close()


def test_messages_larger_than_the_pipe_arrive_whole_and_in_order_until_the_other_end_closes() -> None:
    messages = [b"ab" * 3_000_000, b"", b"cd", b"ef" * 400_000]
    ours, theirs = multiprocessing.Pipe()
    other = threading.Thread(target=echo, args=(theirs, len(messages)))
    other.start()
    answers: list[bytes] = []

    async def run() -> None:
        lost = asyncio.Event()
        link = PipeTransport(ours, answers.append, lost.set)
        for message in messages:
            link.send(message)
        await asyncio.wait_for(lost.wait(), PATIENCE)
        link.close()

    asyncio.run(run())
    other.join()
    assert answers == [message[::-1] for message in messages]


def test_what_is_sent_to_nobody_is_no_error_but_a_loss() -> None:
    ours, theirs = multiprocessing.Pipe()
    theirs.close()

    async def run() -> None:
        lost = asyncio.Event()
        PipeTransport(ours, print, lost.set).send(b"page" * 1000)
        await asyncio.wait_for(lost.wait(), PATIENCE)

    asyncio.run(run())
