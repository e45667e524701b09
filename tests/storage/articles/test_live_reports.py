"""A new entry of a live report is the change class "live update", and versions and changes name it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newscrawl.model import LiveEntry
from newscrawl.storage.articles.deciding.differences import PageSnapshot, compare, names_of, new_entries
from newscrawl.storage.feed.changes import Cause, combined

HOUR = timedelta(hours=1)
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
FERRIES = LiveEntry(NOON, 60, "Ferries stop", "The last ferry of the day has left the harbour.", "e1")
SCHOOLS = LiveEntry(NOON + HOUR, 60, "Schools close", "All eleven schools send their pupils home.", "e2")
BRIDGE = LiveEntry(NOON + 2 * HOUR, 60, "Bridge closed", "The bridge to the island is closed to all traffic.", "e3")


def text_of(*entries: LiveEntry) -> str:
    return "\n\n".join(entry.text for entry in entries)


def snapshot(*entries: LiveEntry, verdict: str = "live", text: str | None = None) -> PageSnapshot:
    return PageSnapshot(text or text_of(*entries), "Storm live", verdict=verdict, entries=names_of(entries))


def titles(entries) -> list[str]:
    return [entry.title for entry in entries]


def test_a_new_entry_is_a_live_update_that_names_it():
    difference = compare(snapshot(FERRIES), snapshot(BRIDGE, SCHOOLS, FERRIES))
    assert difference.change == "live update"
    assert titles(difference.entries) == ["Bridge closed", "Schools close"]


def test_an_edit_of_earlier_entries_is_no_live_update():
    edited = LiveEntry(FERRIES.at, 60, "Ferries stop", "The last ferry of the day will leave at nine.", "e1")
    assert compare(snapshot(SCHOOLS, FERRIES), snapshot(SCHOOLS, edited)).change == "correction"
    longer = LiveEntry(FERRIES.at, 60, "Ferries stop", f"{FERRIES.text} The next one sails on Sunday.", "e1")
    assert compare(snapshot(SCHOOLS, FERRIES), snapshot(SCHOOLS, longer)).change == "addition"


def test_without_known_entries_each_change_is_a_live_update():
    assert compare(snapshot(text="Ferries stop."), snapshot(text="Ferries go.")).change == "live update"
    difference = compare(snapshot(text="Ferries stop."), snapshot(BRIDGE, FERRIES))
    assert (difference.change, difference.entries) == ("live update", ())


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        pytest.param([("10:00", "A", "e0")], [("10:05", "B", "e0"), ("10:00", "A", "e1")], ["B"], id="numbered"),
        pytest.param([("10:00", "A", "x")], [("10:00", "B", "y"), ("10:00", "A", "x")], ["B"], id="same minute"),
        pytest.param([("10:00", "A", "x")], [("10:00", "A, corrected", "x")], [], id="new title"),
        pytest.param([(None, "A", "x")], [(None, "B", "y"), (None, "A, corrected", "x")], ["B"], id="no time"),
        pytest.param([(None, "A", None)], [(None, "B", None), (None, "A", None)], ["B"], id="only titles"),
        pytest.param([("10:00", "A", "x"), ("10:05", "B", "y")], [("10:05", "B", "y")], [], id="removed"),
    ],
)
def test_entries_are_told_apart(old, new, named):
    def entries(values):
        return names_of(
            LiveEntry(NOON.replace(hour=10, minute=int(clock[3:])) if clock else None, None, title, "", own)
            for clock, title, own in values
        )

    assert titles(new_entries(entries(old), entries(new))) == named


def test_changes_that_are_sent_as_one_name_the_entries_of_all():
    first, second = {"at": None, "title": "A"}, {"at": None, "title": "B"}
    both = combined([Cause("corrected", entries=(first,)), Cause("corrected", entries=(second, first))])
    assert both.entries == (second, first)
