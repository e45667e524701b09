"""Pleas for rest that only a killed process had read. A Retry-After counts from the commit of the answer that brought
it, so nobody knows of one whose process was killed before the commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from newscrawl.identity import registrable_domain
from newscrawl.storage.engine.database import make_reader, parse_url
from newscrawl.storage.engine.transactions import begin_read
from newscrawl.storage.frontier import hosts
from newscrawl.testing.fleet.serving import Request

Plea = tuple[str, float]
"""An answer with Retry-After: its host, and when it ended (seconds since 1970)."""

TO_COMMIT: Final = 5.0
"""Seconds after which a living process has stored the Retry-After of an answer. An older one was lost by an error."""


def lost_pleas(
    log: Iterable[Request], known_rests: Mapping[str, datetime | None], agent: str, killed_at: float
) -> dict[Plea, float]:
    """Returns the pleas that were never stored because the process of `agent` was killed, each with that moment.

    `known_rests` are the stored ends of the hosts' pauses after the kill. A stored pause that ends before the plea was
    answered is an earlier one. `agent` is a part of the User-Agent that no other process has.
    """
    lost = {}
    for request in log:
        ended = request.get("ended")
        if not request.get("rest") or ended is None or agent not in (request["agent"] or ""):
            continue
        is_recent = killed_at - TO_COMMIT <= ended <= killed_at
        known = known_rests.get(request["host"])
        if is_recent and (known is None or known.timestamp() <= ended):
            lost[request["host"], ended] = killed_at
    return lost


def stored_rests(database: str, log: Iterable[Request]) -> dict[str, datetime | None]:
    """Returns the stored ends of the pauses of all hosts of the log."""
    asked = {request["host"] for request in log}
    with begin_read(make_reader(parse_url(database))) as connection:
        rows = {host: hosts.load(connection, f"domain:{registrable_domain(f'http://{host}/')}") for host in asked}
    return {host: row.not_before if row is not None else None for host, row in rows.items()}
