"""Damages whole pages: random changes of markup, the same for the same seed.

What is broken is what servers, content systems and cut connections break: pieces missing, doubled, in the wrong place
or nested too deep, tags without their partner, attributes without their quote, bytes that are no text, entities that
name nothing. The pages stay close enough to real ones that every step of an algorithm is reached.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Final

MAX_BYTES: Final = 300_000
"""A mutated page's size; larger ones only repeat what smaller ones show."""
MAX_MUTATIONS: Final = 6
_TAG: Final = re.compile(rb"<[^<>]{1,300}>")
_TEXT: Final = re.compile(rb"(?<=>)[^<>]{20,}(?=<)")

_TAGS: Final = (
    b"p div span a b table tr td ul ol li dl dd h1 h2 article section header footer nav aside main form select option "
    b"button blockquote pre figure figcaption template svg math noscript iframe object font center"
).split()
_OPENERS: Final = (
    b"<!--", b"<script>", b"<style>", b"<title>", b"<textarea>", b"<![CDATA[", b"<plaintext>", b"<noscript>", b"<xmp>",
    b"<template>", b"<svg>", b"<math>", b"<select>", b"<frameset>", b"<head>", b"<body>", b"<html lang=x-klingon>",
    b"<base href='//['>", b"<meta charset=utf-16>", b"<?xml version='1.0' encoding='nope'?>", b"<!DOCTYPE", b"</", b"<",
    b"-->", b"]]>", b"</html>", b"</body>", b"</p>", b"<br/><br/>", b"<script type='application/ld+json'>{\"@graph\":[",
    b"<time datetime='0000-99-99T99:99:99+99:99'>", b"<link rel=canonical href='http://[::1'>",
)  # fmt: skip
_ENTITIES: Final = (
    b"&#0;", b"&#xD800;", b"&#1114112;", b"&#99999999999999999999;", b"&#x;", b"&nosuch;", b"&amp;amp;amp;", b"&",
    b"&#128;", b"&shy;" * 20, b"&zwnj;&rlm;&#x202e;", b"&nbsp;" * 30, b"&lt;p&gt;", b"&#x1F600;", b"&#11;&#8232;",
)  # fmt: skip
_ATTRIBUTES: Final = (
    b' class="', b" class='a", b" =", b' "', b" id=id=id", b' style="display:none', b" hidden", b' href="javascript:',
    b' href="//[', b" \0x=1", b' on"x', b" class=" + b"x" * 3_000, b" lang=\xff", b' itemprop="articleBody', b" /",
    b' datetime="now"', b' content="', b" data-\xc3\xa9=1", b' property="article:published_time" content="31/31/31"',
)  # fmt: skip


def mutate(body: bytes, random: Random) -> bytes:
    """Returns `body` with one to `MAX_MUTATIONS` changes, chosen by `random` alone."""
    for mutation in random.choices(list(MUTATIONS), list(MUTATIONS.values()), k=random.randint(1, MAX_MUTATIONS)):
        body = mutation(body, random)[:MAX_BYTES]
    return body


def cut(body: bytes, random: Random) -> bytes:
    """Removes a piece, or everything from a random position on."""
    start, end = _piece(body, random)
    return body[:start] + (body[end:] if random.random() < 0.7 else b"")


def duplicate(body: bytes, random: Random) -> bytes:
    """Repeats a piece, once or many times."""
    start, end = _piece(body, random)
    return body[:end] + body[start:end] * random.choice((1, 1, 2, 20)) + body[end:]


def swap(body: bytes, random: Random) -> bytes:
    """Swaps two pieces."""
    a, b, c, d = sorted(random.randint(0, len(body)) for _ in range(4))
    return body[:a] + body[c:d] + body[b:c] + body[a:b] + body[d:]


def nest(body: bytes, random: Random) -> bytes:
    """Nests a piece deep in elements that may never be closed."""
    start, end = _piece(body, random)
    tags = random.choices(_TAGS, k=random.choice((2, 10, 60, 400)))
    opened = b"".join(b"<%b>" % tag for tag in tags)
    closed = b"".join(b"</%b>" % tag for tag in reversed(tags)) if random.random() < 0.5 else b""
    return body[:start] + opened + body[start:end] + closed + body[end:]


def drop_tags(body: bytes, random: Random) -> bytes:
    """Removes some tags and keeps their contents."""
    share = random.choice((0.02, 0.2, 0.7))
    return _TAG.sub(lambda match: b"" if random.random() < share else match[0], body)


def rename_tags(body: bytes, random: Random) -> bytes:
    """Replaces some tags by others, but not the tags that begin or end the same elements."""
    share = random.choice((0.02, 0.2))

    def renamed(match: re.Match[bytes]) -> bytes:
        if random.random() >= share:
            return match[0]
        return (b"</%b>" if match[0].startswith(b"</") else b"<%b>") % random.choice(_TAGS)

    return _TAG.sub(renamed, body)


def random_bytes(body: bytes, random: Random) -> bytes:
    """Inserts random bytes, in one place or in many."""
    if random.random() < 0.5:
        at = random.randint(0, len(body))
        return body[:at] + random.randbytes(random.choice((1, 3, 50, 500))) + body[at:]
    strewn = bytearray(body)
    for _ in range(random.choice((1, 10, 200)) if strewn else 0):
        strewn[random.randrange(len(strewn))] = random.randrange(256)
    return bytes(strewn)


def break_attributes(body: bytes, random: Random) -> bytes:
    """Inserts attributes that are cut, doubled, endless or invalid."""
    share = random.choice((0.01, 0.1))

    def broken(match: re.Match[bytes]) -> bytes:
        if random.random() >= share:
            return match[0]
        if random.random() < 0.3:
            return match[0].replace(b'"', b"", 1)
        return match[0][:-1] + random.choice(_ATTRIBUTES) + b">"

    return _TAG.sub(broken, body)


def break_entities(body: bytes, random: Random) -> bytes:
    """Inserts entities that are unknown or stand for forbidden characters."""
    share = random.choice((0.05, 0.5))

    def broken(match: re.Match[bytes]) -> bytes:
        if random.random() >= share:
            return match[0]
        half = len(match[0]) // 2
        return match[0][:half] + random.choice(_ENTITIES) + match[0][half:]

    return _TEXT.sub(broken, body)


def open_something(body: bytes, random: Random) -> bytes:
    """Begins comments, scripts, declarations and the like without their end."""
    at = random.randint(0, len(body))
    return body[:at] + random.choice(_OPENERS) + body[at:]


def reread(body: bytes, random: Random) -> bytes:
    """Encodes the text in another encoding than the page declares, or twice."""
    wrong = random.choice(("utf-16", "utf-8", "cp1251", "shift_jis", "utf-7"))
    return body.decode("latin-1").encode(wrong, "replace")


Mutation = Callable[[bytes, Random], bytes]
MUTATIONS: Final[Mapping[Mutation, int]] = {
    cut: 4,
    duplicate: 4,
    swap: 4,
    nest: 4,
    drop_tags: 4,
    rename_tags: 4,
    random_bytes: 4,
    break_attributes: 4,
    break_entities: 4,
    open_something: 2,
    reread: 1,
}
"""With weights: the last two often leave nothing to read."""


def _piece(body: bytes, random: Random) -> tuple[int, int]:
    """Start and end of a piece, at tags or anywhere; short ones are as likely as long ones."""
    start = random.randint(0, len(body))
    end = min(len(body), start + random.choice((1, 30, 500, 5_000, 50_000)))
    if random.random() < 0.5:
        start = max(0, body.rfind(b"<", 0, start))
        end = max(end, start)
    return start, end
