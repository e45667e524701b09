"""A part: the rows of one span as a Parquet file, under a name that says of which bytes and by which digest."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from newscrawl.archive.batch.digest import digest_of
from newscrawl.archive.batch.part_names import SUFFIX
from newscrawl.archive.batch.span_table import arrow
from newscrawl.archive.batch.spans import SpanOptions, extract_span, shown
from newscrawl.archive.ingest.crew import LocalCrew
from newscrawl.archive.places import FolderPlace, Place, place_at
from newscrawl.errors import ConfigurationError, OutputError, UsageError, os_reason
from newscrawl.model import is_object_store
from newscrawl.workers.processes.failpoints import BATCH_PART, hit

if TYPE_CHECKING:
    import pyarrow as pa

ProcessFor = Callable[[SpanOptions, str], AbstractContextManager[LocalCrew]]
"""Gives a process for options and their digest."""
METADATA: Final = b"newscrawl"
"""The key of a part's metadata, which has a PartResult as JSON."""
_STEM: Final = 60
_KEY: Final = 12
_OTHER: Final = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class PartSpan:
    """A span to be made into a part: `length` bytes from `offset` of a file, whose content `key` identifies."""

    file: str
    key: str
    offset: int
    length: int
    is_compressed: bool = True

    def part(self, digest: str) -> str:
        """Returns the name of its part."""
        name = shown(self.file).rstrip("/").rpartition("/")[2]
        stem = _OTHER.sub("_", name)[:_STEM].strip("._") or "file"
        return f"{stem}-{self.key[:_KEY]}-{self.offset:013d}-{self.length}-{digest}{SUFFIX}"


@dataclass(frozen=True, slots=True)
class PartResult:
    """The content of a part: the number of rows and of articles, and the rows without an article by reason code."""

    rows: int
    articles: int
    failures: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PartTask:
    """Everything that a worker needs to make a part. It has no keys and no address of a database."""

    span: PartSpan
    options: SpanOptions
    digest: str
    place: str


def place_for_parts(address: str, *, make: bool = False) -> Place:
    """Returns the place at the address that an operator gives. With `make`, a folder that is missing is made. Raises
    UsageError for an address that is none, and OutputError."""
    if is_object_store(address):
        from newscrawl.archive.objects import object_address  # the extra `s3`

        try:
            return place_at(object_address(address))
        except ConfigurationError as error:
            raise UsageError(f"no place for parts: {str(error).partition(': ')[2]}") from None
    if "://" in address:
        raise UsageError(f"{address} is no place for parts: give a folder or s3://BUCKET/PREFIX")
    folder = Path(address).absolute()
    if make:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(folder, os_reason(error)) from error
    return FolderPlace(folder)


def make_part(task: PartTask, process: ProcessFor | None = None) -> PartResult:
    """Extracts a span and writes its part. `process` gives the process that extracts; None starts one for the span.

    Raises UsageError if this installation has another digest than the task, and the errors of `extract_span` and of the
    place.
    """
    ours = digest_of(task.options)
    if ours != task.digest:
        raise UsageError(
            "another version of newscrawl, of Python or of a package that extracts is installed here: install the same "
            f"on all machines (digest {ours}, expected {task.digest})"
        )
    span, options = task.span, task.options
    with process(options, task.digest) if process is not None else nullcontext() as workers:
        table = extract_span(span.file, span.offset, span.length, options, workers)
    return write_part(place_at(task.place), span, table, task.digest)


def write_part(place: Place, span: PartSpan, table: pa.Table, digest: str) -> PartResult:
    """Writes the part of a span, unless it is there. Raises OutputError, ArchiveError."""
    result = result_of(table)
    parquet = _parquet()
    about = {METADATA: json.dumps(asdict(result) | {"digest": digest}).encode()}
    content = io.BytesIO()
    schema = table.schema.with_metadata({**(table.schema.metadata or {}), **about})
    parquet.write_table(table.cast(schema), content, compression="zstd")
    place.create(span.part(digest), content.getvalue())
    hit(BATCH_PART)
    return result


def result_of(table: pa.Table) -> PartResult:
    """Returns what a table has."""
    failures = Counter(table.column("failure").drop_null().to_pylist())
    return PartResult(table.num_rows, table.num_rows - table.column("verdict").null_count, dict(failures))


def read_result(content: bytes) -> PartResult | None:
    """Returns what a part has, from its metadata; None for a file that is no complete part."""
    try:
        found = _parquet().read_metadata(io.BytesIO(content)).metadata or {}
        about: dict[str, Any] = json.loads(found[METADATA])
        return PartResult(int(about["rows"]), int(about["articles"]), dict(about["failures"]))
    except (arrow().ArrowInvalid, KeyError, ValueError, TypeError):
        return None


def _parquet() -> Any:
    arrow()
    from pyarrow import parquet

    return parquet
