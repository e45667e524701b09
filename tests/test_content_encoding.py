"""Compressed bodies: complete, broken and malicious ones. tests/spiders tests crawls of them."""

from __future__ import annotations

import gzip
import zlib
from contextlib import suppress

import brotli
import pytest
import zstandard_bodies as zstd
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.errors import BadAnswer
from newscrawl.model.content_encoding import MAX_FRAMES, MAX_MEMBERS, unpack

STORY = "<p>" + "The council met on Monday and decided to build the bridge that people had asked for. " * 8
PAGE = f"<title>The bridge</title><h1>The bridge</h1>{STORY}{STORY}".encode()
LIMIT = 1 << 20


def test_several_members_are_one_body() -> None:
    body = gzip.compress(PAGE[:100]) + gzip.compress(PAGE[100:])
    assert unpack(body, "gzip", LIMIT) == PAGE
    assert unpack(body + b"what a careless server sends after it", "gzip", LIMIT) == PAGE


def test_pieces_without_end_are_refused_in_time() -> None:
    assert unpack(gzip.compress(b"x") * 200, "gzip", LIMIT) == b"x" * 200
    with pytest.raises(BadAnswer, match="pieces"):
        unpack(gzip.compress(b"") * (MAX_MEMBERS + 10), "gzip", LIMIT)
    with pytest.raises(BadAnswer, match="pieces"):
        unpack(zstd.compress(b"x") * (MAX_FRAMES + 10), "zstd", LIMIT)


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd"])
def test_what_is_cut_short_gives_what_came(encoding: str) -> None:
    text = b"".join(b"<p>%d of %d" % (number, number * number) for number in range(40_000))
    pack = {"gzip": gzip.compress, "br": lambda body: brotli.compress(body, quality=5), "zstd": zstd.compress}
    body = pack[encoding](text)
    opened = unpack(body[: len(body) * 9 // 10], encoding, LIMIT)
    assert text.startswith(opened)
    assert len(opened) > len(text) * 6 // 10


def test_a_wrong_checksum_costs_next_to_nothing() -> None:
    body = gzip.compress(PAGE)
    opened = unpack(body[:-8] + b"\0\0\0\0" + body[-4:], "gzip", LIMIT)
    assert PAGE.startswith(opened)
    assert len(opened) > len(PAGE) - 1_000


def test_what_is_broken_in_the_middle_gives_what_came_before() -> None:
    text = b"".join(b"<p>%d" % number for number in range(20_000))
    body = gzip.compress(text)
    half = len(body) // 2
    opened = unpack(body[:half] + bytes(64) + body[half + 64 :], "gzip", LIMIT)
    assert len(opened) > len(text) // 3
    assert text.startswith(opened[: len(text) // 3])


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_what_is_larger_than_it_may_be_is_refused(encoding: str) -> None:
    packers = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress, "zstd": zstd.compress}
    pack = packers[encoding]
    assert unpack(pack(PAGE), encoding, len(PAGE)) == PAGE
    with pytest.raises(BadAnswer, match="more than"):
        unpack(pack(PAGE), encoding, len(PAGE) - 1)


@given(st.binary(max_size=300), st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip, br", "br, gzip"]))
def test_garbage_gives_a_body_or_a_failure_and_never_an_error(body: bytes, encodings: str) -> None:
    with suppress(BadAnswer):
        assert len(unpack(body, encodings, 500)) <= 500


@pytest.mark.parametrize(
    ("body", "most", "kind"),
    [
        pytest.param(b"\x1f\x8b\x08 this is not what follows", LIMIT, "download/bad_encoding", id="no-gzip"),
        pytest.param(gzip.compress(bytes(100_000)), 99_999, "download/too_large", id="too-large"),
    ],
)
def test_a_body_that_cannot_be_opened_is_a_failure_with_a_name(body: bytes, most: int, kind: str) -> None:
    with pytest.raises(BadAnswer) as failed:
        unpack(body, "gzip", most)
    assert failed.value.code == kind


@pytest.mark.parametrize("body", [b"", b" \n"], ids=["empty", "blanks"])
def test_blanks_are_blanks(body: bytes) -> None:
    assert unpack(gzip.compress(body), "gzip", LIMIT) == unpack(gzip.compress(body) + b"\0\0", "gzip", LIMIT) == body
