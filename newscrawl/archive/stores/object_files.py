"""Closed archive files as objects of an object store (the extra `s3`, with obstore).

Endpoint, region and keys come from the usual variables (AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, ...), which
only obstore reads. They stand in no setting, no log line, no error and no row.
"""

from __future__ import annotations

import io
import mmap
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast
from urllib.parse import urlsplit
from uuid import uuid4

from newscrawl.archive.files import SUFFIX, OpenFile
from newscrawl.archive.stores.closed_files import ClosedFile
from newscrawl.archive.stores.object_address import bucket_and_prefix
from newscrawl.archive.stores.object_errors import stated
from newscrawl.archive.stores.object_reader import BLOCK, ObjectReader
from newscrawl.errors import ArchiveError, UsageError

if TYPE_CHECKING:
    from obstore.store import ClientConfig, ObjectStore

ANSWER_TIMEOUT: Final = timedelta(seconds=30)
"""For one small request."""
TRANSFER_TIMEOUT: Final = timedelta(minutes=30)
"""For one file on its way into the store."""
RETRIES: Final = 4
RETRY_TIMEOUT: Final = timedelta(seconds=30)
"""Time from the first attempt of a request after which it is not tried again."""
READ_AHEAD: Final = 1 << 20
"""Bytes that are read at once: captures are mostly read in their order, and one has about 20 kB."""
_LOCAL: Final = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class Clients:
    """Clients of one store: one for small requests, and one for whole files, which may take longer."""

    small: ObjectStore
    large: ObjectStore


@dataclass
class _Block:
    """The last range that was read."""

    name: str = ""
    offset: int = 0
    data: bytes = b""


@dataclass
class ObjectFiles:
    """Closed files in an object store. To be used by any threads."""

    place: str
    clients: Clients
    _last: threading.local = field(default_factory=threading.local)

    def put(self, path: Path, name: str) -> None:
        """Stores a complete local file under a name that is not taken, with its checksum. A file that is there already
        must have the same bytes: a process killed in between had stored it. Raises ArchiveError."""
        size = self._size(name) if self._put(path, name) else self._compared(path, name)
        if size != path.stat().st_size:
            raise ArchiveError(
                f"the object store {self.place} has other bytes under the name {name}: the local file is kept; compare "
                "them, and delete the object if it is not complete"
            )

    def check(self) -> None:
        """Raises ArchiveError if the store cannot be read."""
        with self._stating("list the files"):
            next(iter(_obstore().list(self.clients.small, chunk_size=1)), None)

    def try_out(self) -> None:
        """Stores, reads and deletes a small object. Raises ArchiveError if the store does not allow that."""
        self.check()
        name = f"newscrawl-doctor-{uuid4().hex}"
        with self._stating("store an object"):
            _obstore().put(self.clients.small, name, b"newscrawl doctor", mode="create", use_multipart=False)
        try:
            self._range(name, 4, 2)
        finally:
            self.delete(name)

    def create(self, name: str, content: bytes) -> bool:
        """Stores an object under a name that is not taken. Returns False if it is. Raises ArchiveError."""
        return self._put_once(content, name)

    def replace(self, name: str, content: bytes) -> None:
        """Stores an object in place of any other of its name. Raises ArchiveError."""
        with self._stating(f"store {name}"):
            _obstore().put(self.clients.large, name, content, use_multipart=False)

    def sizes(self) -> dict[str, int]:
        """Returns the sizes of all objects in bytes, by name. Raises ArchiveError."""
        with self._stating("list the files"):
            found = _obstore().list_with_delimiter(self.clients.small)["objects"]
        prefix = bucket_and_prefix(self.place)[1]
        return {str(item["path"]).removeprefix(f"{prefix}/"): int(item["size"]) for item in found}

    def listed(self) -> dict[str, ClosedFile]:
        with self._stating("list the files"):
            found = _obstore().list_with_delimiter(self.clients.small)["objects"]  # not what is below other prefixes
        files = (ClosedFile(str(item["path"]), int(item["size"]), item["last_modified"]) for item in found)
        return {file.name: file for file in files if file.name.endswith(SUFFIX)}

    def read(self, name: str, offset: int, length: int) -> bytes:
        block: _Block | None = getattr(self._last, "block", None)
        if block is None or block.name != name or not self._has(block, offset, length):
            data = self._range(name, offset, max(length, READ_AHEAD))
            block = self._last.block = _Block(name, offset, data)
        data = block.data[offset - block.offset : offset - block.offset + length]
        if len(data) < length:
            raise ArchiveError(f"{name} in the object store {self.place} ends before byte {offset + length}")
        return data

    def open(self, name: str) -> BinaryIO:
        def fetch(offset: int, length: int) -> bytes:
            data = self._range(name, offset, length)
            if len(data) < length:
                raise ArchiveError(f"{name} in the object store {self.place} ends before byte {offset + length}")
            return data

        reader = io.BufferedReader(ObjectReader(fetch, self._size(name)), 1 << 16)
        return cast("BinaryIO", reader)

    def has(self, name: str) -> bool:
        try:
            self._size(name)
        except FileNotFoundError:
            return False
        return True

    def is_written(self, name: str) -> bool:
        return False

    def prepare_replacement(self, written: OpenFile) -> None:
        self.put(written.path, written.name)

    def complete_replacement(self, written: OpenFile) -> None:
        written.abandon()
        written.path.unlink(missing_ok=True)

    def delete(self, name: str) -> None:
        try:
            with self._stating(f"delete {name}"):
                _obstore().delete(self.clients.small, name)
        except FileNotFoundError:
            return

    def _put(self, path: Path, name: str) -> bool:
        """Returns False if an object has the name already."""
        # Mapped, a file does not fill the memory: a request that must not replace an object cannot be made in parts.
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return self._put_once(content, name)

    def _put_once(self, content: bytes | mmap.mmap, name: str) -> bool:
        from obstore.exceptions import AlreadyExistsError, PreconditionError

        try:
            with self._stating(f"store {name}", AlreadyExistsError, PreconditionError):
                _obstore().put(self.clients.large, name, content, mode="create", use_multipart=False)
        except (AlreadyExistsError, PreconditionError):
            return False
        return True

    def _compared(self, path: Path, name: str) -> int:
        """Returns the size of the object if it begins with the bytes of the file, or is the begin of it; else -1."""
        size = self._size(name)
        with path.open("rb") as ours, self.open(name) as theirs:
            while part := theirs.read(BLOCK):
                if ours.read(len(part)) != part:
                    return -1
        return size

    def _size(self, name: str) -> int:
        with self._stating(f"find {name}"):
            return int(_obstore().head(self.clients.small, name)["size"])

    def _range(self, name: str, offset: int, length: int) -> bytes:
        with self._stating(f"read {name}"):
            return bytes(_obstore().get_range(self.clients.small, name, start=offset, length=length))

    @staticmethod
    def _has(block: _Block, offset: int, length: int) -> bool:
        return block.offset <= offset and offset + length <= block.offset + len(block.data)

    @contextmanager
    def _stating(self, doing: str, *passed: type[Exception]) -> Iterator[None]:
        """Raises errors of obstore as ArchiveError, without their text; a missing object as FileNotFoundError."""
        from obstore.exceptions import BaseError

        try:
            yield
        except passed:
            raise
        except FileNotFoundError as error:
            if "NoSuchBucket" in str(error):
                raise stated(self.place, doing, error) from None
            gone = f"cannot {doing} in the object store {self.place}: it has no such object"
            raise FileNotFoundError(gone) from None
        except (BaseError, OSError, ValueError) as error:
            raise stated(self.place, doing, error) from None  # the error of obstore must be in no log


@cache
def object_files_at(address: str) -> ObjectFiles:
    """Returns the files of the store at an address. No request is sent yet. Raises UsageError without obstore, and
    ArchiveError if its variables cannot be used."""
    return ObjectFiles(address, connect(address))


def connect(
    address: str,
    answer_timeout: timedelta = ANSWER_TIMEOUT,
    transfer_timeout: timedelta = TRANSFER_TIMEOUT,
    retry_timeout: timedelta = RETRY_TIMEOUT,
) -> Clients:
    """Returns clients of the store at an address. Raises UsageError, ArchiveError."""
    _obstore()
    from obstore.exceptions import BaseError
    from obstore.store import S3Store

    bucket, prefix = bucket_and_prefix(address)
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or ""
    options: dict[str, Any] = {}
    if not os.environ.get("AWS_CHECKSUM_ALGORITHM"):
        options["checksum_algorithm"] = "SHA256"
    if endpoint:
        options["endpoint"] = endpoint
    local: ClientConfig = {"allow_http": True} if urlsplit(endpoint).hostname in _LOCAL else {}
    try:
        small, large = (
            S3Store(
                bucket,
                prefix=prefix or None,
                client_options={"timeout": timeout, **local},
                retry_config={"max_retries": RETRIES, "retry_timeout": retry_timeout},
                **options,
            )
            for timeout in (answer_timeout, transfer_timeout)
        )
    except (BaseError, OSError, ValueError) as error:
        raise stated(address, "use the AWS_ variables", error) from None
    return Clients(small, large)


def _obstore() -> Any:
    try:
        import obstore
    except ModuleNotFoundError as error:
        raise UsageError(
            "an archive in an object store needs obstore: run `pip install '.[s3]'` in newscrawl's clone"
        ) from error
    return obstore
