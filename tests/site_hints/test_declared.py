"""The hints of a declaration: their form, their sets over time, and the errors."""

from __future__ import annotations

import pickle
from datetime import UTC, date, datetime
from typing import Any

import pytest

from newscrawl.errors import UsageError
from newscrawl.extraction.site_hints import NO_HINTS, SiteHints


def test_a_dict_is_one_set_for_any_time() -> None:
    hints = SiteHints.of({"drop": ".box", "title": ("h1.main", "//h1")})
    chosen = hints.at(datetime(1999, 1, 1, tzinfo=UTC))
    assert chosen is not None
    assert (chosen.drop, chosen.title, chosen.keep) == ((".box",), ("h1.main", "//h1"), ())
    assert pickle.loads(pickle.dumps(hints)) == hints


def test_each_redesign_has_its_own_set() -> None:
    hints = SiteHints.of(
        (
            {"since": "2026-10-01", "drop": ".new"},
            {"drop": ".first"},
            {"since": date(2025, 1, 1), "drop": ".second"},
        )
    )

    def dropped(*day: int) -> Any:
        chosen = hints.at(datetime(*day, tzinfo=UTC))  # type: ignore[arg-type]
        return chosen.drop[0] if chosen else None

    assert [dropped(2020, 1, 1), dropped(2025, 1, 1), dropped(2026, 9, 30, 23), dropped(2026, 10, 1)] == [
        ".first",
        ".second",
        ".second",
        ".new",
    ]
    assert SiteHints.of({"since": "2026-10-01T06:00+02:00"}).at(datetime(2026, 10, 1, 3, tzinfo=UTC)) is None
    assert not NO_HINTS
    assert SiteHints.of(None) == NO_HINTS


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        (".box", "is no set of hints, write a dict"),
        ([".box"], "is no set of hints, write a dict such as"),
        ({"dorp": ".box"}, "there is no hint 'dorp': is drop meant"),
        ({"drop": 3}, "drop is '3', write a selector or a tuple"),
        ({"drop": ("a", "")}, "write a selector or a tuple"),
        ({"drop": "div..x"}, "drop 'div..x': it is no CSS selector"),
        ({"since": "yesterday"}, "since is 'yesterday', write a day such as '2026-10-01'"),
        ({"since": 3}, "since is '3', write a day"),
        ({"since": "9999-12-31T23:00-12:00"}, "since is '9999-12-31 23:00:00-12:00', write a day"),
        (({"drop": "a"}, {"drop": "b"}), "two sets have the same `since`"),
        ({"drop": ["p"] * 51}, "a set of 51 hints is too large"),
        ([{"since": f"20{n}-01-01"} for n in range(10, 31)], "21 sets are too many"),
    ],
)
def test_what_cannot_be_used_is_named(declared: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        SiteHints.of(declared)
