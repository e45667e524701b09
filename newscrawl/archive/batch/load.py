"""Stores the rows of parts in the database, through the decision that crawls and ingests use.

How many rows of a part are stored is written in the transaction that stores them, so a kill loses no row and stores
none twice. A transaction takes rows of several small parts, because most of its statements cost the same for any number
of rows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from newscrawl.archive.batch.part_names import SUFFIX
from newscrawl.archive.batch.parts import METADATA, place_for_parts
from newscrawl.archive.batch.span_table import MEANINGS, arrow, page_of
from newscrawl.archive.ingest.pages import UNDATED, UNWANTED, PageFilter, Skipped
from newscrawl.archive.ingest.run import Commits, IngestProgress
from newscrawl.archive.places import ListedFile, Place
from newscrawl.errors import UsageError
from newscrawl.model import ProcessedPage
from newscrawl.storage.captures import ingests
from newscrawl.storage.captures.ingests import InputProgress
from newscrawl.storage.store import Store

ROWS: Final = 500
"""Rows of a transaction, of one part or several: with more, the time for each row does not fall."""
MAX_WAITING: Final = 2
"""Transactions that may wait for the store."""
FINISHED: Final = 1
"""The mark of a part whose rows are all stored."""


@dataclass(frozen=True, slots=True)
class StoredPart:
    """A part of a place, and its size in bytes."""

    place: Place
    name: str
    size: int

    def key(self, variant: str) -> str:
        """Returns the key of its progress. The name of a part says of which bytes and options it is."""
        return hashlib.blake2b(f"part {variant} {self.name}".encode(), digest_size=16).hexdigest()


@dataclass(slots=True)
class _Gathered:
    """Rows of one part or several that are stored in one transaction. Stored part by part, a row of a small part would
    cost twice as much."""

    pages: list[ProcessedPage] = field(default_factory=list)
    marks: dict[str, InputProgress] = field(default_factory=dict)
    rows: int = 0
    advanced: int = 0


def parts_at(names: Sequence[str]) -> list[StoredPart]:
    """Returns the parts: files, or all parts of folders and prefixes. Raises UsageError if there is none."""
    found: dict[tuple[str, str], StoredPart] = {}
    listed: dict[str, dict[str, ListedFile]] = {}
    for name in names:
        address, _, file = name.rpartition("/") if name.endswith(SUFFIX) else (name, "", "")
        place = place_for_parts(address or ("/" if name.startswith("/") else "."))
        there = listed.get(place.address) or listed.setdefault(place.address, place.listed(SUFFIX))
        chosen = [file] if file else sorted(there)
        if not chosen or chosen[0] not in there:
            raise UsageError(f"cannot read {name}: there is no part")
        found |= {(place.address, each): StoredPart(place, each, there[each].size) for each in chosen}
    return list(found.values())


class PartLoad:
    """Stores all rows of the parts. `run` yields the progress until everything is committed.

    `wanted` selects pages. `variant` distinguishes loads of a part with different selections.
    """

    def __init__(
        self, store: Store, parts: Sequence[StoredPart], wanted: PageFilter, variant: str = "", limit: int | None = None
    ) -> None:
        self._store = store
        self._parts = parts
        self._wanted = wanted
        self._variant = variant
        self._left = limit
        self._gathered = _Gathered()
        self.progress = IngestProgress(total=sum(part.size for part in parts))
        self._commits = Commits(store, self.progress, MAX_WAITING)

    def forget(self) -> None:
        """Removes the progress of the parts, so that they are stored again."""
        for part in self._parts:
            self._store.run(ingests.forget, part.key(self._variant)).result()

    def run(self) -> Iterator[IngestProgress]:
        """Runs until nothing is left. Raises StorageError, and UsageError for a file that is no part. Stored rows stay
        stored, and a later run continues after them."""
        marks = self._store.run(ingests.done_of, [part.key(self._variant) for part in self._parts]).result()
        for part in self._parts:
            if self._left == 0:
                break
            mark = marks.get(part.key(self._variant))
            if mark is not None and mark.record_number == FINISHED:
                self.progress.done += part.size
                self.progress.skipped += part.size
                continue
            for _ in self._load(part, mark.member_offset if mark is not None else 0):
                yield self.progress
        self._store_gathered()
        self._commits.count(at_most=0)
        yield self.progress

    def _load(self, part: StoredPart, first: int) -> Iterator[None]:
        """Gathers the rows of a part from row `first` on, and stores whenever a transaction is full."""
        file = _opened(part)
        rows, at, advanced = file.metadata.num_rows, 0, 0
        for chunk in file.iter_batches(ROWS, use_threads=False):  # threads cost more than a part of this size saves
            begin, at = at, at + chunk.num_rows
            if at <= first:
                continue
            taken = chunk.slice(max(0, first - begin)).to_pylist()
            if self._left is not None:
                taken = taken[: self._left]
                self._left -= len(taken)
            done = max(first, begin) + len(taken)
            reached = part.size * done // max(1, rows)
            self._gather(part, taken, done, is_last=done >= rows, advanced=reached - advanced)
            advanced = reached
            yield
            if self._left == 0:
                return
        if not rows:
            self._gather(part, [], 0, is_last=True, advanced=part.size)

    def _gather(
        self, part: StoredPart, rows: Sequence[dict[str, Any]], done: int, *, is_last: bool, advanced: int
    ) -> None:
        """Adds rows of a part to the next transaction, which is stored if it would have too many."""
        gathered = self._gathered
        if gathered.rows and gathered.rows + len(rows) > ROWS:
            self._store_gathered()
            gathered = self._gathered
        for row in rows:
            page = page_of(row)
            if isinstance(page, Skipped):
                self.progress.counts[page.kind] += 1
            elif self._wanted.takes(
                page.raw.final_url, page.raw.site, None if page.raw.undated else page.raw.fetched_at
            ):
                gathered.pages.append(page)
                self.progress.counts[UNDATED] += page.raw.undated
            else:
                self.progress.counts[UNWANTED] += 1
        key = part.key(self._variant)
        gathered.marks[key] = InputProgress(key, 0, done, FINISHED if is_last else 0)
        gathered.rows += len(rows)
        gathered.advanced += advanced

    def _store_gathered(self) -> None:
        """Sends the gathered rows to the store in one transaction, with the progress of their parts."""
        gathered, self._gathered = self._gathered, _Gathered()
        if gathered.marks:
            self._commits.save(gathered.pages, list(gathered.marks.values()), gathered.advanced)


def _opened(part: StoredPart) -> Any:
    """Returns the Parquet file of a part. Raises UsageError for a file that is none."""
    pa = arrow()
    from pyarrow import parquet

    place = f"{part.place.address}/{part.name}"
    try:
        file = parquet.ParquetFile(pa.BufferReader(part.place.read(part.name)))
        about = json.loads((file.metadata.metadata or {})[METADATA])
    except (pa.ArrowInvalid, OSError, KeyError, ValueError) as error:
        raise UsageError(f"cannot ingest {place}: it is no part of `newscrawl batch`") from error
    if missing := sorted(set(MEANINGS) - set(file.schema_arrow.names)):
        raise UsageError(
            f"cannot ingest {place}: another version of newscrawl made it, without {', '.join(missing)}; make it again"
        )
    if str(about.get("digest")) not in part.name:
        raise UsageError(f"cannot ingest {place}: its name is not the one that `newscrawl batch` gave it")
    return file
