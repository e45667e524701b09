"""Pages in reference cycles are freed before the garbage collector would run by itself."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from newscrawl.crawling.runtime.interpreter_tuning import CollectionByBytes


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
