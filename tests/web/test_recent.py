"""Values that views share are made again when they are too old, when the clock went back, and after a change."""

from __future__ import annotations

from datetime import timedelta

from web_database import NOW

from newscrawl.web.recent import MAX_VALUES, Recent

LIFE = timedelta(seconds=10)


def test_a_value_is_made_once_while_it_is_young() -> None:
    recent, made = Recent(), list[int]()

    def make() -> int:
        made.append(len(made))
        return made[-1]

    times = [NOW, NOW + LIFE - timedelta(seconds=1), NOW + LIFE, NOW]
    assert [recent.get("key", now, LIFE, make) for now in times] == [0, 0, 1, 2]
    recent.clear()
    assert recent.get("key", NOW, LIFE, make) == 3


def test_few_values_are_kept() -> None:
    recent = Recent()
    for number in range(MAX_VALUES + 1):
        recent.put(number, NOW, number)
    assert recent.known(0, NOW, LIFE) is None
    assert recent.known(MAX_VALUES, NOW, LIFE) == MAX_VALUES
