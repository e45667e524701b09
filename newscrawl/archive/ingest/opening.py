"""Opens a WARC file wherever it is: a local file, an object of an object store, a file of a web server."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

from newscrawl.archive.objects import ObjectReader
from newscrawl.archive.places import place_at
from newscrawl.archive.web_files import is_web_file, open_web_file, without_query
from newscrawl.errors import UsageError
from newscrawl.model import is_object_store
from newscrawl.model.address_policy import AddressPolicy

PUBLIC: Final = AddressPolicy()


class Fetching(Protocol):
    """Makes a context in which a range of a remote file is fetched."""

    def __call__(self) -> AbstractContextManager[Any]: ...


def is_remote(path: str) -> bool:
    """Returns whether a file is read in ranges over the network."""
    return is_object_store(path) or is_web_file(path)


def open_input(path: str, policy: AddressPolicy = PUBLIC, fetching: Fetching = nullcontext) -> BinaryIO:
    """Opens a WARC file: a path, the address of an object (s3://BUCKET/KEY) or an http(s) address that `policy` allows.

    Each range of a remote file is fetched within a context that `fetching` makes. Raises OSError for a local file, and
    ArchiveError or UsageError.
    """
    if not is_remote(path):
        return Path(path).open("rb")
    try:
        file = _open_remote(path, policy)
    except FileNotFoundError as error:
        raise UsageError(f"cannot read {without_query(path)}: {error.strerror or error}") from None
    reader = getattr(file, "raw", None)
    if isinstance(reader, ObjectReader):
        reader.fetching = fetching
    return file


def _open_remote(path: str, policy: AddressPolicy) -> BinaryIO:
    if is_web_file(path):
        return open_web_file(path, policy)
    place, _, name = path.rpartition("/")
    return place_at(place).open(name)
