"""A process that runs a batch, to be killed: `python -m batch_child PLACE FILE SPAN_BYTES`."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

from patience import PATIENCE

from newscrawl.archive.batch.parts import place_for_parts
from newscrawl.archive.batch.planning import files_at
from newscrawl.archive.batch.run import Batch, LocalEngine
from newscrawl.archive.batch.spans import SpanOptions
from newscrawl.model.address_policy import AddressPolicy

CHAIN = "boilerpipe-num-words"
OPTIONS = SpanOptions(as_of=datetime(2026, 11, 2, tzinfo=UTC), timeout=PATIENCE, memory_mb=1024)


def run(place: str, file: str, span_bytes: int) -> Batch:
    """Runs a batch on one core."""
    where = place_for_parts(place, make=True)
    work = Batch(files_at([file], AddressPolicy()), OPTIONS, where, span_bytes=span_bytes)
    with LocalEngine(work.options, where, 1) as engine:
        for _ in work.run(engine):
            pass
    return work


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2], int(sys.argv[3]))
