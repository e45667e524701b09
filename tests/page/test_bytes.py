"""What is looked for in all bytes of a page is found alike by the compiled functions and by their references."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.page import decode, segment
from newscrawl.page.compiled import BYTES

needs_core = pytest.mark.skipif(BYTES.module is None, reason=f"no compiled core: {BYTES.reason}")
pytestmark = [needs_core]

PIECES = ["a" * 31, "b" * 33, "é", "漢", "\U0001f600", "<p>", "</p>", "<", "</", "\0"]
BROKEN = [b"\x80", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xed\xa0\x80", b"\xf0\x8f\xbf\xbf", b"\xf5\x80\x80\x80", b"\xe6\xbc"]
body = st.lists(st.sampled_from([piece.encode() for piece in PIECES] + BROKEN), max_size=8).map(b"".join)


def test_they_were_chosen() -> None:
    assert decode.is_utf8 is not decode._is_utf8
    assert segment.unclosed_tags is not segment._unclosed_tags


@settings(max_examples=300, deadline=None)
@given(body | st.binary(max_size=40))
def test_bytes_are_utf8_for_both_or_for_none(data: bytes) -> None:
    assert decode.is_utf8(data) == decode._is_utf8(data)


def test_every_sequence_of_two_bytes_and_every_end_of_a_longer_one() -> None:
    for first in range(0x80, 0x100):
        for second in range(0x100):
            for rest in (b"", b"\x80", b"\xbf\xbf", b"\x80a"):
                data = bytes([first, second]) + rest
                assert decode.is_utf8(data) == decode._is_utf8(data), data


@settings(max_examples=120, deadline=None)
@given(body)
def test_tags_are_counted_alike(data: bytes) -> None:
    assert segment.unclosed_tags(data) == segment._unclosed_tags(data)
