"""The digests that archives state of a record, in all their forms."""

from __future__ import annotations

import base64
import gzip
import hashlib

import pytest

from newscrawl.archive.ingest.worker import is_intact

BODY = b"<p>The council met on Tuesday.</p>" * 20
PACKED = gzip.compress(BODY, mtime=0)
CHUNKED = b"%x\r\n%s\r\n0\r\n\r\n" % (len(PACKED), PACKED)
BLOCK = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKED


def sha1(data):
    return hashlib.sha1(data, usedforsecurity=False).digest()


def base32(data):
    return "sha1:" + base64.b32encode(sha1(data)).decode()


@pytest.mark.parametrize(
    "digest",
    [
        pytest.param(base32(BLOCK), id="base32"),
        pytest.param(base32(BLOCK).lower(), id="small letters"),
        pytest.param("SHA-1:" + sha1(BLOCK).hex(), id="hexadecimal"),
        pytest.param("sha1:" + base64.b64encode(sha1(BLOCK)).decode(), id="base64"),
        pytest.param("sha256:" + hashlib.sha256(BLOCK).hexdigest(), id="sha256 hexadecimal"),
        pytest.param("sha256:" + base64.b32encode(hashlib.sha256(BLOCK).digest()).decode(), id="sha256 base32"),
        pytest.param("sha256:" + base64.b32encode(hashlib.sha256(BLOCK).digest()).decode().rstrip("="), id="unpadded"),
        pytest.param("md5:" + hashlib.md5(BLOCK, usedforsecurity=False).hexdigest(), id="md5"),
    ],
)
def test_a_block_is_checked_in_every_spelling_of_its_digest(digest):
    assert is_intact({"warc-block-digest": digest}, BLOCK)
    assert not is_intact({"warc-block-digest": digest}, BLOCK.replace(b"200", b"201"))


@pytest.mark.parametrize("form", [CHUNKED, PACKED, BODY], ids=["as sent", "without chunks", "decoded"])
def test_a_payload_may_be_meant_in_any_of_its_forms(form):
    assert is_intact({"warc-payload-digest": base32(form)}, BLOCK)
    assert not is_intact({"warc-payload-digest": base32(form)}, BLOCK[:-40] + b"x" + BLOCK[-39:])


@pytest.mark.parametrize("digest", ["", "sha1", "sha1:", "blake9:AAAA", "sha1:tooshort", "sha1:ß", ":"])
def test_what_cannot_be_checked_counts_as_intact(digest):
    assert is_intact({"warc-block-digest": digest, "warc-payload-digest": digest}, BLOCK)
    assert is_intact({}, BLOCK)


def test_the_digest_of_the_block_decides():
    headers = {"warc-block-digest": base32(BLOCK), "warc-payload-digest": base32(b"something else")}
    assert is_intact(headers, BLOCK)


def test_what_is_no_answer_is_checked_as_it_is():
    assert is_intact({"warc-payload-digest": base32(b"")}, b"no answer")
    assert not is_intact(
        {"warc-payload-digest": base32(b"other")}, b"HTTP/1.1\r\ncontent-encoding: gzip\r\n\r\nnot gzip"
    )
