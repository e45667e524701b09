"""Times of day at the beginning of a line."""

from __future__ import annotations

import pytest

from newscrawl.model.times import TimeOfDay, leading_time


@pytest.mark.parametrize(
    ("line", "hour", "minute", "rest"),
    [
        ("14:32", 14, 32, ""),
        ("14:32 Uhr", 14, 32, ""),
        ("14.32 Uhr: Es beginnt", 14, 32, "Es beginnt"),
        ("+++ 9:05 Uhr +++ Los", 9, 5, "Los"),
        ("18h42 Fin de ce direct", 18, 42, "Fin de ce direct"),
        ("[16:58] Thanks", 16, 58, "Thanks"),
        ("2.05pm The vote", 14, 5, "The vote"),
        ("12:10 a.m. – Rain", 0, 10, "Rain"),
        ("17:45 GMT", 17, 45, ""),
        ("14時32分 開始", 14, 32, "開始"),
        ("00:00 | Midnight", 0, 0, "Midnight"),
    ],
)
def test_a_time_and_what_follows_it(line: str, hour: int, minute: int, rest: str) -> None:
    assert leading_time(line) == TimeOfDay(hour, minute, rest)


@pytest.mark.parametrize(
    "line", ["", "Noon", "24:00", "3:75", "12.50 euros a head", "1:02:30 hours", "10:30-12:15 Tour", "2024:11", "7.5 %"]
)
def test_what_is_no_time(line: str) -> None:
    assert leading_time(line) is None
