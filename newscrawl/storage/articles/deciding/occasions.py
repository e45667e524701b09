"""Why pages are stored, and how that affects their visits. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from newscrawl.storage.records import NextDue

OccasionType = Literal["crawled", "ingested", "released", "reextracted"]
"""`crawled`: just fetched. `ingested`: read from an archive or a file, in any order. `released`: released from the
review queue by an operator. `reextracted`: another extraction of captures whose visits are stored already."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """Why a batch of pages is stored. `next_due` plans the next visit of a page.

    No visit is planned before `now`: a capture of last year is planned as if it had been read today. None plans from
    the time of the fetch alone.
    """

    kind: OccasionType
    next_due: NextDue
    now: datetime | None = None

    @property
    def is_visit(self) -> bool:
        """Whether the pages were visited, so that their dates, counts and plans change."""
        return self.kind != "reextracted"

    def moment(self, fetched_at: datetime) -> datetime:
        """Returns when the batch is stored; `fetched_at` if the occasion has no time."""
        return self.now or fetched_at
