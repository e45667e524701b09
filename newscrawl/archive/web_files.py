"""Opens a WARC file wherever it is: a local file, an object of an object store, a file of a web server.

Files of a web server are read in ranges (HTTP GET with Range). Their addresses are those that an operator names. They
pass the same address policy as the requests of a crawl, at the moment of the connection, and redirects are not
followed: a name cannot lead to a host that the policy refuses.
"""

from __future__ import annotations

import http.client
import io
import re
import socket
import ssl
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol, cast
from urllib.parse import urlsplit

from newscrawl.archive.objects import ObjectReader
from newscrawl.archive.places import place_at
from newscrawl.config.version import version
from newscrawl.errors import ArchiveError, UsageError
from newscrawl.model import is_object_store
from newscrawl.model.address_policy import AddressPolicy

WEB: Final = ("https://", "http://")
BLOCK: Final = 4 << 20
"""Bytes of a range: those of a small span."""
TIMEOUT: Final = 15.0
"""Seconds for a connection, and for each read from it."""
DEADLINE: Final = 120.0
"""Seconds for one range."""
PAUSES: Final = (0.5, 2.0, 8.0)
"""Seconds before a request is repeated that failed and may succeed later."""
_CHUNK: Final = 1 << 16
_TEMPORARY: Final = frozenset({429, 500, 502, 503, 504})
_RANGE: Final = re.compile(r"bytes (\d+)-(\d+)/(\d+)\Z")


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


def is_web_file(path: str) -> bool:
    """Returns whether a path is an http(s) address."""
    return path.lower().startswith(WEB)


def without_query(address: str) -> str:
    """Returns an address as it may be written down: without its query, which may hold a signature."""
    return address.partition("#")[0].partition("?")[0]


def open_web_file(address: str, policy: AddressPolicy) -> BinaryIO:
    """Opens a file of a web server for reading in any order. Raises UsageError for an address that cannot be used,
    FileNotFoundError for one that the server does not have, and ArchiveError."""
    file = _WebFile(address, policy)
    reader = ObjectReader(file.fetch, file.size(), BLOCK, file.close)
    return cast("BinaryIO", io.BufferedReader(reader, 1 << 16))


class _Again(Exception):
    """A request failed that may succeed later. The message says why."""


@dataclass
class _WebFile:
    """A file of a web server. Its size and validator are those of the first answer."""

    address: str
    policy: AddressPolicy
    _tag: str | None = None
    _size: int = -1
    _connection: _Connection | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.address)
        self._shown = without_query(self.address)
        if parts.username is not None or parts.password is not None:
            raise UsageError("an address of an archive must have no user and no password: remove them")
        if not parts.hostname:
            raise UsageError(f"cannot read {self._shown}: the address has no host")
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    def size(self) -> int:
        """Returns the number of bytes of the file."""
        if self._size < 0:
            self.fetch(0, 1)
        return self._size

    def fetch(self, offset: int, length: int) -> bytes:
        """Returns a range. Raises ArchiveError, FileNotFoundError."""
        reason = ""
        for pause in (0.0, *PAUSES):
            time.sleep(pause)
            try:
                return self._fetch(offset, length)
            except FileNotFoundError:
                self.close()
                raise
            except ssl.SSLCertVerificationError as error:
                raise self._failed(f"its certificate is not trusted: {error.verify_message}") from None
            except (_Again, OSError, http.client.HTTPException) as error:
                self.close()
                reason = str(error) or type(error).__name__
        raise self._failed(f"{reason}; the same command may work later")

    def _fetch(self, offset: int, length: int) -> bytes:
        connection = self._connection = self._connection or _Connection(self.address, self.policy)
        headers = {"Range": f"bytes={offset}-{offset + length - 1}", "User-Agent": f"newscrawl/{version()}"}
        connection.request("GET", self._path, headers=headers | {"Accept-Encoding": "identity"})
        answer = connection.getresponse()
        self._check(answer)
        found = _RANGE.match(answer.getheader("Content-Range", ""))
        tag, size = answer.getheader("ETag"), int(found[3]) if found else -1
        last = min(offset + length, size) - 1
        if found is None or (int(found[1]), int(found[2])) != (offset, last):
            raise self._failed("the server answers with another range than the requested one")
        if self._size < 0:
            self._tag, self._size = tag, size
        elif (tag, size) != (self._tag, self._size):
            raise self._failed("the file changed while it was read")
        return _body(answer, last - offset + 1)

    def _check(self, answer: http.client.HTTPResponse) -> None:
        """Raises the error of an answer that is not a range."""
        if answer.status == 206:
            return
        if answer.status in {404, 410}:
            raise FileNotFoundError(2, f"the server answers with {answer.status}")
        if answer.status in _TEMPORARY:
            raise _Again(f"the server answers with {answer.status}")
        if 300 <= answer.status < 400:
            target = without_query(answer.getheader("Location", ""))
            raise self._failed(f"the server redirects to {target or 'nowhere'}: name the final address")
        if answer.status == 200:
            raise self._failed("the server answers a range with the whole file (no status 206): download it first")
        raise self._failed(f"the server answers with {answer.status}")

    def _failed(self, reason: str) -> ArchiveError:
        self.close()
        return ArchiveError(f"cannot read {self._shown}: {reason}")

    def close(self) -> None:
        """Closes the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _body(answer: http.client.HTTPResponse, length: int) -> bytes:
    """Returns the body, within DEADLINE seconds: a socket's time-out applies to each read alone."""
    end, data = time.monotonic() + DEADLINE, bytearray()
    while len(data) < length:
        part = answer.read(min(_CHUNK, length - len(data)))
        if not part:
            raise _Again("the server closed the connection early")
        data += part
        if time.monotonic() > end:
            raise _Again(f"a range took longer than {DEADLINE:.0f} seconds")
    answer.read()  # the connection can be used again
    return bytes(data)


class _Connection(http.client.HTTPConnection):
    """A connection to an address that the policy allows, with TLS for https."""

    def __init__(self, address: str, policy: AddressPolicy) -> None:
        parts = urlsplit(address)
        self._policy = policy
        self._is_secure = parts.scheme.lower() == "https"
        self.default_port = 443 if self._is_secure else 80
        try:
            port = parts.port
        except ValueError:
            raise UsageError(f"cannot read {without_query(address)}: its port is no number from 1 to 65535") from None
        super().__init__(parts.hostname or "", port or self.default_port, timeout=TIMEOUT)

    def connect(self) -> None:
        """Resolves the host, checks all its addresses and connects to one of them."""
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        problem = self._policy.problem([str(address[0]) for *_, address in found], self.port)
        if problem is not None:
            raise UsageError(f"cannot read from {self.host}: {problem}")
        self.sock = _connected([address for *_, address in found])
        if self._is_secure:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)


def _connected(addresses: Sequence[tuple[Any, ...]]) -> socket.socket:
    """Returns a socket that is connected to the first of these addresses that answers. No name is resolved again."""
    last: OSError | None = None
    for host, port, *_ in addresses:
        try:
            return socket.create_connection((host, port), TIMEOUT)
        except OSError as error:
            last = error
    raise last or OSError("the host has no address")
