"""Checks of politeness in a server log."""

from __future__ import annotations

from math import inf

from newscrawl.testing.politeness import AT_ONCE, doubled, shortest_gaps


def test_an_address_asked_again_at_once_is_doubled_once_for_each_repetition() -> None:
    assert doubled([("/a", 0.0), ("/a", 0.003), ("/b", 0.004), ("/a", 0.006)]) == ["/a", "/a"]


def test_the_delay_of_the_host_says_what_is_too_soon() -> None:
    requests = [("/a", 0.0), ("/a", 0.9), ("/a", 1.95)]
    assert doubled(requests, delay=0.5) == []
    assert doubled(requests, delay=1.0) == ["/a"]
    assert AT_ONCE < 0.5


def test_the_order_of_the_log_does_not_matter() -> None:
    assert doubled([("/a", 5.0), ("/b", 5.01), ("/a", 4.99)]) == ["/a"]
    assert shortest_gaps([("a", 4.0), ("a", 1.0), ("a", 3.5)]) == {"a": 0.5}


def test_each_host_has_its_shortest_gap() -> None:
    log = [("a", 0.0), ("b", 0.1), ("a", 1.0), ("a", 1.5), ("b", 2.1)]
    assert shortest_gaps(log) == {"a": 0.5, "b": 2.0}
    assert shortest_gaps([("a", 1.0)]) == {"a": inf}
    assert shortest_gaps([]) == {}
