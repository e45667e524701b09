"""The classes of an action: its subject, its plan, what it did, and the services that it uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar

from newscrawl.storage.reader import Connection

if TYPE_CHECKING:  # `newscrawl web` loads this module to read, and only actions write
    from newscrawl.archive.writer import ArchiveSettings
    from newscrawl.storage.store import Store

F = TypeVar("F")


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
    """The plan of an action, in sentences for the operator. `site` is what it is recorded for: a site, the name of the
    whole fleet, or "" for nothing. `url` is the page that it is about, if that is stored."""

    sentences: Sequence[str]
    site: str
    is_final: bool = False
    """Whether it cannot be undone."""
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Done(Generic[F]):
    """What an action did: in sentences, and as a value. Nothing is recorded of one that has changed nothing."""

    said: Sequence[str]
    found: F
    has_changed: bool = True


@dataclass(frozen=True, slots=True)
class Means:
    """The services that actions use besides the database. `archive` and `machine` are the raw archive of this machine
    and its name. `feeds` is the address before the secret of a feed. `survey` begins a survey in the background and
    returns its number, `reextract` begins to extract a site's waiting pages again; None where that is not possible."""

    archive: ArchiveSettings | None = None
    machine: str = ""
    feeds: str = ""
    survey: Callable[[str, str | None, str], int] | None = None
    reextract: Callable[[str, str], None] | None = None


DATABASE_ALONE: Final = Means()
"""For actions that need only the database."""


@dataclass(frozen=True, slots=True)
class Action:
    """An action. `plan` changes nothing. `act` does it, given who asked for it. `command` is the equal command."""

    name: str
    title: str
    choice: type[Any]
    plan: Callable[[Connection, Any], Plan]
    act: Callable[[Store, Any, Means, str, datetime], Done[Any]]
    command: Callable[[Any], str]
    kind: str
    """The slash-name of the event that records it."""
    leads_to: str = ""
    """The address of the page that shows what was done; "" for one that only says it."""
    takes_database: bool = True
    """Whether the equal command takes `--database`. The others need the project, as for its archive."""
    takes_base: bool = False
    """Whether the equal command takes `--base`, the address of the pages."""
    back_to: str = ""
    """The address of the page to return to, before and after the action; "" for that of the site."""
    recorded: str = ""
    """What is recorded in place of the equal command, if that names what must not be kept."""
