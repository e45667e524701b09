"""Reads what a page states about its use, in its headers and its head. It is stored with the page and passed on with
it.

X-Robots-Tag and the robots meta element (Google's robots meta tag specification, which other search engines follow):
directives for all robots or for newscrawl's; those for another named robot are ignored. TDM Reservation Protocol (W3C
community group report, 2024): tdm-reservation and tdm-policy, as a header or meta element; the header takes precedence,
as in the protocol.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from newscrawl.model import UsageRights
from newscrawl.page import Page

ROBOT: Final = "newscrawl"
VALUED: Final = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
"""Directives with a value after a colon. Any other word before a colon is a robot's name."""
MAX_HEADER: Final = 4_000
"""Characters of a header that are read."""
MAX_POLICY: Final = 2_000


def read_use(page: Page, headers: Mapping[str, str]) -> UsageRights:
    """Returns the page's statements. `headers` has lower-case names."""
    found = set(directives([headers.get("x-robots-tag", "")], scoped=True))
    found |= set(directives([*page.head.all("robots"), *page.head.all(ROBOT)], scoped=False))
    reserved = _first([headers.get("tdm-reservation"), *page.head.all("tdm-reservation")])
    policy = _first([headers.get("tdm-policy"), *page.head.all("tdm-policy")])
    return UsageRights(
        noindex=bool(found & {"noindex", "none"}),
        noarchive=bool(found & {"noarchive", "nocache"}),
        nosnippet="nosnippet" in found or "max-snippet:0" in found,
        tdm_reservation={"1": True, "0": False}.get(reserved or ""),
        tdm_policy=policy[:MAX_POLICY] if policy else None,
    )


def directives(values: Iterable[str], *, scoped: bool) -> Iterator[str]:
    """Yields the directives for all robots or for newscrawl's, in lower case and without blanks. In a header (`scoped`)
    a robot's name before a colon applies to the directives after it."""
    for value in values:
        ours = True
        for part in value[:MAX_HEADER].lower().split(","):
            word, colon, rest = (piece.strip() for piece in part.partition(":"))
            if colon and word in VALUED:
                yield f"{word}:{rest}" if ours else ""
                continue
            if colon and scoped:
                ours, word = word == ROBOT, rest
            if ours and word:
                yield from word.split()


def _first(values: Iterable[str | None]) -> str | None:
    return next((value.strip() for value in values if value and value.strip()), None)
