"""The settings that the command gives a server: its addresses, its log-in and whether it may act."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from newscrawl.errors import UsageError
from newscrawl.extraction.article.make import ArticleOptions

if TYPE_CHECKING:
    from newscrawl.storage.store import Store

Clock = Callable[[], datetime]
"""Returns the present time."""

DEFAULT_PORT: Final = 8787
TOKEN_VARIABLE: Final = "NEWSCRAWL_WEB_TOKEN"  # noqa: S105  a name
"""The environment variable that has the token with which programs log in."""
MIN_TOKEN: Final = 16
"""Characters that a token must have. A shorter one can be guessed."""
WILDCARDS: Final = frozenset({"0.0.0.0", "[::]"})  # noqa: S104  a name of all addresses, of which none is a host
"""The names that a server listens on to be reached under every address of its machine."""
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""The names of this machine for itself, as a Host header has them."""


@dataclass(frozen=True, slots=True)
class Listening:
    """An address and a port. Port 0 is any free one."""

    address: str = "127.0.0.1"
    port: int = DEFAULT_PORT

    @property
    def name(self) -> str:
        """The address as a Host header has it."""
        return f"[{self.address}]" if ":" in self.address else self.address

    @property
    def is_wildcard(self) -> bool:
        """Whether the server listens on every address of its machine."""
        return self.name in WILDCARDS

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can connect."""
        return self.address == "localhost" or ipaddress.ip_address(self.address).is_loopback


@dataclass(frozen=True, slots=True)
class WebSettings:
    """The rights of a server. `origins` are the addresses under which a reverse proxy shows it (https://news.example).
    `token` is "" if programs cannot log in."""

    database_url: str = field(repr=False)
    listening: Listening = Listening()
    origins: tuple[str, ...] = ()
    token: str = field(default="", repr=False)
    actions: bool = False
    archive_folder: Path | None = None
    options: ArticleOptions = field(default_factory=ArticleOptions)
    """The options with which explained pages are extracted."""
    review_chains: tuple[str, ...] = ()
    """The chains that are compared with it."""
    machine: str = ""
    store_address: str | None = None
    """The object store into which closed files of the archive are moved; None without one."""
    project: Path | None = None
    """The folder of the project that the pages show; None if they show a database that was named without one."""
    open_store: Callable[[], Store] | None = field(default=None, repr=False)
    """Opens the database for one action; needed with `actions`."""

    def __post_init__(self) -> None:
        if self.token and len(self.token) < MIN_TOKEN:
            raise UsageError(f"the token in NEWSCRAWL_WEB_TOKEN is too short: give {MIN_TOKEN} characters or more")
        if not self.listening.is_loopback and not self.token:
            raise UsageError(
                f"other machines can connect to {self.listening.address}: set NEWSCRAWL_WEB_TOKEN to a secret of "
                f"{MIN_TOKEN} characters or more, or listen on 127.0.0.1"
            )

    @property
    def hosts(self) -> frozenset[str]:
        """The host names that a request may name, in lower case, without ports."""
        named = {host_of_origin(origin) for origin in self.origins}
        return frozenset({*named, *LOOPBACK, self.listening.name.lower()} - WILDCARDS)

    @property
    def base(self) -> str:
        """The address of the pages, without a slash at its end. A server that listens on all addresses is known under
        one of this machine only, unless an origin is given."""
        if self.origins:
            return self.origins[0]
        name = "127.0.0.1" if self.listening.is_wildcard else self.listening.name
        return f"http://{name}:{self.listening.port}"

    @property
    def is_secure(self) -> bool:
        """Whether all given origins have TLS, so that cookies must not travel without it."""
        return bool(self.origins) and all(origin.startswith("https://") for origin in self.origins)


def read_listening(text: str) -> Listening:
    """Returns the address of `ADDRESS:PORT`, `ADDRESS` or `:PORT`. Raises UsageError."""
    parts = urlsplit(f"//{text}")
    try:
        port = DEFAULT_PORT if parts.port is None else parts.port
        address = parts.hostname or "127.0.0.1"
        if address != "localhost":
            ipaddress.ip_address(address)
    except ValueError as error:
        raise UsageError(f"--listen {text}: give an IP address and a port, as 127.0.0.1:{DEFAULT_PORT}") from error
    return Listening(address, port)


def read_origin(text: str) -> str:
    """Returns an origin, https://HOST or http://HOST:PORT, in lower case. Raises UsageError."""
    try:
        parts = urlsplit(text.lower())
        is_origin = parts.scheme in {"http", "https"} and bool(parts.hostname) and not parts.username
        is_origin = is_origin and not (parts.query or parts.fragment)
        _ = parts.port
    except ValueError:
        is_origin = False
    if is_origin and parts.path not in {"", "/"}:
        raise UsageError(
            f"--origin {text}: the pages cannot be shown under a path: give them a host name or a port of their own, "
            f"as https://news.example.org"
        )
    if not is_origin:
        raise UsageError(f"--origin {text}: give the address that the browser shows, as https://news.example.org")
    return f"{parts.scheme}://{parts.netloc}"


def host_of_origin(origin: str) -> str:
    """Returns the host name of an origin, as a Host header has it without its port."""
    host = urlsplit(origin).hostname or ""
    return f"[{host}]" if ":" in host else host
