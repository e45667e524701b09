"""Pages in reference cycles are freed before the garbage collector would run by itself."""

from __future__ import annotations

import gc
import sys
import weakref
from collections import deque
from collections.abc import Iterator

import pytest

from newscrawl.crawling.runtime.interpreter_tuning import CollectionByBytes, tune_interpreter


class Page:
    """One that refers to itself, as a response does whose selector was asked for."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def only_when_asked() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def test_many_bytes_of_pages_have_the_collector_look(only_when_asked: None) -> None:
    collection, page = CollectionByBytes(), Page()
    gone = weakref.ref(page)
    del page
    for _ in range(31):
        collection.received(1 << 20)
    assert gone() is not None
    collection.received(1 << 20)
    assert gone() is None


@pytest.fixture
def tuned() -> Iterator[None]:
    thresholds, interval = gc.get_threshold(), sys.getswitchinterval()
    gc.collect()
    tune_interpreter()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)
    sys.setswitchinterval(interval)


class Crawl:
    """As many objects in cycles as a crawl of a site leaves."""

    def __init__(self) -> None:
        self.parts: list[list[None]] = [[] for _ in range(1000)]
        self.itself = self


def test_crawls_that_have_ended_do_not_pile_up(tuned: None) -> None:
    running: deque[Crawl] = deque(maxlen=16)
    alive: weakref.WeakSet[Crawl] = weakref.WeakSet()
    most = 0
    for _ in range(1500):
        running.append(Crawl())
        alive.add(running[-1])
        most = max(most, len(alive))
    assert most <= 200
