"""The actions on secret addresses of feeds: one makes an address, the other revokes it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from newscrawl.standing_searches.scopes import check_scope, scope_of, title_of
from newscrawl.storage import events
from newscrawl.storage.feed import feed_addresses
from newscrawl.storage.feed.feed_addresses import FeedScope
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.reader import Connection
from newscrawl.storage.store import Store
from newscrawl.web.access.gate import SECRET_FEEDS
from newscrawl.web.actions.action import Action, AddressChoice, FeedChoice, Means, Plan
from newscrawl.web.queries import NotFoundError

BACK: Final = "/feeds"


def plan_make(connection: Connection, choice: FeedChoice) -> Plan:
    """Says what a new address gives. Raises UsageError for what is not known."""
    scope = scope_of(choice.site, choice.language, choice.search)
    check_scope(connection, scope)
    said = (
        f'A secret address of the feed "{title_of(scope)}" is made.',
        "Whoever has it reads titles and summaries there without a log-in, until it is revoked.",
        "It is shown once, because only its hash is stored.",
    )
    return Plan(_make_command(scope), said, "")


def make(store: Store, choice: FeedChoice, means: Means, who: str, now: datetime) -> Sequence[str]:
    """Makes an address."""
    scope = scope_of(choice.site, choice.language, choice.search)
    secret = feed_addresses.new_secret()
    number = store.run(feed_addresses.add, secret, scope, who[:200], now).result()
    _note(store, scope, "operator/feed_made", who, _make_command(scope), now)
    address = f"{means.base}{SECRET_FEEDS}{secret}"
    return (
        f"Address {number} of a feed is made. Copy it now, as Atom or as JSON Feed: it is not shown again.",
        f"{address}.atom",
        f"{address}.json",
    )


def plan_revoke(connection: Connection, choice: AddressChoice) -> Plan:
    """Says which address would end. Raises NotFoundError for one that does not work."""
    scope = _scope(connection, choice.id)
    said = f'Address {choice.id} of the feed "{title_of(scope)}" would be answered as if it had never been made.'
    return Plan(_revoke_command(choice.id), (said,), "", is_final=True)


def revoke(store: Store, choice: AddressChoice, _means: Means, who: str, now: datetime) -> Sequence[str]:
    """Revokes an address."""
    with store.reading() as connection:
        scope = _scope(connection, choice.id)
    store.run(feed_addresses.revoke, choice.id, now).result()
    _note(store, scope, "operator/feed_revoked", who, _revoke_command(choice.id), now)
    return (f"Address {choice.id} is revoked.",)


def _scope(connection: Connection, number: int) -> FeedScope:
    found = feed_addresses.by_number(connection, number)
    if found is None or found.revoked_at is not None:
        raise NotFoundError(f"no address with the number {number} works")
    return found.scope


def _make_command(scope: FeedScope) -> str:
    what = f" --{scope.kind} {shlex.quote(scope.value)}" if scope.value is not None else ""
    return f"newscrawl feed-address new{what}"


def _revoke_command(number: int) -> str:
    return f"newscrawl feed-address revoke {number}"


def _note(store: Store, scope: FeedScope, kind: str, who: str, command: str, now: datetime) -> None:
    site = scope.value if scope.kind == "site" and scope.value is not None else alarms.FLEET
    store.run(events.record_act, site, kind, who, command, now).result()


ACTIONS: Final = (
    Action("feed-address", "Make a secret address", FeedChoice, plan_make, make, takes_base=True, back_to=BACK),
    Action("revoke-address", "Revoke the address", AddressChoice, plan_revoke, revoke, back_to=BACK),
)
