"""The screen of what was forgotten: what is blocked, and which machines have confirmed its removal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from newscrawl.storage.captures import archive_files
from newscrawl.storage.captures.archive_files import Removal
from newscrawl.storage.reader import Connection
from newscrawl.storage.removal import blocklist, register
from newscrawl.storage.removal.blocklist import BlockedKey
from newscrawl.storage.removal.register import ForgottenEntry
from newscrawl.web.screens.screen import Context, Screen

SIZE: Final = 200
REMOVALS: Final = 100
ENTRIES: Final = 100


@dataclass(frozen=True, slots=True)
class ForgottenQuery:
    """Which blocked addresses and sites: those after a part (`next`)."""

    after: str | None = None


@dataclass(frozen=True, slots=True)
class ForgottenScreen:
    """The latest entries of the register, what is blocked, sites first, and the latest requests to remove pages from
    archives. `next` is the parameter `after` of the following part of `blocked`, None at the end."""

    register: Sequence[ForgottenEntry]
    blocked: Sequence[BlockedKey]
    removals: Sequence[Removal]
    next: str | None


def load(connection: Connection, query: ForgottenQuery, _context: Context) -> ForgottenScreen:
    """Returns what was forgotten."""
    found = blocklist.listed(connection, SIZE + 1, query.after)
    last = found[SIZE - 1] if len(found) > SIZE else None
    return ForgottenScreen(
        tuple(register.latest(connection, ENTRIES)),
        tuple(found[:SIZE]),
        tuple(archive_files.requests(connection, REMOVALS)),
        f"{last.kind}:{last.name}" if last is not None else None,
    )


SCREEN = Screen("forgotten", "/forgotten", "Forgotten", ForgottenQuery, ForgottenScreen, load)
