"""The work of workers in the tests of the pool. It is a module of its own, because workers import it by name."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.model import Failure, ProcessedPage, RawPage
from newscrawl.workers.extraction_worker import mark
from newscrawl.workers.source_task import SourceRead, SourceTask


def misbehave(raw: RawPage, options: ArticleOptions) -> ProcessedPage:
    """Does what the body says."""
    match raw.body:
        case b"hang":
            time.sleep(3600)
        case b"die":
            os.kill(os.getpid(), signal.SIGKILL)
        case b"eat":
            bytearray(8 << 30)
        case b"starve" | b"spin":
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
            until = time.process_time() + (0.15 if raw.body == b"starve" else 3600)
            while time.process_time() < until:
                pass
        case b"raise":
            raise ZeroDivisionError("a defect of ours")
    return ProcessedPage(replace(raw, body=None), failure=Failure("test/fine", f"{raw.url} {options.chain}"))


def misread(task: SourceTask) -> SourceRead | Failure:
    """Does what the source's body says; "spin 1.5" uses so many seconds of CPU time."""
    match task.body.split():
        case [b"spin", seconds]:
            until = time.process_time() + float(seconds)
            while time.process_time() < until:
                pass
        case [b"hang"]:
            time.sleep(3600)
        case [b"die"]:
            os.kill(os.getpid(), signal.SIGKILL)
        case [b"eat"]:
            bytearray(8 << 30)
        case [b"raise"]:
            raise ZeroDivisionError("a defect of ours")
        case [b"refuse"]:
            return Failure("source/unreadable", "refused")
    return SourceRead(entries=len(task.body))


def walk(steps: Sequence[str]) -> Iterator[object]:
    """Marks the number of each step, does what it says, and sends its first word."""
    for number, step in enumerate(steps):
        mark(number)
        match step.split():
            case ["hang"]:
                time.sleep(3600)
            case ["die"]:
                os.kill(os.getpid(), signal.SIGKILL)
            case ["eat"]:
                bytearray(8 << 30)
            case ["raise"]:
                raise ZeroDivisionError("a defect of ours")
            case ["pause", seconds]:
                time.sleep(float(seconds))
            case ["nowhere", seconds]:
                mark(None)
                time.sleep(float(seconds))
            case ["lost"]:
                mark(None)
                raise OSError("the input is gone")
            case ["who"]:
                yield os.getpid()
                continue
            case ["large"]:
                yield b"x" * 3_000_000
                continue
        yield step.split()[0]
