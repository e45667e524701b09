"""What the watchdog stored up to revision 0017, as JSON of version 1: only revision 0018 reads it.

A page was a word: `!extraction/empty` where it failed, else `7a1532~hash.page^`. Its first character holds five marks
as a digit of base 32, the second the verdict, then come the characters of the text. `~` says that the text was compared
with those of the latest pages, of which the hashes of text and page stand behind it; `^` marks a suspect page. The
latest pages have `@` and the minutes since 1970 at the end. A volume was JSON without a version, its hours as numbers.

Whatever cannot be read is None: the site's baseline is then learned again.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from typing import Any, Final

VERSION: Final = 1
_HAS_TITLE, _HAS_AUTHORS, _HAS_DATE, _USED_FALLBACK, _REPEATS = 1, 2, 4, 8, 16
_VERDICTS: Final = {"a": "article", "l": "live", "p": "paywalled", "s": "short", "o": None}
_ARTICLE: Final = re.compile(
    r"(?P<marks>[0-9a-v])(?P<verdict>[alpso])(?P<characters>[0-9]{1,9})"
    r"(?P<compared>~(?:(?P<text>[^.@~^]+)\.(?P<page>[^.@~^]+))?)?(?P<suspect>\^)?"
)
_FAILURE: Final = re.compile(r"!(?P<failure>[^@~^]{0,60})(?P<suspect>\^)?")
_TIMED: Final = re.compile(r"(?P<word>.*)@(?P<minutes>[0-9]{1,9})")
_HOURS_A_DAY: Final = 24
_FAILURE_LIMIT: Final = 60
_EPOCH_DAY: Final = date(1970, 1, 1).toordinal()


def extraction(base: str | None, recent: str | None) -> str | None:
    """The two texts of a site's pages as one JSON document; None without pages, or where a word cannot be read."""
    usual = [_sample(word) for word in (base or "").split()]
    latest = [_timed_sample(word) for word in (recent or "").split()]
    if None in usual or None in latest or not (usual or latest):
        return None
    return _dumped({"version": VERSION, "usual": usual, "latest": latest})


def volume(text: str | None) -> str | None:
    """A site's volume, its counts by day; None where there is none or it cannot be read."""
    try:
        values = json.loads(text or "")
        days: dict[int, list[int]] = {}
        for hour, number in values["counts"].items():
            day, of_day = divmod(int(hour), _HOURS_A_DAY)
            days.setdefault(day, [0] * _HOURS_A_DAY)[of_day] = int(number)
        document = {
            "version": VERSION,
            "since": _hour(values["since"]),
            "through": _hour(values["through"]),
            "gap": float(values["gap"]),
            "crawled": _hour(values["crawled"]) if values["crawled"] else None,
            "skipped": [[_hour(first), _hour(end)] for first, end in values["skipped"]],
            "counts": {date.fromordinal(_EPOCH_DAY + day).isoformat(): days[day] for day in sorted(days)},
        }
        return _dumped(document)
    except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError):
        return None


def sample(row: Any) -> str:
    """A row of `observations` as one JSON document."""
    defaults: dict[str, Any] = {
        "new": False,
        "published": None,
        "failure": None,
        "verdict": "article",
        "chars": 0,
        "title": True,
        "authors": True,
        "date": True,
        "fallback": False,
        "page": None,
        "text": None,
        "suspect": False,
    }
    values = {
        "new": row.is_new,
        "published": _moment(row.published) if row.published is not None else None,
        "failure": row.failure[:_FAILURE_LIMIT] if row.failure is not None else None,
        "verdict": row.verdict,
        "chars": row.characters,
        "title": row.titled,
        "authors": row.authored,
        "date": row.dated,
        "fallback": row.fell_back,
        "page": row.page,
        "text": row.text,
        "suspect": row.doubted,
    }
    changed = {key: value for key, value in values.items() if value != defaults[key]}
    return _dumped({"version": VERSION, "at": _moment(row.at), **changed})


def _timed_sample(word: str) -> dict[str, Any] | None:
    found = _TIMED.fullmatch(word)
    values = _sample(found["word"]) if found else None
    if found is None or values is None:
        return None
    return {"at": datetime.fromtimestamp(int(found["minutes"]) * 60, UTC).isoformat(), **values}


def _sample(word: str) -> dict[str, Any] | None:
    failed = _FAILURE.fullmatch(word)
    if failed is not None:
        return {"failure": failed["failure"]} | ({"suspect": True} if failed["suspect"] else {})
    found = _ARTICLE.fullmatch(word)
    if found is None:
        return None
    marks = int(found["marks"], 32)
    values: dict[str, Any] = {"chars": int(found["characters"])} if int(found["characters"]) else {}
    if found["verdict"] != "a":
        values["verdict"] = _VERDICTS[found["verdict"]]
    for mark, key in ((_HAS_TITLE, "title"), (_HAS_AUTHORS, "authors"), (_HAS_DATE, "date")):
        if not marks & mark:
            values[key] = False
    if marks & _USED_FALLBACK:
        values["fallback"] = True
    if found["text"]:
        values |= {"page": found["page"], "text": found["text"]}
    if not found["compared"]:
        values["repeats"] = None
    elif marks & _REPEATS:
        values["repeats"] = True
    return values | ({"suspect": True} if found["suspect"] else {})


def _moment(when: datetime) -> str:
    """SQLite's times have no zone and are UTC."""
    return (when if when.tzinfo is not None else when.replace(tzinfo=UTC)).astimezone(UTC).isoformat()


def _hour(hour: Any) -> str:
    return datetime.fromtimestamp(int(hour) * 3600, UTC).isoformat(timespec="minutes")


def _dumped(values: dict[str, Any]) -> str:
    return json.dumps(values, separators=(",", ":"))
