"""Answers as servers sent them, and as archives store them after decompressing."""

from __future__ import annotations

import gzip
import zlib

import brotli
import pytest

from newscrawl.archive.read import read_answer
from newscrawl.errors import BadAnswer

PAGE = b"<p>" + b"The ferry was late again. " * 50 + b"</p>"


def chunked(body, size=100):
    pieces = (body[at : at + size] for at in range(0, len(body), size))
    return b"".join(b"%x;ext=1\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def answer(body, *headers, limit=1 << 20):
    head = b"\r\n".join([b"HTTP/1.1 200 OK", b"Content-Type: text/html", *headers])
    return read_answer(head + b"\r\n\r\n" + body, limit)


RAW = zlib.compressobj(wbits=-15)
PACKED = {
    b"gzip": gzip.compress(PAGE),
    b"x-gzip": gzip.compress(PAGE),
    b"deflate": zlib.compress(PAGE),
    b"Deflate": RAW.compress(PAGE) + RAW.flush(),
    b"br": brotli.compress(PAGE),
    b"identity": PAGE,
}


@pytest.mark.parametrize("encoding", PACKED)
@pytest.mark.parametrize("in_chunks", [True, False])
def test_bodies_are_unpacked(encoding, in_chunks):
    body = chunked(PACKED[encoding]) if in_chunks else PACKED[encoding]
    headers = [b"Content-Encoding: " + encoding, *([b"Transfer-Encoding: chunked"] if in_chunks else [])]
    assert answer(body, *headers)[2] == PAGE


@pytest.mark.parametrize("encoding", [b"gzip", b"deflate", b"br"])
def test_bodies_that_were_unpacked_before_are_taken_as_they_are(encoding):
    headers = b"Content-Encoding: " + encoding, b"Transfer-Encoding: chunked"
    assert answer(PAGE, *headers)[2] == PAGE


def test_a_body_cut_short_gives_what_there_is():
    packed = gzip.compress(PAGE * 100)
    assert answer(packed[:-30], b"Content-Encoding: gzip")[2].startswith(PAGE)
    assert answer(chunked(PAGE)[:-60], b"Transfer-Encoding: chunked")[2] in PAGE


@pytest.mark.parametrize("encoding", [b"gzip", b"br"])
def test_a_bomb_is_not_unpacked(encoding):
    body = b"\0" * (20 << 20)
    packed = gzip.compress(body) if encoding == b"gzip" else brotli.compress(body, quality=1)
    with pytest.raises(BadAnswer, match="more than") as raised:
        answer(packed, b"Content-Encoding: " + encoding)
    assert raised.value.code == "download/too_large"


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"", "download/bad_answer"),
        (b"GET / HTTP/1.1\r\n\r\n", "download/bad_answer"),
        (b"HTTP/1.1 abc\r\n\r\n", "download/bad_answer"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\n\r\nabc", "download/bad_encoding"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nabc", "download/bad_encoding"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: " + b"gzip," * 9 + b"\r\n\r\nabc", "download/too_many_encodings"),
    ],
)
def test_what_cannot_be_read_says_so_as_a_crawl_does(head, kind):
    with pytest.raises(BadAnswer) as raised:
        read_answer(head, 1 << 20)
    assert raised.value.code == kind


def test_headers_are_lower_case_joined_and_unfolded():
    _, found, _ = answer(b"x", b"X-A: one", b"x-a: two", b'ETag: W/"1"', b"X-B: long", b"  line")
    assert found == {"content-type": "text/html", "x-a": "one, two", "etag": 'W/"1"', "x-b": "long line"}
