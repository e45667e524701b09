"""The form of numbers, times, addresses and codes on the pages."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from markupsafe import Markup, escape

from newscrawl.search import Snippet
from newscrawl.wording import harmless

_COMMAND: Final = re.compile("`([^`]+)`")
_UNITS: Final = ((86_400, "d"), (3_600, "h"), (60, "min"))
_SMALLER: Final = {"d": (3_600, "h"), "h": (60, "min"), "min": (1, "")}


def shown(value: Any) -> Any:
    """Returns a text without characters that could change what stands beside it. Jinja calls it for each value."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return harmless(value)


def short(text: str | None, most: int = 160) -> str:
    """Returns the beginning of a text on one line."""
    line = " ".join((text or "")[: most * 4].split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def with_commands(sentence: str) -> Markup:
    """Returns a sentence with its commands, which are between backticks, as code."""
    parts = _COMMAND.split(sentence)
    marked = (
        Markup("<code>{}</code>").format(shown(part)) if place % 2 else escape(shown(part))
        for place, part in enumerate(parts)
    )
    return Markup("").join(marked)


def span(value: timedelta) -> str:
    """Returns a length of time in its largest two units."""
    seconds = int(abs(value.total_seconds()))
    for size, unit in _UNITS:
        if seconds >= size:
            whole, (smaller, name) = seconds // size, _SMALLER[unit]
            rest = seconds % size // smaller
            return f"{whole} {unit} {rest} {name}" if rest and whole < 10 and name else f"{whole} {unit}"
    return "less than 1 min"


def since(now: datetime) -> Callable[[datetime | None], Markup]:
    """Returns a filter that says how long ago a time was, or how far ahead it is, with the time itself."""

    def said(moment: datetime | None) -> Markup:
        if moment is None:
            return Markup('<span class="soft">never</span>')
        moment = moment.astimezone(UTC)
        words = f"in {span(moment - now)}" if moment > now else f"{span(now - moment)} ago"
        stamp = f"{moment:%Y-%m-%d %H:%M} UTC"
        return Markup('<time datetime="{}" title="{}">{}</time>').format(moment.isoformat(), stamp, words)

    return said


def when(moment: datetime | None) -> Markup:
    """Returns a time in UTC."""
    if moment is None:
        return Markup('<span class="soft">never</span>')
    moment = moment.astimezone(UTC)
    return Markup('<time datetime="{}">{}</time>').format(moment.isoformat(), f"{moment:%Y-%m-%d %H:%M}")


def number(value: float | None) -> str:
    """Returns a number with its thousands apart."""
    if value is None:
        return "–"
    return f"{value:,.1f}" if isinstance(value, float) and value != int(value) else f"{int(value):,}"


def size(value: int | None) -> str:
    """Returns a number of bytes in a unit that people read."""
    amount = float(value or 0)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1_000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1_000
    return f"{amount:.1f} TB"


def seconds(value: float | None) -> str:
    """Returns a duration in seconds."""
    return "–" if not value else f"{value:,.1f} s"


def interval(value: float | None) -> str:
    """Returns a longer duration, given in seconds."""
    return "–" if value is None else span(timedelta(seconds=value))


def outward(url: str | None, words: str | None = None) -> Markup:
    """Returns a link to an address of a publisher that sends nothing along; only text for what is no web address."""
    text = escape(shown(short(words or url or "")))
    if url is None or not is_web_address(url):
        return Markup("<bdi>{}</bdi>").format(text)
    return Markup(
        '<a class="out" href="{}" rel="noopener noreferrer nofollow" target="_blank"><bdi>{}</bdi></a>'
    ).format(shown(url), text)


def marked(found: Snippet) -> Markup:
    """Returns part of a text with the words that match marked."""
    parts, end = [], 0
    for start, stop in found.marks:
        if start >= end:
            parts.append(
                Markup("{}<mark>{}</mark>").format(shown(found.text[end:start]), shown(found.text[start:stop]))
            )
            end = stop
    return Markup("").join([*parts, escape(shown(found.text[end:]))])


def is_web_address(url: str) -> bool:
    """Returns whether a text is an address of the web and nothing else."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc) and not any(map(str.isspace, url))
