"""The pattern of an address, and paths with repetitions."""

from __future__ import annotations

import pytest

from newscrawl.model.identity.patterns import MAX_LENGTH, directory_of, pattern_of, repeats_itself


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("https://a.example/calendar/2026/11/30", "a.example/calendar/#/#/#"),
        ("https://a.example/calendar?month=11&year=2031", "a.example/calendar?month&year"),
        ("https://a.example/calendar?year=1&month=2&year=3", "a.example/calendar?month&year"),
        ("https://a.example/p;sid=0123456789abcdef0123/x", "a.example/p;sid=#/x"),
        ("https://a.example/face/0123456789abcde", "a.example/face/#abcde"),
        ("https://A.example:8080", "a.example/"),
        ("https://a.example/story-about-trains", "a.example/story-about-trains"),
        ("http://[broken/", ""),
    ],
    ids=[
        "dates",
        "parameters",
        "parameters-twice",
        "session-id",
        "short-code",
        "host-alone",
        "no-number",
        "no-address",
    ],
)
def test_numbers_and_codes_become_one_sign_and_parameters_their_names(url: str, pattern: str) -> None:
    assert pattern_of(url) == pattern


def test_a_long_pattern_is_cut_and_stays_its_own() -> None:
    long = "https://a.example/" + "x" * 3_000
    assert len(pattern_of(long)) <= MAX_LENGTH
    assert pattern_of(long) != pattern_of(long + "y")


@pytest.mark.parametrize(
    ("path", "repeats"),
    [
        ("/news/news/news/story", True),
        ("/a/b/b/b", True),
        ("/news/news/story", False),
        ("/news/a/news/a/news", False),
        ("/1/1/1/story", False),
        ("/a///b", False),
    ],
    ids=["at-the-start", "at-the-end", "only-two", "not-in-a-row", "numbers", "empty-segments"],
)
def test_three_equal_segments_that_are_no_numbers_repeat(path: str, *, repeats: bool) -> None:
    assert repeats_itself(f"https://a.example{path}") is repeats


def test_a_directory_is_the_pattern_of_all_addresses_beside_one() -> None:
    assert directory_of("https://a.example/shop/lamp-3?c=1") == "a.example/shop/##"
    assert directory_of("https://a.example/2026/11/lamp/") == "a.example/#/#/##"
    assert directory_of("https://a.example/lamp") == directory_of("https://a.example/") == "a.example/##"
    assert directory_of("https://[broken/") == ""
    assert len(directory_of("https://a.example/" + "long/" * 300 + "x")) <= MAX_LENGTH
