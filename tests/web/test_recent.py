"""Values that views share are computed again when they are too old, when the clock went back, and after a change."""

from __future__ import annotations

import time
from datetime import timedelta
from threading import Event, Thread

import pytest
from patience import PATIENCE
from web_database import NOW

from newscrawl.errors import StorageError
from newscrawl.web.recent import Recent

LIFE = timedelta(seconds=10)


def test_an_older_value_is_shown_while_a_thread_makes_it_anew() -> None:
    recent, made, begun, goes_on = Recent(wait=0), list[int](), Event(), Event()

    def make() -> int:
        if made:
            begun.set()
            assert goes_on.wait(PATIENCE)
        made.append(len(made))
        return made[-1]

    later = NOW + LIFE
    assert recent.shared("key", NOW, LIFE, LIFE * 6, make) == 0
    assert [recent.shared("key", later, LIFE, LIFE * 6, make) for _ in range(3)] == [0, 0, 0]
    assert begun.wait(PATIENCE)
    goes_on.set()
    deadline = time.monotonic() + PATIENCE
    while recent.known("key", later, LIFE) is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert recent.shared("key", later, LIFE, LIFE * 6, make) == 1
    assert recent.shared("key", NOW + LIFE * 8, LIFE, LIFE * 6, make) == 2


def test_what_was_made_before_a_change_is_not_kept_after_it() -> None:
    recent = Recent()

    def make() -> str:
        recent.clear()  # an action of another browser ends while this view reads
        return "before"

    assert recent.get("key", NOW, LIFE, make) == "before"
    assert recent.get("key", NOW, LIFE, lambda: "after") == "after"


def test_a_value_that_one_thread_makes_is_waited_for_by_others() -> None:
    recent, made, begun, goes_on = Recent(), list[int](), Event(), Event()
    found: list[int] = []

    def make() -> int:
        begun.set()
        assert goes_on.wait(PATIENCE)
        made.append(len(made))
        return made[-1]

    def ask() -> None:
        found.append(recent.shared("key", NOW, LIFE, LIFE * 6, make))

    threads = [Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert begun.wait(PATIENCE)
    goes_on.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert (found, made) == ([0, 0, 0], [0])


def test_an_error_while_a_value_is_made_anew_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    recent, values = Recent(wait=0), iter([1])

    def make() -> int:
        found = next(values, None)
        if found is None:
            raise StorageError("the database is away")
        return found

    assert recent.shared("key", NOW, LIFE, LIFE * 6, make) == 1
    assert recent.shared("key", NOW + LIFE, LIFE, LIFE * 6, make) == 1
    deadline = time.monotonic() + PATIENCE
    while "the database is away" not in caplog.text and time.monotonic() < deadline:
        time.sleep(0.01)
    assert "the database is away" in caplog.text
