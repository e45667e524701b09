"""Grants of hosts: at most one process sends a request to a host, however many processes and machines use one database.

The row of a host in `hosts` has the process that sent the latest request (`owner`) and the end of its grant
(`busy_until`, empty if it has none). A request is granted when no other process has a grant in force, the delay has
passed since the latest request ended, and the pause that the host asked for is over, all by the database's clock. The
release of a grant stores what the answer changed. A grant that is never released ends by itself.

`wanted_at` is when a process other than the owner last wanted the host. While that is recent, the owner must claim the
host for each request; otherwise it may keep its grant and renew it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, bindparam, select, update

from newscrawl.scheduling.host import HostPolicy, later, next_request_at, resumed
from newscrawl.storage.engine.sql import Values, chunks, insert
from newscrawl.storage.engine.transactions import time_of
from newscrawl.storage.frontier.hosts import HostRow, state_of
from newscrawl.storage.tables.frontier import hosts

CONTESTED_FOR: Final = timedelta(seconds=60)
"""How long a host counts as wanted by several processes after the last of them claimed it."""

NOTED_EVERY: Final = timedelta(seconds=5)
"""How often `wanted_at` is written for a process that waits."""

YIELDED: Final = timedelta(seconds=0.25)
"""How much longer the last owner of a contested host waits, so that the others, who ask five times a second, get it."""

_STATE: Final = tuple(field.name for field in fields(HostRow))
_GRANT: Final = ("owner", "busy_until", "wanted_at")


@dataclass(frozen=True, slots=True)
class GrantDurations:
    """How long a grant stays in force: one that is kept for many requests until it is renewed, and one for a single
    request."""

    kept: timedelta
    single: timedelta


@dataclass(frozen=True, slots=True)
class Claim:
    """A process wants to send a request. `delay` is its own minimum since the latest request, in seconds."""

    key: str
    delay: float


@dataclass(frozen=True, slots=True)
class Release:
    """A process ends its grant. `state` has the host's state after its last request, with the times of the process's
    clock; None if it changed nothing."""

    key: str
    state: HostRow | None = None


@dataclass(frozen=True, slots=True)
class StoredGrant:
    """The row of a host: its state and its grant. Times are the database's."""

    state: HostRow
    owner: str | None = None
    busy_until: datetime | None = None
    wanted_at: datetime | None = None

    def is_contested(self, now: datetime) -> bool:
        """Whether a process other than the owner wanted the host lately."""
        return self.wanted_at is not None and self.wanted_at > now - CONTESTED_FOR


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a claim, at `now` by the database's clock. `stored` is the row before the claim; None while another
    transaction writes it.

    `is_kept` is whether the grant may be renewed; otherwise it is for one request. `due_at` is when delay and pause of
    a host end that no other process has.
    """

    now: datetime
    stored: StoredGrant | None
    is_granted: bool = False
    is_kept: bool = False
    due_at: datetime | None = None


def exchange(
    connection: Connection,
    owner: str,
    releases: Sequence[Release],
    claims: Sequence[Claim],
    durations: GrantDurations,
    is_dead: Callable[[str], bool] = lambda _owner: False,
    now: datetime | None = None,
) -> dict[str, Answer]:
    """Ends grants of the process, then answers its claims; returns the answers by key. No key occurs twice in either.

    A host whose owner `is_dead` is free. Rows that another transaction has locked are not waited for: their claims are
    not granted.
    """
    release(connection, owner, releases, now)
    if not claims:
        return {}
    by_key = {claim.key: claim for claim in claims}
    stored = _locked(connection, by_key, wait=False)
    unknown = by_key.keys() - stored
    if unknown:
        empty = [{"key": key, "failures": 0, "requests_today": 0} for key in sorted(unknown)]
        connection.execute(insert(connection, hosts).values(empty).on_conflict_do_nothing())
        stored |= _locked(connection, unknown, wait=False)
    now = time_of(connection, now)
    answers = {key: answer_to(claim, stored.get(key), owner, durations, is_dead, now) for key, claim in by_key.items()}
    _write(connection, [row for key, answer in answers.items() for row in _changes(key, answer, owner, durations)])
    return answers


def answer_to(
    claim: Claim,
    stored: StoredGrant | None,
    owner: str,
    durations: GrantDurations,
    is_dead: Callable[[str], bool],
    now: datetime,
) -> Answer:
    """Decides a claim of `owner` at `now`."""
    if stored is None:
        return Answer(now, None)
    is_free = stored.owner in {None, owner} or stored.busy_until is None or stored.busy_until <= now
    if not is_free and not is_dead(str(stored.owner)):
        return Answer(now, stored)
    state = resumed(state_of(stored.state), now)
    due_at = next_request_at(state, HostPolicy(delay=claim.delay), now)
    if stored.owner == owner and stored.busy_until is None and stored.is_contested(now):
        due_at = max(due_at, (stored.state.last_request_at or now) + timedelta(seconds=claim.delay) + YIELDED)
    if due_at > now:
        return Answer(now, stored, due_at=due_at)
    is_kept = not stored.is_contested(now) and not _was_used_by_another(stored, owner, now)
    return Answer(now, stored, is_granted=True, is_kept=is_kept)


def release(connection: Connection, owner: str, releases: Sequence[Release], now: datetime | None = None) -> None:
    """Ends grants of the process and stores the states of their hosts.

    A stored pause counts from this moment, so that it is over for every process at once. If the grant has ended by
    itself and another process has the host, only the later times are stored.
    """
    if not releases:
        return
    stored = _locked(connection, [one.key for one in releases], wait=True)
    now = time_of(connection, now)
    _write(connection, [_released(one, stored[one.key], owner, now) for one in releases if one.key in stored])


def renew(
    connection: Connection, owner: str, keys: Collection[str], durations: GrantDurations, now: datetime | None = None
) -> dict[str, bool]:
    """Extends kept grants of the process. Returns, for each that it still has, whether another process wants the host:
    then the grant must not be kept any longer than the present request."""
    stored = _locked(connection, keys, wait=True)
    now = time_of(connection, now)
    own = {key: row for key, row in stored.items() if row.owner == owner and row.busy_until is not None}
    _write(connection, [_grant_values(key, owner, now + durations.kept, row.wanted_at) for key, row in own.items()])
    return {key: row.is_contested(now) for key, row in own.items()}


def _locked(connection: Connection, keys: Collection[str], *, wait: bool) -> dict[str, StoredGrant]:
    """Reads and locks rows, in the order of their keys, so that two transactions that wait never wait for each other.
    Without `wait`, rows that are locked are left out."""
    columns = [hosts.c[name] for name in (*_STATE, *_GRANT)]
    found: dict[str, StoredGrant] = {}
    for chunk in chunks(sorted(keys)):
        query = select(*columns).where(hosts.c.key.in_(chunk)).order_by(hosts.c.key)
        for row in connection.execute(query.with_for_update(skip_locked=not wait)):
            values = row._asdict()
            grant = {name: values.pop(name) for name in _GRANT}
            found[row.key] = StoredGrant(HostRow(**values), **grant)
    return found


def _was_used_by_another(stored: StoredGrant, owner: str, now: datetime) -> bool:
    last = stored.state.last_request_at
    return stored.owner not in {None, owner} and last is not None and last > now - CONTESTED_FOR


def _changes(key: str, answer: Answer, owner: str, durations: GrantDurations) -> list[Values]:
    """The changed columns of a row after a claim, in a list that is empty if nothing changes."""
    stored, now = answer.stored, answer.now
    if stored is None:
        return []
    if answer.is_granted:
        wanted_at = now if _was_used_by_another(stored, owner, now) else stored.wanted_at
        until = now + (durations.kept if answer.is_kept else durations.single)
        return [_grant_values(key, owner, until, wanted_at) | {"last_request_at": now}]
    is_noted = stored.wanted_at is not None and now - NOTED_EVERY < stored.wanted_at <= now
    if stored.owner == owner or is_noted:
        return []
    return [_grant_values(key, stored.owner, stored.busy_until, now)]


def _released(one: Release, stored: StoredGrant, owner: str, now: datetime) -> Values:
    values = _grant_values(one.key, stored.owner, stored.busy_until, stored.wanted_at)
    if stored.owner == owner:
        values["busy_until"] = None
    if one.state is None:
        return values
    moved = _moved_to(one.state, now)
    if stored.owner == owner:
        return values | {name: getattr(moved, name) for name in _STATE if name != "key"}
    return values | {
        "last_request_at": later(moved.last_request_at, stored.state.last_request_at),
        "not_before": later(moved.not_before, stored.state.not_before),
    }


def _moved_to(state: HostRow, now: datetime) -> HostRow:
    """Returns the state as if its last request had ended at `now`. Its pause keeps its length from then on."""
    if state.last_request_at is None:
        return state
    rest = state.not_before - state.last_request_at if state.not_before is not None else None
    return replace(state, last_request_at=now, not_before=None if rest is None or rest <= timedelta() else now + rest)


def _grant_values(key: str, owner: str | None, busy_until: datetime | None, wanted_at: datetime | None) -> Values:
    return {"key": key, "owner": owner, "busy_until": busy_until, "wanted_at": wanted_at}


def _write(connection: Connection, rows: Iterable[Values]) -> None:
    """Writes the columns that each row has, with one statement for all rows of equal columns. The rows are locked by
    this transaction."""
    by_columns: dict[tuple[str, ...], list[Values]] = {}
    for row in rows:
        by_columns.setdefault(tuple(name for name in row if name != "key"), []).append(row)
    written = update(hosts).where(hosts.c.key == bindparam("_key"))
    for names, group in by_columns.items():
        connection.execute(written, [{"_key": row["key"]} | {name: row[name] for name in names} for row in group])
