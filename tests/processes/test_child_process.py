"""An object in a child process answers, raises errors and dies there; the caller learns of each."""

from __future__ import annotations

import logging
import os
import pickle
import pickletools
from collections.abc import Iterator
from functools import partial
from io import BytesIO

import pytest
from aside_work import Counter

from newscrawl.errors import DatabaseUnavailable
from newscrawl.logs.records import make_log_safe
from newscrawl.processes.child_process import ChildDied, ChildFailed, ChildProcess, pickled, unpickled


@pytest.fixture
def counter() -> Iterator[ChildProcess]:
    aside = ChildProcess(Counter, 10)
    yield aside
    aside.close()


def test_it_keeps_its_state_in_another_process_until_that_dies_and_begins_anew_then(counter: ChildProcess) -> None:
    first, process = counter.call("add", 1)
    assert (first, counter.call("add", 1)) == (11, (12, process))
    assert process != os.getpid()
    with pytest.raises(ChildDied):
        counter.call("add", 0)
    again, other = counter.call("add", 1)
    assert again == 11
    assert other != process


def test_a_process_that_does_not_answer_is_waited_for_while_there_is_hope() -> None:
    hopes = iter((False, False, True))
    aside = ChildProcess(Counter, 10, is_hopeless=lambda: next(hopes, True))
    with pytest.raises(ChildDied):
        aside.call("add", 99)
    with pytest.raises(ChildDied):
        aside.call("add", 1)
    aside.close()


def test_errors_and_what_is_logged_there_come_back(counter: ChildProcess, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ChildFailed, match=r"^-1 is less than nothing$"):
        counter.call("add", -1)
    counter.call("add", 3)
    assert ("aside.counter", 30, "added 3") in caplog.record_tuples


def test_that_the_database_is_away_there_is_known_here_so_that_it_is_tried_again(counter: ChildProcess) -> None:
    with pytest.raises(DatabaseUnavailable, match="the database is away"):
        counter.call("add", 13)


def test_what_is_logged_there_is_masked_as_what_is_logged_here(
    counter: ChildProcess, caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(partial(logging.setLogRecordFactory, logging.getLogRecordFactory()))
    make_log_safe()
    counter.call("add", 7)
    assert caplog.messages == ["added 7 for https://***@a.example/"]


def test_what_cannot_be_passed_on_is_refused_before_anything_is_done(counter: ChildProcess) -> None:
    with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
        counter.call("add", lambda: 1)
    assert counter.call("add", 1)[0] == 11


def test_a_request_arrives_as_it_was_asked_with_lists_in_pieces() -> None:
    shared = ["shared"]
    arguments = ([shared, {"of": shared}, []], ("a", ["tuple"]), [], None)
    method, (pages, *others) = unpickled(pickled("commit", arguments))
    assert method == "commit"
    assert (pages, *others) == arguments
    assert pages[0] is pages[1]["of"]


def test_the_pages_of_a_request_are_pickles_of_their_own() -> None:
    request = BytesIO(pickled("commit", (["one", "two", "three"], True)))
    pieces = []
    while request.tell() < len(request.getvalue()):
        pieces.append([value for _, value, _ in pickletools.genops(request) if isinstance(value, str)])
    assert pieces == [["commit"], ["one"], ["two"], ["three"], []]
