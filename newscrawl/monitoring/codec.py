"""Writes and reads samples and baselines as JSON, the form in which they are stored. Pure.

Each document has a version. Only the fields in which a sample differs from a good article are written, so most of the
usual samples are as short as `{"chars":3120}`. Reading is strict: for a document that this module did not write, it
raises DamagedRecord and returns no part of it.

A site of 1,000 pages a day has about 15 kB; docs/explanation/watchdog.md has an example.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from math import isfinite
from operator import attrgetter
from typing import Any, Final, NoReturn, TypeVar, get_args

from newscrawl.model import Verdict
from newscrawl.monitoring.extraction_baseline import LATEST, USUAL, ExtractionBaseline
from newscrawl.monitoring.hint_use import HintUse
from newscrawl.monitoring.page_sample import PageSample
from newscrawl.monitoring.volume_baseline import VolumeBaseline, hour_number, moment_of

Read = TypeVar("Read")

VERSION: Final = 1
HOURS_A_DAY: Final = 24
MAX_LABELS: Final = 50
"""The most hints of a site (newscrawl.site_hints.declared)."""
_EPOCH_DAY: Final = date(1970, 1, 1).toordinal()
_VERDICTS: Final = frozenset(get_args(Verdict))


class DamagedRecord(ValueError):
    """A stored document was not written by this module. The message says what is wrong with it."""


def encode_sample(sample: PageSample) -> str:
    """Returns the JSON of one sample that the watchdog has not read yet."""
    return _dumped({"version": VERSION, **_sample_values(sample)})


def decode_sample(text: str) -> PageSample:
    """Returns the sample that `encode_sample` wrote. Raises DamagedRecord."""
    return _read(text, _sample)


def encode_extraction(baseline: ExtractionBaseline) -> str:
    """Returns the JSON of the usual and of the latest samples, both with the oldest first."""
    usual = [_usual_changed(_values_of(sample)) for sample in baseline.usual]
    values = {"version": VERSION, "usual": usual, "latest": list(map(_sample_values, baseline.latest))}
    if baseline.hints:
        values["hints"] = [[use.label, use.pages, use.matches, use.idle] for use in baseline.hints]
    return _dumped(values)


def decode_extraction(text: str) -> ExtractionBaseline:
    """Returns the baseline that `encode_extraction` wrote. Raises DamagedRecord."""
    return _read(text, _extraction)


def encode_volume(baseline: VolumeBaseline) -> str | None:
    """Returns the JSON of the counts by day (UTC), 24 numbers each. None before the first crawl has ended."""
    if baseline.since is None:
        return None
    days: dict[int, list[int]] = {}
    for hour, number in baseline.counts.items():
        days.setdefault(hour // HOURS_A_DAY, [0] * HOURS_A_DAY)[hour % HOURS_A_DAY] = number
    values = {
        "version": VERSION,
        "since": _written_hour(baseline.since),
        "through": _written_hour(baseline.through),
        "gap": round(baseline.gap, 2),
        "crawled": _written_hour(baseline.crawled) if baseline.crawled else None,
        "skipped": [[_written_hour(first), _written_hour(end)] for first, end in baseline.skipped],
        "counts": {date.fromordinal(_EPOCH_DAY + day).isoformat(): days[day] for day in sorted(days)},
    }
    return _dumped(values)


def decode_volume(text: str) -> VolumeBaseline:
    """Returns the baseline that `encode_volume` wrote. Raises DamagedRecord."""
    return _read(text, _volume)


@dataclass(frozen=True, slots=True)
class _Field:
    """How one field of a sample is written and read. `read` raises ValueError or TypeError."""

    name: str
    key: str
    read: Callable[[Any], object]
    write: Callable[[Any], object]


def _same(value: object) -> object:
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is neither true nor false")
    return value


def _optional_flag(value: Any) -> bool | None:
    return None if value is None else _flag(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError(f"{value!r} is no count")
    return value


def _verdict(value: Any) -> str | None:
    if value is not None and value not in _VERDICTS:
        raise ValueError(f"{value!r} is no verdict")
    return None if value is None else _text(value)


def _labels(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MAX_LABELS:
        raise TypeError(f"{value!r} is no list of hints")
    return tuple(map(_text, value))


def _moment(value: Any) -> datetime:
    moment = datetime.fromisoformat(_text(value))
    if moment.tzinfo is None:
        raise ValueError(f"{value!r} has no zone")
    return moment.astimezone(UTC)


def _written_moment(value: datetime) -> str:
    return value.astimezone(UTC).isoformat()


_FIELDS: Final = (
    _Field("fetched_at", "at", _moment, _written_moment),
    _Field("is_new", "new", _flag, _same),
    _Field("published", "published", _moment, _written_moment),
    _Field("failure", "failure", _text, _same),
    _Field("verdict", "verdict", _verdict, _same),
    _Field("characters", "chars", _number, _same),
    _Field("has_title", "title", _flag, _same),
    _Field("has_authors", "authors", _flag, _same),
    _Field("has_date", "date", _flag, _same),
    _Field("used_fallback", "fallback", _flag, _same),
    _Field("page_hash", "page", _text, _same),
    _Field("text_hash", "text", _text, _same),
    _Field("repeats_text", "repeats", _optional_flag, _same),
    _Field("is_suspect", "suspect", _flag, _same),
    _Field("hints_matched", "hints", _labels, _same),
    _Field("hints_idle", "idle", _labels, _same),
)
"""The mapping of a sample's fields. A test checks that it names each of them once."""

_BY_KEY: Final = {field.key: field for field in _FIELDS}
_values_of: Final = attrgetter(*(field.name for field in _FIELDS))
_DEFAULTS: Final = _values_of(PageSample())


def _sample_values(sample: PageSample) -> dict[str, object]:
    return _changed(_values_of(sample))


def _changed(values: tuple[Any, ...]) -> dict[str, object]:
    """Returns the values of a sample's fields that differ from the defaults, by key."""
    given = zip(_FIELDS, values, _DEFAULTS, strict=True)
    return {field.key: field.write(value) for field, value, default in given if value != default}


def _sample(values: Mapping[str, Any]) -> PageSample:
    return PageSample(**dict(_checked(values)))


def _checked(values: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Returns the fields of a sample in a document, with their values."""
    fields = []
    for key, value in values.items():
        field = _BY_KEY[key]
        fields.append((field.name, field.read(value)))
    return tuple(fields)


# There are 400 usual samples a site, and most equal others of this or another site. Looking a sample up in a cache
# takes a quarter of the time of making it, and a check half as long.

_usual_changed: Final = lru_cache(maxsize=20_000)(_changed)


@lru_cache(maxsize=20_000)
def _usual_sample(fields: tuple[tuple[str, Any], ...]) -> PageSample:
    return PageSample(**dict(fields))


def _samples(values: Any, most: int) -> list[Mapping[str, Any]]:
    if not isinstance(values, list) or len(values) > most:
        raise TypeError(f"expected at most {most} samples")
    return values


def _extraction(values: Mapping[str, Any]) -> ExtractionBaseline:
    _expect({**values, "hints": ()}, {"usual", "latest", "hints"})
    usual = tuple(_usual_sample(_checked(sample)) for sample in _samples(values["usual"], USUAL))
    latest = tuple(map(_sample, _samples(values["latest"], LATEST)))
    if any(sample.fetched_at is None for sample in latest):
        raise ValueError("one of the latest samples has no time")
    return ExtractionBaseline(usual, latest, _hints(values.get("hints", [])))


def _hints(values: Any) -> tuple[HintUse, ...]:
    if not isinstance(values, list) or len(values) > MAX_LABELS:
        raise TypeError("expected a list of hints")
    return tuple(HintUse(_text(label), *map(_number, numbers)) for label, *numbers in values)


def _volume(values: Mapping[str, Any]) -> VolumeBaseline:
    _expect(values, {"since", "through", "gap", "crawled", "skipped", "counts"})
    gap = values["gap"]
    if not isinstance(gap, int | float) or isinstance(gap, bool) or not isfinite(gap):
        raise TypeError(f"{gap!r} is no number of hours")
    counts: dict[int, int] = {}
    for day, numbers in values["counts"].items():
        first = (date.fromisoformat(day).toordinal() - _EPOCH_DAY) * HOURS_A_DAY
        if len(numbers) != HOURS_A_DAY:
            raise ValueError(f"{day} has {len(numbers)} numbers, not {HOURS_A_DAY}")
        counts |= {first + hour: number for hour, number in enumerate(map(_number, numbers)) if number}
    crawled = values["crawled"]
    return VolumeBaseline(
        since=_hour(values["since"]),
        through=_hour(values["through"]),
        gap=float(gap),
        crawled=_hour(crawled) if crawled is not None else 0,
        skipped=[(_hour(first), _hour(end)) for first, end in values["skipped"]],
        counts=counts,
    )


def _hour(value: Any) -> int:
    moment = _moment(value)
    hour = hour_number(moment)
    if moment_of(hour) != moment:
        raise ValueError(f"{value!r} is no full hour")
    return hour


def _written_hour(hour: int) -> str:
    return moment_of(hour).isoformat(timespec="minutes")


def _expect(values: Mapping[str, Any], keys: set[str]) -> None:
    if values.keys() != keys:
        raise ValueError(f"expected {', '.join(sorted(keys))}, found {', '.join(sorted(values))}")


def _dumped(values: Mapping[str, object]) -> str:
    return json.dumps(values, separators=(",", ":"))


def _read(text: str, read: Callable[[Mapping[str, Any]], Read]) -> Read:
    """Returns the result of `read` for a document without its version. Raises DamagedRecord."""
    try:
        return read(_document(text))
    except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
        raise DamagedRecord(f"{type(error).__name__}: {error}"[:200]) from error


def _document(text: str) -> Mapping[str, Any]:
    values = json.loads(text, parse_constant=_no_constant)
    if not isinstance(values, dict):
        raise TypeError("expected an object")
    version = values.pop("version", None)
    if version != VERSION:
        raise ValueError(f"version {version!r}, expected {VERSION}")
    return values


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
