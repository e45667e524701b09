"""The actions of operators on the pages of `newscrawl web`: who, when, and what. A site keeps its newest events, and so
does the whole fleet (`alarms.FLEET`), which has those on feeds of more than a site and on new sites."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from newscrawl.storage import events
from newscrawl.storage.records import Event

SITE: Final = "site:"
"""Begins the key of events that belong to a whole site. No URL key begins so."""


def record(connection: Connection, site: str, kind: str, who: str, did: str, now: datetime) -> None:
    """Records what somebody did with a site. `kind` is a slash-name, `did` the equal command."""
    events.record_all(connection, [Event(f"{SITE}{site}", "", site, now, kind, f"{who}: {did}")])


def load_site(connection: Connection, site: str) -> Sequence[Event]:
    """Returns the kept events of a site, oldest first."""
    return events.load_urls(connection, [f"{SITE}{site}"])
