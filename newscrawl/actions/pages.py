"""Actions on pages and feeds: forget a page, make and revoke a secret address of a feed. `ACTIONS` lists all."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from newscrawl.actions import site
from newscrawl.actions.choices import Action, AddressChoice, Done, FeedChoice, ForgetChoice, Means, Plan
from newscrawl.errors import NotFoundError, UsageError
from newscrawl.model.wording import counted
from newscrawl.publishing.deliver.feeds import check_scope, scope_of, title_of
from newscrawl.storage.articles.lookup import page_at
from newscrawl.storage.feed import feed_addresses
from newscrawl.storage.feed.feed_addresses import FeedScope
from newscrawl.storage.monitoring.alarms import FLEET
from newscrawl.storage.reader import Connection
from newscrawl.storage.removal import forget
from newscrawl.storage.removal.forget import ForgottenRows
from newscrawl.storage.removal.register import MAX_REASON, ForgetCause
from newscrawl.storage.store import Store

if TYPE_CHECKING:
    from newscrawl.archive.remove import Removed

LEFT: Final[Mapping[str, str]] = {
    "busy": "A running crawl writes {}, which contains it: forget it again after that crawl.",
    "missing": "Not searched: {} cannot be opened here.",
}
"""What is said of an archive file that still has to be searched, by why."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was removed from the database and from the archive, and the `addresses` of the page that were removed."""

    rows: ForgottenRows
    archived: Removed
    addresses: Sequence[str]


def remove(
    store: Store, means: Means, url: str | None, of_site: str | None, now: datetime, *, block: bool, cause: ForgetCause
) -> Forgotten:
    """Removes a page, or a site, with everything about it, here and, by a request, from the archives of other machines.
    Raises InvalidUrl, UsageError, ArchiveError, StorageError."""
    from newscrawl.archive.remove import forget as forget_archived  # what else is done here needs no archive

    with store.reading() as connection:
        addresses = list(dict.fromkeys(forget.addresses(connection, url))) if url is not None else []
    # The archive comes first, while the database has all addresses of the page: after a kill both are repeated.
    archived = forget_archived(store, means.archive, addresses, of_site, machine=means.machine)
    if of_site is not None:
        rows = store.run(forget.forget_site, of_site, now, block=block, cause=cause).result()
    else:
        rows = store.run(forget.forget_url, url or "", now, block=block, cause=cause).result()
    return Forgotten(rows, archived, addresses)


def plan_forget(connection: Connection, choice: ForgetChoice) -> Plan:
    """Says what would go. Raises InvalidUrl, UsageError for a reason that is too long, and NotFoundError if there is
    nothing to forget or block."""
    if choice.reason is not None and len(choice.reason) > MAX_REASON:
        raise UsageError(f"reason: give at most {MAX_REASON} characters")
    there = forget.look(connection, url=choice.url)
    if not (there.pages or there.captures or choice.block):
        raise NotFoundError(f"nothing of {choice.url[:200]} is stored")
    numbers = f"{counted(there.pages, 'page')}, {counted(there.articles, 'article')}"
    said = [f"{numbers} and {counted(there.captures, 'capture')} in the raw archive would go, with all versions."]
    if there.kept:
        said.append(f"{counted(there.kept, 'text stays', 'texts stay')} with other pages.")
    said += ["It is blocked: never fetched or stored again."] if choice.block else []
    page = page_at(connection, choice.url)
    return Plan(said, page.site if page is not None else "", is_final=True, url=page.url if page is not None else None)


def forget_page(store: Store, choice: ForgetChoice, means: Means, who: str, now: datetime) -> Done[Forgotten]:
    """Removes a page as `remove` does."""
    cause = ForgetCause(who, choice.reason or None)
    found = remove(store, means, choice.url, None, now, block=choice.block is not None, cause=cause)
    said = [f"Forgot {counted(found.rows.pages, 'page')} and {counted(found.rows.articles, 'article')}."]
    said += [LEFT[left.why].format(left.file) for left in found.archived.left if left.why in LEFT]
    said += [
        f"{waiting.machine or 'A machine'} was asked to remove it from {counted(waiting.files, 'file')}."
        for waiting in found.archived.waiting
        if waiting.machine != means.machine
    ]
    return Done(said, found)


def plan_make(connection: Connection, choice: FeedChoice) -> Plan:
    """Says what a new address gives. Raises UsageError for what is not known."""
    scope = scope_of(choice.site, choice.language, choice.search)
    check_scope(connection, scope)
    said = (
        f'A secret address of the feed "{title_of(scope)}" is made.',
        "Whoever has it reads titles and summaries there without a log-in, until it is revoked.",
        "It is shown once, because only its hash is stored.",
    )
    return Plan(said, _concerned(scope))


def make(store: Store, choice: FeedChoice, means: Means, who: str, now: datetime) -> Done[int]:
    """Makes an address. Finds its number; the address as Atom and as JSON Feed is what is said last."""
    scope = scope_of(choice.site, choice.language, choice.search)
    secret = feed_addresses.new_secret()
    number = store.run(feed_addresses.add, secret, scope, who[:200], now).result()
    said = f"Address {number} of a feed is made. Copy it now, as Atom or as JSON Feed: it is not shown again."
    return Done((said, f"{means.feeds}{secret}.atom", f"{means.feeds}{secret}.json"), number)


def plan_revoke(connection: Connection, choice: AddressChoice) -> Plan:
    """Says which address would end. Raises NotFoundError for one that does not work."""
    found = feed_addresses.by_number(connection, choice.id)
    if found is None or found.revoked_at is not None:
        raise NotFoundError(f"no address with the number {choice.id} works")
    said = f'Address {choice.id} of the feed "{title_of(found.scope)}" would be answered as if it had never been made.'
    return Plan((said,), _concerned(found.scope), is_final=True)


def revoke(store: Store, choice: AddressChoice, _means: Means, _who: str, now: datetime) -> Done[bool]:
    """Revokes an address. Finds whether it worked until now."""
    has_worked = store.run(feed_addresses.revoke, choice.id, now).result()
    return Done((f"Address {choice.id} is revoked.",), has_worked)


def _concerned(scope: FeedScope) -> str:
    return scope.value if scope.kind == "site" and scope.value is not None else FLEET


def _forget_command(choice: ForgetChoice) -> str:
    why = f" --reason {shlex.quote(choice.reason)}" if choice.reason else ""
    return f"newscrawl forget {shlex.quote(choice.url)}{' --block' if choice.block else ''}{why}"


def _make_command(choice: FeedChoice) -> str:
    scope = scope_of(choice.site, choice.language, choice.search)
    what = f" --{scope.kind} {shlex.quote(scope.value)}" if scope.value is not None else ""
    return f"newscrawl feed-address new{what}"


FORGET: Final = Action(
    *("forget", "Forget", ForgetChoice, plan_forget, forget_page, _forget_command, "operator/forgot"),
    back_to="/forgotten",
    takes_database=False,
    recorded="newscrawl forget (of one page)",
)
MAKE: Final = Action(
    *("feed-address", "Make a secret address", FeedChoice, plan_make, make, _make_command, "operator/feed_made"),
    takes_base=True,
    back_to="/feeds",
)
REVOKE: Final = Action(
    *("revoke-address", "Revoke the address", AddressChoice, plan_revoke, revoke),
    lambda choice: f"newscrawl feed-address revoke {choice.id}",
    "operator/feed_revoked",
    back_to="/feeds",
)
ACTIONS: Final = (site.PAUSE, site.RESUME, site.ACCEPT, site.RELEASE, site.REEXTRACT, FORGET, site.ADD, MAKE, REVOKE)
"""All actions of the pages, in the order of docs/reference/web-api.md."""
