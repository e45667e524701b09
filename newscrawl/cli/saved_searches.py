"""The options of `newscrawl search` that save, list, remove and evaluate standing searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import groupby

from newscrawl.cli.common.project import required_config
from newscrawl.cli.common.show import show as show_rows
from newscrawl.cli.common.sites import check_known
from newscrawl.cli.common.words import counted, say
from newscrawl.config.derived.stores import reader_of, store_of
from newscrawl.errors import UsageError, meant
from newscrawl.publishing.deliver.feeds import problem_of
from newscrawl.publishing.deliver.places import NO_MAIL, shown_place
from newscrawl.publishing.search import parse_query
from newscrawl.publishing.standing_searches import evaluate_all, save_search
from newscrawl.storage import deliveries
from newscrawl.storage.deliveries import SEARCHES, Delivery
from newscrawl.storage.feed import standing_searches
from newscrawl.storage.feed.standing_searches import StandingSearch

Row = tuple[StandingSearch, Sequence[Delivery]]
"""A search with its destinations."""


def save(name: str, query: str, places: Sequence[str], digest_hours: int) -> None:
    """Saves a search. Raises UsageError."""
    config = required_config()
    if not query:
        raise UsageError("--save: give the query after the name: newscrawl search --save ferries 'ferry OR boat'")
    if any(place.startswith("mail:") for place in places):
        from newscrawl.publishing.deliver.mail import AlarmMail

        if AlarmMail.of(config) is None:
            raise UsageError(f"--to mail: {NO_MAIL}")
    now = datetime.now(UTC)
    site = parse_query(query, now).filters.site
    with reader_of(config) as connection:
        check_known(connection, [site] if site is not None else [])
    with store_of(config) as store:
        save_search(store, name, query, places, digest_hours, now)
    say(f"saved {name}: it finds what is stored from now on, and {_sent_to(places)}", err=True)


def _sent_to(places: Sequence[str]) -> str:
    if not places:
        return "sends it nowhere (--to names a place)"
    return f"sends it to {', '.join(map(shown_place, places))}"


def remove(name: str) -> None:
    """Removes a search. Raises UsageError for an unknown name."""
    config = required_config()
    with reader_of(config) as connection:
        names = [search.name for search in standing_searches.everything(connection)]
    if name not in names:
        raise UsageError(
            f"--remove: no saved search {name!r}: {meant(name, names)}`newscrawl search --saved` lists all"
        )
    with store_of(config) as store:
        store.run(standing_searches.remove, name, datetime.now(UTC)).result()
    say(f"removed {name}", err=True)


def show(*, as_json: bool) -> None:
    """Lists the searches with their destinations, without secrets."""
    with reader_of(required_config()) as connection:
        searches = standing_searches.everything(connection)
        known = groupby(deliveries.of_stream(connection, SEARCHES), key=lambda destination: destination.subject)
        of_search = {name: list(destinations) for name, destinations in known}
    rows = [(search, of_search.get(search.name, [])) for search in searches]
    empty = "no search is saved: newscrawl search --save NAME QUERY"
    show_rows(rows, _lines, as_lines=as_json and _as_object, empty=empty)


def _as_object(row: Row) -> dict[str, object]:
    search, destinations = row
    return asdict(search) | {"destinations": list(map(_as_values, destinations))}


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    for search, destinations in rows:
        yield f"{search.name}: {search.query}"
        problem = problem_of(search.query)
        if problem is not None:
            yield f"  not evaluated: {problem}"
        for destination in destinations:
            yield f"  {_line(destination)}"


def _as_values(destination: Delivery) -> dict[str, object]:
    return {
        "id": destination.id,
        "search": destination.subject,
        "place": shown_place(destination.place),
        "digest_hours": destination.digest_hours,
        "sent_upto": destination.sent_upto,
        "next_at": destination.next_at,
        "attempts": destination.attempts,
        "problem": destination.last_error,
    }


def _line(destination: Delivery) -> str:
    often = f", every {destination.digest_hours} h" if destination.digest_hours else ""
    failed = (
        f": {counted(destination.attempts, 'attempt')} failed, {destination.last_error}" if destination.attempts else ""
    )
    return f"{shown_place(destination.place)}{often}{failed}"


def evaluate() -> None:
    """Evaluates the searches for all changes and sends what is due, once. Exits with 1 if a delivery failed."""
    from newscrawl.publishing.deliver.sender import Sender

    config = required_config()

    def now() -> datetime:
        return datetime.now(UTC)

    with store_of(config) as store:
        sender = Sender.of(store, config, now)
        done = sender.send([SEARCHES])  # as a killed call sent it, before new events are added
        read = evaluate_all(store, now)
        done += sender.send([SEARCHES])
    say(f"{counted(read, 'change')} evaluated, {counted(done.events, 'event')} sent", err=True)
    if done.failures:
        say(f"{counted(done.failures, 'delivery', 'deliveries')} failed: `newscrawl search --saved` says why", err=True)
        raise SystemExit(1)
