"""A fetched page as the server sent it, and its place in the archive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

from newscrawl.model.sources import Discovery

OBJECT_STORE: Final = "s3://"
"""The address of an object store begins with this. The holder of a file of the archive is such an address, or the name
of a machine."""


def is_object_store(holder: str | None) -> bool:
    """Returns whether a holder of archive files, or an address, is an object store."""
    return holder is not None and holder.startswith(OBJECT_STORE)


@dataclass(frozen=True, slots=True)
class Exchange:
    """The request of a page. Only the archive stores it, beside the answer."""

    request: Mapping[str, str] = field(default_factory=dict, repr=False)
    ip_address: str | None = None
    redirects: tuple[str, ...] = ()
    """The URLs that were redirected, in order, without the final one."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the archive: a file's number in the database, the offset of the first byte, the number of bytes."""

    file: int
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Capture:
    """One fetch in the archive. `body` is the place of the bytes: that of an earlier capture if the same bytes were
    stored before, None if they are not in the archive. `digest` is the hash of the body, None without a body (304)."""

    kind: Literal["response", "revisit"]
    spot: Spot
    body: Spot | None = None
    digest: str | None = None
    id: int | None = None
    """The id of its row; None before it is stored."""


@dataclass(frozen=True, slots=True)
class RawPage:
    """A fetched page as a spider yields it: the bytes and how they were fetched, nothing interpreted.

    `headers` has lower-case names; the values of a repeated header are joined by ", ". `body` is None after it has been
    archived and extracted, or if the answer was 304.
    """

    url: str
    final_url: str
    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)
    fetched_at: datetime
    site: str
    discovery: Discovery | None = None
    exchange: Exchange | None = field(default=None, repr=False)
    capture: Capture | None = None
    """Its record in the archive, which is stored with the outcome of the page."""
    undated: bool = False
    """Whether the time of the fetch is unknown; `fetched_at` is then the time at which the page was ingested."""

    def __str__(self) -> str:
        """Scrapy writes this into its log, for example if the page cannot be stored."""
        return f"{self.url} ({self.site})"
