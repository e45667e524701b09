"""The parts of a page that differ between two downloads: adverts, related links, tracking.

Slots belong to the page and are the same in every download: where they are and of which kind. What is in them belongs
to the download, and one slot in five is empty. Written as bytes of ASCII, so that a page keeps its encoding and its
oddities.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect
from collections.abc import Callable, Mapping
from random import Random
from typing import Final

EMPTY: Final = 0.2
"""Share of slots that a download finds unfilled."""
IN_TEXT: Final = 3
"""Slots among the paragraphs, at most."""

_HIDDEN: Final = re.compile(
    rb"(?is)<!--.*?-->|<(script|style|textarea|template|svg|noscript|noframes|iframe|title)\b.*?</\1\s*>"
)
_BETWEEN: Final = re.compile(rb"(?i)</p\s*>(?=\s*<p[\s>])")
_BODY: Final = re.compile(rb"(?i)<body[^>]*>")
_BODY_END: Final = re.compile(rb"(?i)</body\s*>")
_ARTICLE_END: Final = re.compile(rb"(?i)</article\s*>")
_HEAD_END: Final = re.compile(rb"(?i)</head\s*>")
_LINK: Final = re.compile(rb"""(?i)(<a\s[^>]*?href=["'])([^"'#>\s][^"'#>]*)""")

_SLOGANS: Final = (
    "Mattresses that let you sleep like a stone: now with forty nights to try them at home, free delivery included.",
    "Why wait for the weekend? Fly to the sea for less than a dinner for two. Book before Friday and save a third.",
    "The new estate car: more room, less petrol. Ask your dealer for a test drive and win a year of free parking.",
    "Doctors are amazed: this simple trick from grandmother's kitchen stops knee pain overnight. Order the book today.",
    "Your electricity is too dear. Compare forty suppliers in two minutes and change without any paperwork.",
    "Invest like the professionals: our app needs one thumb and five minutes. Capital at risk.",
    "Hearing aids nobody sees, tested by thousands. Apply now to try the newest model for thirty days.",
    "Learn Italian in three weeks, at breakfast. The method that was developed for diplomats is now open to everyone.",
    "Solar panels on your roof, nothing to pay until spring. See in one minute whether your house is suitable.",
    "NewText coffee at the office without queues: machines, beans and service from one hand, cancel at any time.",
)  # fmt: skip
_HEADLINES: Final = (
    "Council agrees on new tram line after nine hours", "What the rise in interest means for savers",
    "Two injured as lorry overturns on coastal road", "The ten best walks for a wet weekend",
    "Goalkeeper saves penalty in last minute of derby", "Museum finds lost painting in its own cellar",
    "How a village got its bakery back", "Storm warning for the islands from Thursday",
    "Minister rejects claims about school meals", "The quiet return of the night train",
    "Whale seen in harbour for the third time", "Court allows concert on old airfield",
    "Rents fall for the first time in six years", "Why your potatoes cost more this winter",
    "Bridge to stay closed until next summer", "Actor says farewell after forty years on stage",
    "A recipe for those who cannot cook", "University opens its archive of letters",
)  # fmt: skip
_LEADS: Final = ("Read more", "Also read", "See also", "Related", "Don't miss")
_NAMES: Final = ("banner", "promo", "native advert", "read more", "newsletter", "network slot")
"""Kinds of slots that stand among the paragraphs; `around` and `links` name the others."""


def kinds() -> tuple[str, ...]:
    """The kinds of difference, to be measured one by one."""
    return (*_NAMES, "around", "links")


def downloaded(body: bytes, page: str, download: int, only: str | None = None) -> bytes:
    """Returns the page as download number `download` gets it. `page` decides the slots. `only` limits the changes to
    one of `kinds`."""
    place, filling = Random(page), Random(f"{page}/{download}")
    names = [only] if only in _NAMES else list(_NAMES) if only is None else []
    pieces: list[tuple[int, bytes]] = []
    hidden = [match.span() for match in _HIDDEN.finditer(body)]
    between = [match.end() for match in _BETWEEN.finditer(body) if not _inside(match.end(), hidden)]
    for at in sorted(place.sample(between, min(IN_TEXT, len(between)))):
        if names:
            piece = _KINDS[place.choice(names)](filling)
            pieces.append((at, b"" if filling.random() < EMPTY else piece))
    if only in {None, "around"}:
        pieces += _around(body, filling)
    for at, piece in sorted(pieces, reverse=True):
        body = body[:at] + piece + body[at:]
    return _tracked(body, filling) if only in {None, "links"} else body


def _inside(at: int, spans: list[tuple[int, int]]) -> bool:
    before = bisect(spans, (at, sys.maxsize))
    return before > 0 and at < spans[before - 1][1]


def _around(body: bytes, random: Random) -> list[tuple[int, bytes]]:
    """Inserts before and after the article: scripts in the head, a ticker, related stories, a recommendation widget."""
    found: list[tuple[int, bytes]] = []
    if head := _HEAD_END.search(body):
        found.append((head.start(), _script(random)))
    if start := _BODY.search(body):
        found.append((start.end(), b'<div class="leaderboard ad-slot">%s</div>' % _frame(random)))
    ends = [match.end() for match in _ARTICLE_END.finditer(body)]
    if ends:
        found.append((ends[0], _related(random, b"related-articles")))
    last = [match.start() for match in _BODY_END.finditer(body)]
    if last:
        found.append((last[-1], _related(random, b"recommendations") + _script(random)))
    return found


def _tracked(body: bytes, random: Random) -> bytes:
    """Adds campaign parameters of this download to links."""
    session = b"%x" % random.getrandbits(48)
    hidden = [match.span() for match in _HIDDEN.finditer(body)]

    def track(match: re.Match[bytes]) -> bytes:
        address = match[2]
        if address.startswith((b"javascript:", b"mailto:", b"tel:", b"data:")) or _inside(match.start(), hidden):
            return match[0]
        mark = b"&amp;" if b"?" in address else b"?"
        return match[1] + address + mark + b"utm_source=front&amp;utm_campaign=" + session + b"&amp;fbclid=" + session

    return _LINK.sub(track, body)


def _script(random: Random) -> bytes:
    return b"<script>window.ads=window.ads||[];ads.push({id:'%x',price:%d});</script>" % (
        random.getrandbits(40),
        random.randrange(1000),
    )


def _frame(random: Random) -> bytes:
    number = random.getrandbits(32)
    return b'<iframe src="https://ads.example/frame/%x" width="300" height="250"></iframe>' % number


def _banner(random: Random) -> bytes:
    number = random.getrandbits(32)
    return (
        b'<div class="advertisement"><span class="ad-label">Advertisement</span>'
        b'<a href="https://ads.example/click/%x" rel="sponsored"><img src="https://ads.example/%x.jpg" alt="Offer %d">'
        b"</a></div>" % (number, number, number % 100)
    )


def _promo(random: Random) -> bytes:
    line = random.choice(_HEADLINES).encode()
    return b'<aside class="promo-box"><a href="/shop/%d"><b>%s</b></a></aside>' % (random.randrange(10**6), line)


def _native(random: Random) -> bytes:
    return b'<div class="sponsored-content"><h4>Sponsored</h4><p><a href="https://ads.example/%x">%s</a></p></div>' % (
        random.getrandbits(32),
        random.choice(_SLOGANS).encode(),
    )


def _read_more(random: Random) -> bytes:
    lead, line = random.choice(_LEADS).encode(), random.choice(_HEADLINES).encode()
    number = random.randrange(10**7)
    return b'<p class="read-more"><strong>%s:</strong> <a href="/news/%d.html">%s</a></p>' % (lead, number, line)


def _newsletter(random: Random) -> bytes:
    return (
        b'<div class="newsletter-signup" data-variant="%d"><p>%s every morning. Sign up for our newsletter.</p>'
        b'<form action="/newsletter"><input type="email"><button>Sign up</button></form></div>'
        % (random.randrange(9), random.choice((b"The news", b"All that matters", b"The day in short")))
    )


def _network(random: Random) -> bytes:
    number = random.getrandbits(40)
    return b'<div id="div-gpt-ad-%d"><ins class="adsbygoogle" data-ad-slot="%d"></ins>%s</div>' % (
        number,
        number,
        _script(random) + _frame(random),
    )


def _related(random: Random, name: bytes) -> bytes:
    lines = random.sample(_HEADLINES, random.randint(3, 6))
    items = b"".join(
        b'<li><a href="/news/%d.html?utm_medium=widget">%s</a></li>' % (random.randrange(10**7), line.encode())
        for line in lines
    )
    return b'<section class="%s"><h3>You may also like</h3><ul>%s</ul></section>' % (name, items)


_KINDS: Final[Mapping[str, Callable[[Random], bytes]]] = {
    "banner": _banner,
    "promo": _promo,
    "native advert": _native,
    "read more": _read_more,
    "newsletter": _newsletter,
    "network slot": _network,
}
