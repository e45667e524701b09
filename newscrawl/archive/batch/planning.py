"""Which files a batch reads, and into which spans it divides them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from newscrawl.archive.batch.parts import PartSpan
from newscrawl.archive.batch.spans import shown
from newscrawl.archive.ingest.inputs import divided, divided_at_records
from newscrawl.archive.warc import is_gzip
from newscrawl.archive.web_files import is_remote, open_input
from newscrawl.errors import UsageError, os_reason
from newscrawl.model.address_policy import AddressPolicy

MIN_SPAN: Final = 2 << 20
MAX_SPAN: Final = 32 << 20
"""Bytes of a span of a compressed file: about 100 and 1,600 news pages. A larger span makes fewer parts; a smaller one
loses less work with a worker."""
SPANS: Final = 512
"""Spans into which all files of a first command are divided, as far as the limits of a span's size allow."""
PLAIN: Final = 8
"""A span of an uncompressed file has so many times the bytes."""
PAGE: Final = 20 << 10
"""Bytes of a compressed news page, to estimate the pages of a span."""
_FINGERPRINT: Final = 1 << 16
_AT_ONCE: Final = 8
"""Files that are looked at together: a remote one is a matter of waiting."""
_WARC: Final = (".warc", ".warc.gz")


@dataclass(frozen=True, slots=True)
class BatchFile:
    """A WARC file: its absolute path or its address, a key of its content (size, begin and end), its size in bytes."""

    file: str
    key: str
    size: int
    is_compressed: bool

    @property
    def shown(self) -> str:
        """The file in messages and in the manifest: an address without its query."""
        return shown(self.file)

    def spans(self, span_bytes: int) -> Iterator[PartSpan]:
        """Yields the spans in order. They depend only on the file and on `span_bytes`."""
        if self.is_compressed:
            parts = divided(self.size, span_bytes, taper=1)
        else:
            parts = divided_at_records(Path(self.file), self.size, span_bytes * PLAIN)
        for start, stop in parts:
            yield PartSpan(self.file, self.key, start, stop - start, self.is_compressed)


def span_bytes_of(files: Iterable[BatchFile]) -> int:
    """Returns the size of the spans of these files."""
    total = sum(file.size if file.is_compressed else file.size // PLAIN for file in files)
    return min(MAX_SPAN, max(MIN_SPAN, total // SPANS))


def files_at(names: Sequence[str], policy: AddressPolicy) -> list[BatchFile]:
    """Returns the WARC files: paths, folders of them, s3:// and http(s) addresses. The same content is taken once.

    Raises UsageError for a name that is none of these or cannot be read, and ArchiveError.
    """
    expanded = [file for name in names for file in _expanded(name)]
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        found = {file.key: file for file in reversed(list(threads.map(lambda file: look_at(file, policy), expanded)))}
    return list(reversed(found.values()))


def _expanded(name: str) -> Iterator[str]:
    if is_remote(name):
        yield name
        return
    if "://" in name:
        raise UsageError(f"cannot read {name}: give a path, s3://BUCKET/KEY or an http(s) address")
    path = Path(name).absolute()
    if not path.is_dir():
        yield str(path)
        return
    inside = sorted(str(file) for file in path.rglob("*") if file.name.lower().endswith(_WARC) and file.is_file())
    if not inside:
        raise UsageError(f"nothing to extract in {name}: no .warc or .warc.gz file")
    yield from inside


def look_at(name: str, policy: AddressPolicy) -> BatchFile:
    """Returns a WARC file. Raises UsageError if it is none or cannot be read, and ArchiveError."""
    try:
        with open_input(name, policy) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(0)
            head = file.read(_FINGERPRINT)
            file.seek(max(0, size - _FINGERPRINT))
            digest = hashlib.blake2b(b"%d " % size + head + file.read(_FINGERPRINT), digest_size=16)
            is_compressed = is_gzip(file)
    except OSError as error:
        raise UsageError(f"cannot read {name}: {os_reason(error)}") from error
    if is_compressed or head.startswith(b"WARC/"):
        if not is_compressed and is_remote(name):
            raise UsageError(f"cannot divide {shown(name)}: it is not compressed; download or compress it first")
        return BatchFile(name, digest.hexdigest(), size, is_compressed)
    raise UsageError(f"cannot extract {shown(name)}: it is not a WARC file")
