"""What a page says about its use, in its headers and its head: stored with it, and passed on to whoever gets it.

X-Robots-Tag and the robots meta element (Google's robots meta tag specification, which others follow): directives for
every robot or for ours; those for a named other robot are not ours. TDM Reservation Protocol (W3C community group
report, 2024): tdm-reservation and tdm-policy, as header or meta element; the header wins, as it does there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from newscrawl.model import UsageRights
from newscrawl.page import Page

ROBOT: Final = "newscrawl"
VALUED: Final = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
"""Directives with a value after a colon; any other word before a colon is a robot's name."""
MOST: Final = 4_000
"""Characters of a header that are read."""
MAX_POLICY: Final = 2_000


def read_use(page: Page, headers: Mapping[str, str]) -> UsageRights:
    """The page's statements; `headers` have lower-case names."""
    said = set(directives([headers.get("x-robots-tag", "")], scoped=True))
    said |= set(directives([*page.head.all("robots"), *page.head.all(ROBOT)], scoped=False))
    reserved = _first([headers.get("tdm-reservation"), *page.head.all("tdm-reservation")])
    policy = _first([headers.get("tdm-policy"), *page.head.all("tdm-policy")])
    return UsageRights(
        noindex=bool(said & {"noindex", "none"}),
        noarchive=bool(said & {"noarchive", "nocache"}),
        nosnippet="nosnippet" in said or "max-snippet:0" in said,
        tdm_reservation={"1": True, "0": False}.get(reserved or ""),
        tdm_policy=policy[:MAX_POLICY] if policy else None,
    )


def directives(values: Iterable[str], *, scoped: bool) -> Iterator[str]:
    """The directives for every robot or for ours, in lower case and without blanks. In a header (`scoped`) a robot's
    name before a colon holds for what follows it."""
    for value in values:
        ours = True
        for part in value[:MOST].lower().split(","):
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
