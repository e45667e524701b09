"""An object store as a place of complete files (the extra `s3`, with obstore).

Its address is s3://BUCKET/PREFIX. It has no keys, so it may stand in the database and in logs. Endpoint, region and
keys come from the usual variables (AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, ...), which only obstore reads.
They stand in no setting, no log line, no error and no row.
"""

from __future__ import annotations

import io
import mmap
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast
from urllib.parse import quote, urlsplit
from uuid import uuid4

from newscrawl.archive.files import SUFFIX, OpenFile
from newscrawl.archive.places import ListedFile
from newscrawl.errors import ArchiveError, ConfigurationError, UsageError
from newscrawl.model import OBJECT_STORE

if TYPE_CHECKING:
    from obstore.store import ClientConfig, ObjectStore

SETTING: Final = "NEWSCRAWL_ARCHIVE_URL"
MAX_ADDRESS: Final = 200
"""Characters of an address: as many as the database has for the holder of a file."""
MAX_FILE_MB: Final = 5_000
"""Megabytes of a file that a store accepts in one request (5 GB with S3)."""
ANSWER_TIMEOUT: Final = timedelta(seconds=30)
"""For one small request."""
TRANSFER_TIMEOUT: Final = timedelta(minutes=30)
"""For one file on its way into the store."""
RETRIES: Final = 4
RETRY_TIMEOUT: Final = timedelta(seconds=30)
"""Time from the first attempt of a request after which it is not tried again."""
READ_AHEAD: Final = 1 << 20
"""Bytes that are read at once: captures are mostly read in their order, and one has about 20 kB."""
BLOCK: Final = 8 << 20
"""Bytes of a range. A file is searched from its begin to its end, so large ranges make few requests."""
_LOCAL: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_BUCKET: Final = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_STATUS: Final = re.compile(r"status code: (\d{3})")
_CODE: Final = re.compile(r"<Code>([A-Za-z0-9]{1,60})</Code>")
_NO_KEYS: Final = ("169.254.169.254", "latest/api/token", "instance credentials")
_NO_RANGES: Final = ("non-partial response", "Content-Range")
KEYS: Final = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"


class ObjectReader(io.RawIOBase):
    """An object of `size` bytes. `fetch(offset, length)` returns a range; the last one is kept. Each range is fetched
    within a context that `fetching` makes. `on_close` is called when the file is closed."""

    fetching: Callable[[], AbstractContextManager[Any]]

    def __init__(
        self,
        fetch: Callable[[int, int], bytes],
        size: int,
        block: int = BLOCK,
        on_close: Callable[[], None] | None = None,
    ) -> None:
        self._fetch = fetch
        self._size = size
        self._block = block
        self._on_close = on_close
        self._position = 0
        self._start = 0
        self._data = b""
        self.fetching = nullcontext

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def close(self) -> None:
        if not self.closed and self._on_close is not None:
            self._on_close()
        super().close()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        self._position = max(0, base + offset)
        return self._position

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if self._position >= self._size:
            return 0
        if not self._start <= self._position < self._start + len(self._data):
            self._start = self._position - self._position % self._block
            with self.fetching():
                self._data = self._fetch(self._start, min(self._block, self._size - self._start))
        at = self._position - self._start
        part = self._data[at : at + len(buffer)]
        buffer[: len(part)] = part
        self._position += len(part)
        return len(part)


@dataclass
class ObjectPlace:
    """A prefix of an object store. To be used by any threads. One client is for small requests, and one for whole
    files, which may take longer."""

    address: str
    small: ObjectStore
    large: ObjectStore
    _last: threading.local = field(default_factory=threading.local)

    def put(self, path: Path, name: str) -> None:
        """Stores a complete local file under a name that is not taken, with its checksum. A file that is there already
        must have the same bytes: a process killed in between had stored it. Raises ArchiveError."""
        size = self._size(name) if self._put(path, name) else self._compared(path, name)
        if size != path.stat().st_size:
            raise ArchiveError(
                f"the object store {self.address} has other bytes under the name {name}: the local file is kept; "
                "compare them, and delete the object if it is not complete"
            )

    def check(self) -> None:
        """Raises ArchiveError if the store cannot be read."""
        with self._stating("list the files"):
            next(iter(_obstore().list(self.small, chunk_size=1)), None)

    def try_out(self) -> None:
        """Stores, reads and deletes a small object. Raises ArchiveError if the store does not allow that."""
        self.check()
        name = f"newscrawl-doctor-{uuid4().hex}"
        with self._stating("store an object"):
            _obstore().put(self.small, name, b"newscrawl doctor", mode="create", use_multipart=False)
        try:
            self._range(name, 4, 2)
        finally:
            self.delete(name)

    def create(self, name: str, content: bytes) -> bool:
        return self._put_once(content, name)

    def replace(self, name: str, content: bytes) -> None:
        with self._stating(f"store {name}"):
            _obstore().put(self.large, name, content, use_multipart=False)

    def listed(self, ending: str = SUFFIX) -> dict[str, ListedFile]:
        with self._stating("list the files"):
            found = _obstore().list_with_delimiter(self.small)["objects"]  # not what is below other prefixes
        files = (ListedFile(str(item["path"]), int(item["size"]), item["last_modified"]) for item in found)
        return {file.name: file for file in files if file.name.endswith(ending)}

    def read(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        if length is None:
            with self.open(name) as file:
                file.seek(offset)
                return file.read()
        of, begin, kept = getattr(self._last, "read", ("", 0, b""))
        if of != name or not begin <= offset <= offset + length <= begin + len(kept):
            begin, kept = offset, self._range(name, offset, max(length, READ_AHEAD))
            self._last.read = (name, begin, kept)
        data: bytes = kept[offset - begin : offset - begin + length]
        if len(data) < length:
            raise ArchiveError(f"{name} in the object store {self.address} ends before byte {offset + length}")
        return data

    def open(self, name: str) -> BinaryIO:
        def fetch(offset: int, length: int) -> bytes:
            data = self._range(name, offset, length)
            if len(data) < length:
                raise ArchiveError(f"{name} in the object store {self.address} ends before byte {offset + length}")
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
                _obstore().delete(self.small, name)
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
                _obstore().put(self.large, name, content, mode="create", use_multipart=False)
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
            return int(_obstore().head(self.small, name)["size"])

    def _range(self, name: str, offset: int, length: int) -> bytes:
        with self._stating(f"read {name}"):
            return bytes(_obstore().get_range(self.small, name, start=offset, length=length))

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
                raise _stated(self.address, doing, error) from None
            gone = f"cannot {doing} in the object store {self.address}: it has no such object"
            raise FileNotFoundError(gone) from None
        except (BaseError, OSError, ValueError) as error:
            raise _stated(self.address, doing, error) from None  # the error of obstore must be in no log


@cache
def object_place_at(address: str) -> ObjectPlace:
    """Returns the place at the address of a store. No request is sent yet. Raises UsageError without obstore, and
    ArchiveError if its variables cannot be used."""
    return ObjectPlace(address, *connect(address))


def connect(
    address: str,
    answer_timeout: timedelta = ANSWER_TIMEOUT,
    transfer_timeout: timedelta = TRANSFER_TIMEOUT,
    retry_timeout: timedelta = RETRY_TIMEOUT,
) -> tuple[ObjectStore, ObjectStore]:
    """Returns the clients of the store at an address, for small requests and for whole files. Raises UsageError,
    ArchiveError."""
    _obstore()
    from obstore.exceptions import BaseError
    from obstore.store import S3Store

    bucket, _, prefix = address.removeprefix(OBJECT_STORE).partition("/")
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
        raise _stated(address, "use the AWS_ variables", error) from None
    return small, large


def _obstore() -> Any:
    try:
        import obstore
    except ModuleNotFoundError as error:
        raise UsageError(
            "an archive in an object store needs obstore: run `pip install '.[s3]'` in newscrawl's clone"
        ) from error
    return obstore


def object_address(written: str) -> str:
    """Returns the address that a setting gives, without a slash at its end. Raises ConfigurationError, whose message
    does not repeat an address with something that could be a key."""
    bucket, _, prefix = written.removeprefix(OBJECT_STORE).strip("/").partition("/")
    if "@" in written or "?" in written or "#" in written:
        raise ConfigurationError(
            SETTING, "an address has no keys and no options: give s3://BUCKET/PREFIX, and the keys in AWS_ACCESS_KEY_ID"
        )
    if not _BUCKET.fullmatch(bucket) or quote(prefix, safe="/-_.~") != prefix or "//" in prefix:
        raise ConfigurationError(
            SETTING, f"{written!r} cannot be used: give s3://BUCKET/PREFIX, of letters, digits, '-', '_', '.' and '/'"
        )
    address = f"{OBJECT_STORE}{bucket}/{prefix}".rstrip("/")
    if len(address) > MAX_ADDRESS:
        raise ConfigurationError(SETTING, f"the address has {len(address)} characters: give at most {MAX_ADDRESS}")
    return address


def _stated(place: str, doing: str, error: Exception) -> ArchiveError:
    """Returns the error for an operator: what could not be done (`doing`), where, why, and what to do. Only
    what is known to be harmless is taken from the store's own text: that one repeats requests, with the key's name and
    tokens."""
    text = str(error)
    status, code = (found[1] if (found := wanted.search(text)) else "" for wanted in (_STATUS, _CODE))
    said = " ".join(filter(None, (status, code)))
    return ArchiveError(f"cannot {doing} in the object store {place}: {_reason(text, status, code, said)}")


def _reason(text: str, status: str, code: str, said: str) -> str:
    if any(mark in text for mark in _NO_KEYS):
        return f"there are no keys: set {KEYS}"
    if any(mark in text for mark in _NO_RANGES):
        return "it answers a range with the whole object (no status 206): use a store that serves ranges"
    if code == "NoSuchBucket":
        return "there is no such bucket: create it, or correct the address"
    if status in {"401", "403"} or "invalid authentication" in text or "lacked the" in text:
        return f"access is denied ({said or 'no rights'}): check {KEYS} and the rights of the key"
    if code in {"BadDigest", "InvalidDigest", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch"}:
        return f"the bytes did not arrive as they were sent ({said}): it is tried again"
    if said:
        return f"it answers with {said}"
    if "BadScheme" in text:
        return "its endpoint has no TLS: give one with https://, or set AWS_ALLOW_HTTP=true"
    return "it does not answer, or not to the end: check AWS_ENDPOINT_URL, AWS_REGION and the network"
