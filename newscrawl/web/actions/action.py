"""The classes of an action: its subject, its plan, and the services that it uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from newscrawl.storage.reader import Connection
from newscrawl.storage.store import Store
from newscrawl.web.background import Reextractions, Surveys


@dataclass(frozen=True, slots=True)
class SiteChoice:
    """Which site."""

    site: str


@dataclass(frozen=True, slots=True)
class PauseChoice:
    """Which site, and for how many hours; None: until it is resumed."""

    site: str
    hours: int | None = None


@dataclass(frozen=True, slots=True)
class ReviewChoice:
    """The pages of a site, or one page by its address."""

    site: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class ForgetChoice:
    """Which page, whether it must never be fetched again, and why."""

    url: str
    block: Literal["yes"] | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class AddChoice:
    """Which new site, by an address of it, and a feed of it that is known."""

    url: str
    feed: str | None = None


@dataclass(frozen=True, slots=True)
class FeedChoice:
    """Of what a feed gets a secret address: of a site, of a language or of a standing search; of everything without
    any of them."""

    site: str | None = None
    language: str | None = None
    search: str | None = None


@dataclass(frozen=True, slots=True)
class AddressChoice:
    """Which secret address of a feed, by its number."""

    id: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of an action: the equal command, sentences for the operator, and the page to return to."""

    command: str
    sentences: Sequence[str]
    back: str
    is_final: bool = False
    """Whether it cannot be undone."""
    cancel: str = ""
    """The address of the page to return to without the action; "" for that after it."""


@dataclass(frozen=True, slots=True)
class Archive:
    """The raw archive of this machine: its folder (None without one), and the machine's name."""

    folder: Path | None
    machine: str
    store_address: str | None = None
    """The object store into which closed files are moved; None without one."""


@dataclass(frozen=True, slots=True)
class Means:
    """The services that actions use besides the database; `surveys` only where sites are surveyed, `reextractions` only
    where the pages show a project. `base` is the address of the pages."""

    archive: Archive
    surveys: Surveys | None = None
    base: str = ""
    reextractions: Reextractions | None = None
    database: str | None = None
    """The address of the database, without its password, if it was named without a project."""


@dataclass(frozen=True, slots=True)
class Action:
    """An action. `plan` changes nothing. `act` does it and returns what was done, in sentences."""

    name: str
    title: str
    choice: type[Any]
    plan: Callable[[Connection, Any], Plan]
    act: Callable[[Store, Any, Means, str, datetime], Sequence[str]]
    leads_to: str = ""
    """The address of the page that shows what was done; "" for one that only says it."""
    takes_database: bool = True
    """Whether the equal command takes `--database`. The others need the project, as for its archive."""
    takes_base: bool = False
    """Whether the equal command takes `--base`, the address of the pages."""
    back_to: str = ""
    """The address of the page to return to, before and after the action; "" for that of the site."""
