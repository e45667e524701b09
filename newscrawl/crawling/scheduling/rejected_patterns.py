"""Limits requests to directories of addresses whose pages all turn out to be of one kind other than article. Pure.

A directory is the host and the path without its last segment: all products of a shop, the threads of a forum. While
its latest first visits all had the same verdict, of n such visits in a row, only a share of `FREE` / n of its new
addresses is fetched. Which ones are fetched changes every day, so that each gets its turn. Any other result of a first
visit ends the row, and all its addresses are fetched again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import blake2b
from typing import Final

from newscrawl.model import OTHER_KINDS
from newscrawl.model.identity.patterns import directory_of

FREE: Final = 10
"""First visits of one kind in a row until fewer addresses are fetched. A front page names few lists in a row that have
no article between them, and ten pages of a shop cost a site little."""
KINDS: Final = frozenset(f"verdict/{kind}" for kind in OTHER_KINDS)
"""The failures of pages that stay what they are. Walls and empty texts may be articles tomorrow."""


@dataclass(frozen=True, slots=True)
class RejectedPattern:
    """A directory of a site, the verdict of its latest first visits, and the number of these in a row."""

    site: str
    pattern: str
    kind: str
    visits: int

    @property
    def share(self) -> float:
        """The share of its new addresses that is fetched."""
        return min(1.0, FREE / self.visits)


def row_after(stored: tuple[str | None, int], kinds: Iterable[str | None]) -> tuple[str | None, int]:
    """Returns the kind of the latest visits and their number in a row, after visits with these failures. (None, 0) if
    the last one had none of `KINDS`."""
    kind, number = stored
    for found in kinds:
        if found not in KINDS:
            kind, number = None, 0
        else:
            kind, number = found, number + 1 if found == kind else 1
    return kind, number


def asked_for(urls: Mapping[str, str], rows: Mapping[str, RejectedPattern], today: date) -> set[str]:
    """Returns the keys of those addresses that are fetched today; `rows` are the site's directories by pattern."""
    return {
        key
        for key, url in urls.items()
        if (row := rows.get(directory_of(url))) is None or _is_in(url, row.visits, today)
    }


def _is_in(url: str, visits: int, today: date) -> bool:
    if visits <= FREE:
        return True
    digest = blake2b(f"{today} {url}".encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % visits < FREE
